import Base
import People

extension ShownSettings {
    /// Returns the label of a field in the language of the page, or else of the directory.
    func label(of field: Field, _ page: Language) -> String {
        if case .builtIn(let label) = field.label { return page.text(builtInLabel: label) }
        return field.label.text(in: [page.code.rawValue, "\(page.code.tag)", language, "en"])
    }

    /// Returns the label of a field for programs: in English, or else in the language of the directory.
    func label(of field: Field) -> String { field.label.text(in: ["en", language]) }

    /// The index of the field with this role, or `nil`.
    func index(of role: FieldRole) -> Int? { fields.index(of: role) }

    /// The columns that fields read, as in the source.
    var readColumns: Set<String> { Set(fields.flatMap(\.source.columns)) }

    /// The fields in the APIs' `fields`: all except those that are members of every user.
    var listedFields: [Int] {
        let members: [FieldRole] = [.id, .login, .name, .photo, .type, .reputation, .hidden, .noindex]
        return fields.indices.filter { index in !members.contains { $0.rawValue == fields[index].key } }
    }
}

/// The fields of a user, each in one line. It is emptied and filled again for each person of a page.
final class FieldLines {
    struct Line {
        let key: String
        fileprivate let text: ByteSlice
    }

    // The lines belong to one page, which one thread makes. No access lasts while code runs that reads or changes them.
    // (The checks took 1 % of a page.)
    private let lines = OwnedValue<[Line]>([])
    private let buffer = ByteBuffer(capacity: 256)

    var all: [Line] { lines.value }
    var isEmpty: Bool { lines.value.isEmpty }

    /// Calls `body` with the text of a line. It must not add others.
    func withText(of line: Line, _ body: (Bytes) -> Void) { buffer.withBytes { body($0[line.text]) } }

    func text(of line: Line) -> String { buffer.withBytes { String($0[line.text]) } }

    func removeAll() {
        lines.value.removeAll(keepingCapacity: true)
        buffer.removeAll()
    }

    func removeAll(where isGone: (Line) -> Bool) { lines.value.removeAll(where: isGone) }

    /// Puts the login first.
    func insertLogin(of user: Profile) {
        let login = line("login") { buffer in
            buffer.append("@")
            buffer.append(user.login)
        }
        lines.value.insert(login, at: 0)
    }

    /// Adds the line that `write` appends to the buffer, unless that is nothing.
    func append(_ key: String, _ write: (ByteBuffer) -> Void) {
        let line = line(key, write)
        if !line.text.isEmpty { lines.value.append(line) }
    }

    private func line(_ key: String, _ write: (ByteBuffer) -> Void) -> Line {
        let start = buffer.count
        write(buffer)
        return Line(key: key, text: ByteSlice(offset: start, count: buffer.count - start))
    }
}

extension ShownSettings {
    func makeReader() -> FieldReader { FieldReader(self) }
}

extension FieldReader {
    /// Returns the value of the field with this role.
    func value(of role: FieldRole) -> FieldValue? { settings.index(of: role).flatMap { value(of: $0) } }
}

extension FieldLines {
    /// Adds the fields at `indexes` that the person has and that the source gave.
    func append(_ indexes: [Int], of person: Profile, _ language: Language) {
        let (fields, settings) = (person.fields, person.fields.settings)
        for index in indexes {
            if index == settings.idField, !person.showsID { continue }
            if index == settings.loginField, !person.showsLogin { continue }
            append(settings.fields[index].key) { fields.append(lineOf: index, language, to: $0) }
        }
    }
}

extension FieldReader {
    fileprivate func append(lineOf index: Int, _ language: Language, to buffer: ByteBuffer) {
        if fieldType(of: index) == .text { return append(textOf: index, to: buffer) }
        // Most values need no copy of the whole field.
        let text = value(of: index)?.line(
            of: settings.fields[index], label: settings.label(of: settings.fields[index], language), language)
        buffer.append(utf8: text ?? "")
    }
}

extension ShownSettings.Looks {
    /// The links that browsers may follow.
    var contactLinks: [SettingsLink] { links.filter { $0.url.isContactURL } }

    /// Whether the directory has a style sheet: ``Brand`` makes it.
    var hasBrand: Bool { accent != nil || paper != nil || radius != nil || font != nil }
}

extension FieldValue {
    /// The value in one line for people; `nil` if there is nothing to show, as for a `false` in a row.
    /// - Parameter label: stands for `true`.
    func line(
        of field: @autoclosure () -> Field, label: @autoclosure () -> String, _ language: Language
    ) -> String? {
        switch self {
        case .text(let text): text.isEmpty ? nil : text
        case .list(let elements): elements.joined(separator: language.text(.listSeparator))
        case .number(let number): field().isPlainNumber ? plainText : language.numbers.text(number)
        case .date(let days): language.days.text(CivilTime(secondsSince1970: days * 86_400))
        case .link(_, let text): text
        case .boolean(let isTrue): isTrue ? label() : nil
        }
    }
}

extension FieldValue {
    /// The value for programs, in no language; `nil` for an empty text and for a boolean.
    var plainText: String? {
        switch self {
        case .text(let text): text.isEmpty ? nil : text
        case .list(let elements): elements.joined(separator: ", ")
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .date(let days): CivilTime(secondsSince1970: days * 86_400).isoDay
        case .link(_, let text): text
        case .boolean: nil
        }
    }
}

extension ProfileValue {
    /// The values of a field on a user's page.
    static func all(of value: FieldValue, _ field: Field, _ language: Language) -> [ProfileValue] {
        switch value {
        case .text(let text): [ProfileValue(text)]
        case .list(let elements): [ProfileValue(elements.joined(separator: language.text(.listSeparator)))]
        case .number(let number):
            [ProfileValue(field.isPlainNumber ? value.plainText ?? "" : language.numbers.text(number))]
        case .date(let days):
            [CivilTime(secondsSince1970: days * 86_400)].map {
                ProfileValue(language.days.text($0), dateTime: $0.isoDay)
            }
        case .link(let url, let text): [ProfileValue(text, href: url.isContactURL ? url : nil)]
        case .boolean(let isTrue): [ProfileValue(language.text(isTrue ? .yes : .no))]
        }
    }
}

extension String {
    /// Whether a page may link to it: an absolute URL with http, https, mailto or tel.
    var isContactURL: Bool {
        if isWebURL { return true }
        return prefixMatch(of: /(mailto|tel):[^\s"'<>]+$/.ignoresCase()) != nil
    }
}
