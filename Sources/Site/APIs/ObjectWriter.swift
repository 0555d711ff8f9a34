import Base
import People

/// Writes the members of one JSON object, in the order in which they are added.
struct ObjectWriter {
    let buffer: ByteBuffer
    private var isFirst = true

    init(_ buffer: ByteBuffer) {
        self.buffer = buffer
        buffer.append("{")
    }

    /// Begins a member. The caller appends the value.
    mutating func start(_ key: StaticString) { start(key.bytes) }

    /// Begins a member with a key that is escaped already.
    mutating func start(_ key: JSON.LentString) { start(key.raw) }

    /// Begins a member with any key.
    mutating func start(escaping key: String) {
        if !isFirst { buffer.append(",") }
        isFirst = false
        buffer.append(jsonString: key)
        buffer.append(":")
    }

    private mutating func start(_ key: Bytes) {
        buffer.append(key: key, isFirst: isFirst)
        isFirst = false
    }

    /// Adds a text, or null if it is empty.
    mutating func add(_ key: StaticString, text: Bytes) {
        start(key)
        if text.isEmpty { buffer.append("null") } else { buffer.append(jsonString: text) }
    }

    /// Adds a text, which may be empty, or null.
    mutating func add(_ key: StaticString, string: String?) {
        start(key)
        if let string { buffer.append(jsonString: string) } else { buffer.append("null") }
    }

    mutating func add(_ key: StaticString, number: Int64?) {
        start(key)
        if let number { buffer.append(decimal: number) } else { buffer.append("null") }
    }

    mutating func add(_ key: StaticString, flag: Bool) { add(key, json: flag ? "true" : "false") }

    /// Adds a value that is JSON.
    mutating func add(_ key: StaticString, json: StaticString) {
        start(key)
        buffer.append(json)
    }

    mutating func add(_ key: JSON.LentString, _ value: JSON.LentValue) {
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

    /// Adds the URL of the page before or after this one, or null.
    mutating func add(_ key: StaticString, if exists: Bool, address: (ByteBuffer) -> Void) {
        if exists { add(key, address: address) } else { add(key, json: "null") }
    }

    /// Adds an object, whose members `addMembers` adds.
    mutating func addObject(_ key: StaticString, _ addMembers: (inout ObjectWriter) -> Void) {
        start(key)
        var object = ObjectWriter(buffer)
        addMembers(&object)
        object.close()
    }

    /// Adds an array with an object for each of `elements`, whose members `addMembers` adds.
    mutating func addObjects<Element>(
        _ key: StaticString, of elements: some Collection<Element>,
        _ addMembers: (Element, inout ObjectWriter) -> Void
    ) {
        start(key)
        buffer.append(array: elements) { element, buffer in
            var object = ObjectWriter(buffer)
            addMembers(element, &object)
            object.close()
        }
    }

    func close() { buffer.append("}") }
}

extension ByteBuffer {
    /// Appends a JSON array of what `write` appends for each element.
    func append<Element>(array elements: some Collection<Element>, _ write: (Element, ByteBuffer) -> Void) {
        append("[")
        for (number, element) in elements.enumerated() {
            if number > 0 { append(",") }
            write(element, self)
        }
        append("]")
    }

    /// Appends a JSON array of what `write` appends for each of a directory's people.
    func append(_ users: UserRows, of directory: Directory, _ write: (Profile) -> Void) {
        append("[")
        directory.settings.makeReader().forEachProfile(of: users) { index, person in
            if index > 0 { append(",") }
            write(person)
        }
        append("]")
    }
}

extension JSON.Members {
    /// The text of a member that is a string, or an object with a name, such as the location of a character; else
    /// `nil`.
    @_lifetime(copy self)
    func text(_ key: StaticString) -> JSON.LentString? {
        guard let value = self[key] else { return nil }
        if let text = value.string { return text }
        guard value.kind == .object, let name = JSON.Members(of: value.raw)["name"] else { return nil }
        return name.string
    }
}
