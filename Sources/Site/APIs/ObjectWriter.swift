import Base
import JSON

/// Writes the members of one JSON object, in the order in which they are added.
struct ObjectWriter {
    let buffer: ByteBuffer
    private var isFirst = true

    init(_ buffer: ByteBuffer) {
        self.buffer = buffer
        buffer.append("{")
    }

    /// Begins a member. The caller appends the value.
    mutating func start(_ key: StaticString) {
        buffer.append(isFirst ? "\"" : ",\"")
        isFirst = false
        buffer.append(key)
        buffer.append("\":")
    }

    /// Begins a member with a key that is escaped already.
    mutating func start(_ key: JSONString) {
        buffer.append(isFirst ? "\"" : ",\"")
        isFirst = false
        buffer.append(key.raw)
        buffer.append("\":")
    }

    /// Adds a text, or null if it is empty.
    mutating func add(_ key: StaticString, text: UnsafeRawBufferPointer) {
        start(key)
        if text.isEmpty { buffer.append("null") } else { buffer.append(jsonString: text) }
    }

    mutating func add(_ key: StaticString, number: Int64?) {
        start(key)
        if let number { buffer.append(decimal: number) } else { buffer.append("null") }
    }

    /// Adds a value that is JSON.
    mutating func add(_ key: StaticString, json: StaticString) {
        start(key)
        buffer.append(json)
    }

    mutating func add(_ key: JSONString, _ value: JSONValue) {
        start(key)
        buffer.append(value.raw)
    }

    /// Adds a text that needs no escapes, such as a URL.
    mutating func add(_ key: StaticString, address: (ByteBuffer) -> Void) {
        start(key)
        buffer.append("\"")
        address(buffer)
        buffer.append("\"")
    }

    func close() { buffer.append("}") }
}

/// The members of a source's record that have no column, in order. Valid as long as their bytes.
struct ExtraFields {
    private(set) var all: [(key: JSONString, value: JSONValue)] = []

    init(_ more: UnsafeRawBufferPointer) {
        guard !more.isEmpty else { return }
        var all = all
        // Imports check that this is an object. Anything else, in a row of another program, has no members.
        try? JSON.forEachMember(of: more) { all.append(($0, $1)) }
        self.all = all
    }

    subscript(key: StaticString) -> JSONValue? { all.first { $0.key.equals(key) }?.value }

    /// The text of a member that is a string, or an object with a name, such as the location of a character; else
    /// `nil`.
    func text(_ key: StaticString) -> JSONString? {
        guard let value = self[key] else { return nil }
        if let text = value.string { return text }
        guard value.kind == .object else { return nil }
        return ExtraFields(value.raw)["name"]?.string
    }
}
