import Base
import JSON

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
