import Bytes
import JSON

/// Writes the members of one JSON object, in the order they are added.
struct ObjectWriter {
    let buffer: ByteBuffer
    private var isFirst = true

    init(_ buffer: ByteBuffer) {
        self.buffer = buffer
        buffer.append("{")
    }

    /// Begins a member; whoever calls appends the value.
    mutating func start(_ key: StaticString) {
        buffer.append(isFirst ? "\"" : ",\"")
        isFirst = false
        buffer.append(key)
        buffer.append("\":")
    }

    /// The same with a key as it stands in the text that it came in.
    mutating func start(_ key: JSONString) {
        buffer.append(isFirst ? "\"" : ",\"")
        isFirst = false
        buffer.append(key.raw)
        buffer.append("\":")
    }

    /// Adds a text, or null where there is none.
    mutating func add(_ key: StaticString, text: UnsafeRawBufferPointer) {
        start(key)
        if text.isEmpty { buffer.append("null") } else { buffer.append(jsonString: text) }
    }

    mutating func add(_ key: StaticString, number: Int64?) {
        start(key)
        if let number { buffer.append(decimal: number) } else { buffer.append("null") }
    }

    /// Adds a value that is JSON already.
    mutating func add(_ key: StaticString, json: StaticString) {
        start(key)
        buffer.append(json)
    }

    mutating func add(_ key: JSONString, _ value: JSONValue) {
        start(key)
        buffer.append(value.raw)
    }

    /// Adds a text that is an address below a known one.
    mutating func add(_ key: StaticString, address: (ByteBuffer) -> Void) {
        start(key)
        buffer.append("\"")
        address(buffer)
        buffer.append("\"")
    }

    func close() { buffer.append("}") }
}

/// What a source gave beside the columns: the members of an object, in order. Valid as long as its bytes.
struct ExtraFields {
    private(set) var all: [(key: JSONString, value: JSONValue)] = []

    init(_ more: UnsafeRawBufferPointer) {
        guard !more.isEmpty else { return }
        var all = all
        // What is in the database was checked when it came in; a foreign row that is no object has just no members.
        try? JSON.forEachMember(of: more) { all.append(($0, $1)) }
        self.all = all
    }

    subscript(key: StaticString) -> JSONValue? { all.first { $0.key.equals(key) }?.value }

    /// A member that is a text, or an object with a name, as characters have their places: what it says; `nil` for others.
    func text(_ key: StaticString) -> JSONString? {
        guard let value = self[key] else { return nil }
        if let text = value.string { return text }
        guard value.kind == .object else { return nil }
        return ExtraFields(value.raw)["name"]?.string
    }
}
