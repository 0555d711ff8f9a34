import Base
import JSON

/// A value of a ``Field``.
public enum FieldValue: Equatable, Sendable {
    case text(String)
    /// At least one element.
    case list([String])
    case number(Double)
    /// A day, in days since 1970-01-01.
    case date(days: Int)
    /// An absolute http, https, mailto or tel URL, and the text to show.
    case link(url: String, text: String)
    case boolean(Bool)
}

/// The values of one user that fields are read from. Valid for as long as those bytes.
public struct FieldRecord {
    public var id: Int64
    public var reputation: Int64?
    public var login: UnsafeRawBufferPointer
    public var name: UnsafeRawBufferPointer
    public var avatarURL: UnsafeRawBufferPointer
    public var htmlURL: UnsafeRawBufferPointer
    public var type: UnsafeRawBufferPointer
    /// The JSON object with the columns of the source that are not columns of a user: its keys are the headings.
    public var more: UnsafeRawBufferPointer

    public init(
        id: Int64, reputation: Int64?, login: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer,
        avatarURL: UnsafeRawBufferPointer, htmlURL: UnsafeRawBufferPointer, type: UnsafeRawBufferPointer,
        more: UnsafeRawBufferPointer
    ) {
        self.id = id
        self.reputation = reputation
        self.login = login
        self.name = name
        self.avatarURL = avatarURL
        self.htmlURL = htmlURL
        self.type = type
        self.more = more
    }
}

extension FieldRecord {
    /// The columns of a user on a page, whose text is in `text`.
    public init(_ row: UserRow, _ text: UnsafeRawBufferPointer) {
        self.init(
            id: row.id, reputation: row.reputation, login: text[row.login], name: text[row.name],
            avatarURL: text[row.avatarURL], htmlURL: text[row.htmlURL], type: text[row.type], more: text[row.more])
    }

    /// The columns of a user in a batch, whose text is in `text`.
    public init(_ user: UserBatch.Entry, _ text: UnsafeRawBufferPointer) {
        self.init(
            id: user.id, reputation: user.reputation == UserBatch.noReputation ? nil : user.reputation,
            login: text[user.login], name: text[user.name], avatarURL: text[user.avatarURL],
            htmlURL: text[user.htmlURL], type: text[user.type], more: text[user.more])
    }
}

/// The source of a field's value, prepared for reading.
struct FieldSource: Sendable {
    let template: FieldTemplate
    /// The numbers of the template's columns in ``ResolvedSettings/sourceColumns``.
    let columns: [Int]
    /// The column, if the template is one column and nothing else.
    let onlyColumn: Int?
    let role: FieldRole?
    let linkStyle: LinkStyle
    /// The text between the elements of a list, if there is one.
    let separator: [UInt8]?

    init(_ field: Field, columns known: [String: Int]) {
        template = field.source
        columns = field.source.columns.compactMap { known[$0] }
        onlyColumn = field.source.onlyColumn.flatMap { known[$0] }
        role = field.role
        linkStyle = LinkStyle(field)
        separator = field.separator.map { Array($0.utf8) }
    }
}

extension ResolvedSettings {
    /// Returns the number of the column `key` in ``sourceColumns``, or `nil` if no field reads it. Tries `expected`
    /// first.
    func column(_ key: JSONString, expected: Int) -> Int? {
        if key.hasEscapes {
            let text = key.text
            return sourceColumns.firstIndex(of: text)
        }
        if expected < sourceColumnBytes.count, key.raw.equals(sourceColumnBytes[expected]) { return expected }
        return sourceColumnBytes.firstIndex { key.raw.equals($0) }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func equals(_ bytes: [UInt8]) -> Bool {
        count == bytes.count && bytes.withUnsafeBytes { equals($0) }
    }
}

extension UnsafeRawBufferPointer {
    /// The UTF-8 text without the white space around it, including ideographic and no-break spaces.
    package var trimmedText: UnsafeRawBufferPointer {
        var start = 0
        var end = count
        while start < end {
            let length = whitespace(at: start)
            if length == 0 { break }
            start += length
        }
        trimming: while start < end {
            for length in 1...3 where end - length >= start && whitespace(at: end - length) == length {
                end -= length
                continue trimming
            }
            break
        }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// Returns the length of the white space character at `index`, or 0 for any other.
    private func whitespace(at index: Int) -> Int {
        switch self[index] {
        case 0x20, 0x09...0x0D: 1
        case 0xC2 where index + 1 < count && self[index + 1] == 0xA0: 2
        case 0xE3 where index + 2 < count && self[index + 1] == 0x80 && self[index + 2] == 0x80: 3
        case 0xE2 where index + 2 < count && self[index + 1] == 0x80 && (self[index + 2] == 0xAF): 3
        default: 0
        }
    }

    /// Calls `body` with the parts of the text between separators.
    package func forEachPart(separatedBy separator: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        guard let first = separator.first else { return body(self) }
        var start = 0
        var index = 0
        while index + separator.count <= count {
            if self[index] == first, separator.indices.allSatisfy({ self[index + $0] == separator[$0] }) {
                body(UnsafeRawBufferPointer(rebasing: self[start..<index]))
                index += separator.count
                start = index
            } else {
                index += 1
            }
        }
        body(UnsafeRawBufferPointer(rebasing: self[start...]))
    }

    /// Returns the text in lower case if it has at most `limit` bytes.
    package func lowercased(upTo limit: Int) -> String? {
        count <= limit ? String(decoding: self, as: UTF8.self).lowercased() : nil
    }
}

extension FieldTemplate {
    /// Appends the text of the template. `appendColumn` appends the text of the column with a number in ``columns``,
    /// without white space around it.
    ///
    /// An empty column vanishes together with the text around it. If several texts remain between two columns that are
    /// not empty, the first stays.
    public func append(to buffer: ByteBuffer, _ appendColumn: (_ column: Int, _ buffer: ByteBuffer) -> Void) {
        let start = buffer.count
        var pending: String?
        var column = 0
        var isAfterValue = false
        for (index, part) in parts.enumerated() {
            switch part {
            case .text(let text):
                if index == parts.count - 1 {
                    if isAfterValue || column == 0 { buffer.append(utf8: text) }
                } else if index == 0 || (pending == nil && buffer.count > start) {
                    pending = text
                }
            case .column:
                let end = buffer.count
                if let pending { buffer.append(utf8: pending) }
                let begin = buffer.count
                appendColumn(column, buffer)
                isAfterValue = buffer.count > begin
                if isAfterValue { pending = nil } else { buffer.truncate(to: end) }
                column += 1
            }
        }
    }
}
