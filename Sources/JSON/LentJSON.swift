import Base

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
        public var isNull: Bool { value.isNull }
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
        /// Appends the decoded text as UTF-8.
        public func append(to buffer: ByteBuffer) { string.append(to: buffer) }
    }
}
