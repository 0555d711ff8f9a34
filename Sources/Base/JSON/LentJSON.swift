// The same for modules without unsafe code: the compiler sees to it that no value is kept longer than the text.

extension JSON {
    /// See ``forEachMember(of:_:)``.
    public static func forEachMember(
        of text: Bytes, _ body: (_ key: LentString, _ value: LentValue) throws -> Void
    ) throws {
        try text.withUnsafeBytes { bytes in
            try forEachMember(of: bytes) { try body(LentString($0, of: text), LentValue($1, of: text)) }
        }
    }

    /// See ``forEachElement(of:_:)``.
    public static func forEachElement(of text: Bytes, _ body: (_ element: LentValue) throws -> Void) throws {
        try text.withUnsafeBytes { bytes in try forEachElement(of: bytes) { try body(LentValue($0, of: text)) } }
    }

    /// A value in a text that is lent.
    @safe public struct LentValue: ~Escapable {
        let value: JSONValue

        @_lifetime(copy text)
        init(_ value: JSONValue, of text: Bytes) { self.value = value }

        public var kind: JSONValue.Kind { value.kind }
        public var bool: Bool? { value.bool }
        /// See ``JSONValue/int64``.
        public var int64: Int64? { value.int64 }

        /// The value as written in the text, including a string's quotes.
        public var raw: Bytes {
            @_lifetime(copy self) get { _overrideLifetime(Bytes(_unsafeBytes: value.raw), copying: self) }
        }

        /// The string, or `nil` if the value is not a string.
        public var string: LentString? {
            @_lifetime(copy self) get {
                guard let string = value.string else { return nil }
                return LentString(string, of: raw)
            }
        }
    }

    /// A string in a text that is lent, or a member's key.
    @safe public struct LentString: ~Escapable {
        let string: JSONString

        @_lifetime(copy text)
        init(_ string: JSONString, of text: Bytes) { self.string = string }

        /// The bytes between the quotes.
        public var raw: Bytes {
            @_lifetime(copy self) get { _overrideLifetime(Bytes(_unsafeBytes: string.raw), copying: self) }
        }

        public var hasEscapes: Bool { string.hasEscapes }
        /// Returns whether the string is exactly `text`.
        public func equals(_ text: StaticString) -> Bool { string.equals(text) }
        /// See ``JSONString/text``.
        public var text: String { string.text }
    }
}

extension JSON {
    /// The members of an object in a text that is lent, in order.
    @safe public struct Members: ~Escapable {
        private let text: Bytes
        private var members: [(key: JSONString, value: JSONValue)] = []

        /// The members before the first error; none if `text` is not an object.
        @_lifetime(copy text)
        public init(of text: Bytes) {
            self.text = text
            guard !text.isEmpty else { return }
            var found: [(key: JSONString, value: JSONValue)] = []
            text.withUnsafeBytes { bytes in try? JSON.forEachMember(of: bytes) { found.append(($0, $1)) } }
            members = found
        }

        public var indices: Range<Int> { members.indices }

        @_lifetime(copy self)
        public func key(at index: Int) -> LentString { LentString(members[index].key, of: text) }

        @_lifetime(copy self)
        public func value(at index: Int) -> LentValue { LentValue(members[index].value, of: text) }

        /// The index of the first member with this key.
        public func index(of key: StaticString) -> Int? { indices.first { self.key(at: $0).equals(key) } }

        public func has(_ key: StaticString) -> Bool { index(of: key) != nil }

        public subscript(key: StaticString) -> LentValue? {
            @_lifetime(copy self) get {
                guard let index = index(of: key) else { return nil }
                return value(at: index)
            }
        }

        /// Removes the member `key`, and returns its value.
        @_lifetime(copy self)
        public mutating func take(_ key: StaticString) -> LentValue? {
            guard let index = index(of: key) else { return nil }
            let value = value(at: index)
            members.remove(at: index)
            return value
        }
    }
}

extension ByteBuffer {
    /// Appends the key of a member, which is escaped already, with what stands around it: a comma before all members
    /// but the first, quotes, and the colon.
    public func append(key: Bytes, isFirst: Bool) {
        append(upTo: key.count + 4) { room in
            room[0] = UInt8(ascii: ",")
            let start = isFirst ? 0 : 1
            room[start] = UInt8(ascii: "\"")
            let end = start + 1 + key.count
            key.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: room[(start + 1)..<end]).copyMemory(from: $0)
            }
            room[end] = UInt8(ascii: "\"")
            room[end + 1] = UInt8(ascii: ":")
            return end + 2
        }
    }

    /// See ``append(jsonString:)``.
    public func append(jsonString text: Bytes) { text.withUnsafeBytes { append(jsonString: $0) } }

    /// See ``append(jsonString:)``.
    public func append(jsonString text: ByteBuffer) { append(jsonString: text.bytes) }
}
