import Base
import People

extension ShownSettings {
    /// Returns the label of a field in the language of the page, or else of the directory.
    func label(of field: Field, _ page: Language) -> String {
        if case .builtIn(let label) = field.label { return page.text(builtInLabel: label) }
        return field.label.text(in: [page.code.rawValue, page.code.tag, language, "en"])
    }

    /// The label of the figure that stands out beside a name; empty without one.
    func reputationLabel(_ page: Language) -> String { reputationField.map { label(of: fields[$0], page) } ?? "" }

    /// Returns the label of a field for programs: in English, or else in the language of the directory.
    func label(of field: Field) -> String { field.label.text(in: ["en", language]) }

    /// The columns that fields read, as in the source.
    var readColumns: Set<String> { Set(fields.flatMap(\.source.columns)) }

    /// The fields in the APIs' `fields`: all except those that are members of every user.
    var listedFields: [Int] {
        let members: [FieldRole] = [.id, .login, .name, .photo, .type, .reputation, .hidden, .noindex]
        return fields.indices.filter { index in !members.contains { $0.rawValue == fields[index].key } }
    }

    func makeReader() -> FieldReader { FieldReader(self) }
}

extension FieldReader {
    func value(of role: FieldRole) -> FieldValue? { settings.index(of: role).flatMap { value(of: $0) } }
}

extension ShownSettings.Looks {
    /// The links that browsers may follow.
    var contactLinks: [SettingsLink] { links.filter { $0.url.isContactURL } }

    /// Whether the directory has a style sheet: ``BrandAsset`` makes it.
    var hasBrand: Bool { accent != nil || paper != nil || radius != nil || font != nil || !icons.isEmpty }
}
