import Base

/// Writes the members of objects inside a file's JSON records as columns of their own, named by their paths.
///
/// ```
/// {"name": {"givenName": "Ada"}, "addresses": [{"city": "Bonn"}]}
/// {"name.givenName": "Ada", "addresses/0/city": "Bonn"}
/// ```
///
/// A list of texts stays a list, and what is beyond the limits stays one value. A text instead of an object is a name.
/// The records of sources with a layout of their own, such as Rollcall's exports, stay as they are; the first record
/// decides that for the file.
struct NestedRecord {
    /// The number of objects around a column.
    private static let maxDepth = 4
    /// A longer list of objects would give more columns than readers want to see.
    private static let maxElements = 8
    /// The bytes of a path.
    private static let maxPathBytes = 256

    private var isOfKnownSource: Bool?
    private let path = ByteBuffer(capacity: 64)
    private let text = ByteBuffer(capacity: 1024)

    /// Returns the text of a record without objects inside it, valid until the next call, or the text as it is if there
    /// are none. Text that is not JSON stays as it is, too: the decoder says why.
    mutating func flat(_ record: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        if record.first == UInt8(ascii: "\"") { return named(record) }
        let object = UInt8(ascii: "{")
        do {
            let isKnown = try isOfKnownSource ?? Self.isOfKnownSource(record)
            isOfKnownSource = isKnown
            guard !isKnown, let start = record.offset(of: object), record.offset(of: object, from: start + 1) != nil
            else {
                return record
            }
            path.removeAll()
            text.removeAll()
            try appendMembers(of: record, depth: 0)
        } catch { return record }
        if text.isEmpty { return record }
        text.append(UInt8(ascii: "}"))
        return text.bytes
    }

    /// Returns the record of a person for a list that has only a name, as a text.
    private func named(_ name: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        text.removeAll()
        text.append("{\"name\":")
        text.append(name)
        text.append(UInt8(ascii: "}"))
        return text.bytes
    }

    private static func isOfKnownSource(_ record: UnsafeRawBufferPointer) throws -> Bool {
        var marks: ColumnMapping.Marks = []
        try JSON.forEachMember(of: record) { key, value in
            marks.note(ColumnNames.marks(of: key.text), isList: value.kind == .array)
        }
        return marks.layout != nil
    }

    private func appendMembers(of object: UnsafeRawBufferPointer, depth: Int) throws {
        let length = path.count
        try JSON.forEachMember(of: object) { key, value in
            defer { path.truncate(to: length) }
            path.append(key.raw)
            guard depth < Self.maxDepth, !key.raw.isEmpty, path.count <= Self.maxPathBytes else {
                return try append(value)
            }
            switch value.kind {
            case .object:
                if depth == 0, let name = Self.nameOfExtension(key.raw) {
                    path.truncate(to: length)
                    path.append(name)
                }
                path.append(UInt8(ascii: "."))
                try appendMembers(of: value.raw, depth: depth + 1)
            case .array:
                let elements = try Self.objects(in: value.raw)
                guard (1...Self.maxElements).contains(elements.count) else { return try append(value) }
                let end = path.count
                for (index, element) in elements.enumerated() {
                    path.truncate(to: end)
                    path.append(utf8: "/\(index)/")
                    try appendMembers(of: element, depth: depth + 1)
                }
            default: try append(value)
            }
        }
    }

    private func append(_ value: JSONValue) throws {
        let count = text.count + path.count + value.raw.count
        try RecordError.expect(count <= RecordLimits.recordBytes, "expected at most 1 MiB, found more")
        text.append(member: path.bytes, value.raw, isFirst: text.isEmpty)
    }

    /// Returns the objects of a list that has nothing else.
    static func objects(in list: UnsafeRawBufferPointer) throws -> [UnsafeRawBufferPointer] {
        guard list.offset(of: UInt8(ascii: "{")) != nil else { return [] }
        var elements: [JSONValue] = []
        try JSON.forEachElement(of: list) { elements.append($0) }
        return elements.allSatisfy { $0.kind == .object } ? elements.map(\.raw) : []
    }

    /// Returns the last part of a URN: RFC 7643 §3.3 calls the object of an extension
    /// `urn:ietf:params:scim:schemas:extension:enterprise:2.0:User`.
    private static func nameOfExtension(_ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard key.starts(with: "urn:".utf8), let colon = key.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        return UnsafeRawBufferPointer(rebasing: key[(colon + 1)...])
    }
}
