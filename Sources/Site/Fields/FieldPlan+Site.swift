import Base
import People

extension FieldPlan {
    /// Returns the label of a field in the language of the page, or else of the directory.
    func label(of field: Field, _ page: Language) -> String {
        if case .builtIn(let label) = field.label { return page.text(builtInLabel: label) }
        return field.label.text(in: [page.code.rawValue, "\(page.code.tag)", language, "en"])
    }

    /// Returns the label of a field for programs: in English, or else in the language of the directory.
    func label(of field: Field) -> String { field.label.text(in: ["en", language]) }

    /// The index of the public field with this role, or `nil`.
    func index(of role: FieldRole) -> Int? {
        fields.firstIndex { $0.key == role.rawValue && $0.visibility == .public }
    }

    /// The columns that fields read, as in the source.
    var readColumns: Set<String> { Set(fields.flatMap(\.source.columns)) }

    /// The fields in the APIs' `fields`: all public ones except those that are members of every user.
    var listedFields: [Int] {
        let members: [FieldRole] = [.id, .login, .name, .photo, .type, .reputation, .hidden, .noindex]
        return fields.indices.filter { index in
            fields[index].visibility == .public && !members.contains { $0.rawValue == fields[index].key }
        }
    }
}

/// The value of a field in one line.
struct FieldLine {
    var key: String
    var text: String
}

extension FieldPlan {
    func makeReader() -> FieldReader { FieldReader(self) }
}

extension FieldReader {
    /// Returns the value of the public field with this role.
    func value(of role: FieldRole) -> FieldValue? { plan.index(of: role).flatMap { value(of: $0) } }

    /// Returns the fields at `indexes` that the user has and that the source gave.
    func lines(_ indexes: [Int], of user: UserView, _ language: Language) -> [FieldLine] {
        read(user.record)
        return indexes.compactMap { index in
            let field = plan.fields[index]
            switch field.role {
            case .id where !user.showsID, .login where !user.showsLogin: return nil
            default: break
            }
            let text = value(of: index)?.line(of: field, label: plan.label(of: field, language), language)
            return text.map { FieldLine(key: field.key, text: $0) }
        }
    }
}

/// The publisher's introduction, links and colour.
extension FieldPlan {
    /// The publisher's introduction; empty without one.
    var intro: String { settings.own.intro ?? settings.inferred.intro ?? "" }

    /// The links that browsers may follow.
    var links: [SettingsLink] {
        (settings.own.links ?? settings.inferred.links ?? []).filter { $0.url.isContactURL }
    }

    var hasLogo: Bool { (settings.own.logo ?? settings.inferred.logo)?.isEmpty == false }

    /// The style sheet with the directory's own colours, corners and font, if it has any.
    var brand: Brand? { Brand(settings.own) }

    var hasBrand: Bool {
        let own = settings.own
        // Working out the colours takes longer than everything else about a page's document.
        return (own.accent ?? own.paper ?? own.radius ?? own.font) != nil && brand != nil
    }
}

extension FieldRecord {
    init(_ row: UserRow, _ text: UnsafeRawBufferPointer) {
        self.init(
            id: row.id, reputation: row.reputation, login: text[row.login], name: text[row.name],
            avatarURL: text[row.avatarURL], htmlURL: text[row.htmlURL], type: text[row.type], more: text[row.more])
    }
}
