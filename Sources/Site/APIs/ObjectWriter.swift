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
        start(UnsafeRawBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
    }

    /// Begins a member with a key that is escaped already.
    mutating func start(_ key: JSONString) { start(key.raw) }

    private mutating func start(_ key: UnsafeRawBufferPointer) {
        buffer.append(upTo: key.count + 4) { room in
            room[0] = UInt8(ascii: ",")
            let start = isFirst ? 0 : 1
            room[start] = UInt8(ascii: "\"")
            let end = start + 1 + key.count
            UnsafeMutableRawBufferPointer(rebasing: room[(start + 1)..<end]).copyMemory(from: key)
            room[end] = UInt8(ascii: "\"")
            room[end + 1] = UInt8(ascii: ":")
            return end + 2
        }
        isFirst = false
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
        buffer.append(UInt8(ascii: "\""))
        address(buffer)
        buffer.append(UInt8(ascii: "\""))
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

    /// Removes the member `key`, and returns its value.
    mutating func take(_ key: StaticString) -> JSONValue? {
        all.firstIndex { $0.key.equals(key) }.map { all.remove(at: $0).value }
    }

    /// The text of a member that is a string, or an object with a name, such as the location of a character; else
    /// `nil`.
    func text(_ key: StaticString) -> JSONString? {
        guard let value = self[key] else { return nil }
        if let text = value.string { return text }
        guard value.kind == .object else { return nil }
        return ExtraFields(value.raw)["name"]?.string
    }
}
