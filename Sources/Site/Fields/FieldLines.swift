import Base
import People

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

    /// Adds the line that `write` appends to the buffer, unless that is nothing.
    func append(_ key: String, _ write: (ByteBuffer) -> Void) {
        let start = buffer.count
        write(buffer)
        if buffer.count == start { return }
        lines.value.append(Line(key: key, text: ByteSlice(offset: start, count: buffer.count - start)))
    }
}

extension FieldLines {
    /// Adds what a row shows beside the name. The login stands where the settings place it, or else first.
    func append(row indexes: [Int], of person: Profile, _ language: Language) {
        let login = person.fields.settings.loginField
        if person.showsLogin, !indexes.contains(where: { $0 == login }) {
            append("login") { buffer in
                buffer.append("@")
                buffer.append(person.login)
            }
        }
        append(indexes, of: person, language)
    }

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
        switch value(of: index) {
        case nil, .boolean(false)?: break
        // The label stands for yes.
        case .boolean(true)?: buffer.append(utf8: settings.label(of: settings.fields[index], language))
        case let value?: buffer.append(utf8: ProfileValue(value, settings.fields[index], language).text)
        }
    }
}
