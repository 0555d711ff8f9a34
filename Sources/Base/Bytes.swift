/// Bytes of somebody else, lent for the time of a call: the compiler sees to it that they are not kept, and each index
/// is checked. Indexes start at 0, also in parts.
public typealias Bytes = Span<UInt8>

extension Span<UInt8> {
    @inlinable public subscript(slice: ByteSlice) -> Bytes {
        @_lifetime(copy self) get { extracting(slice.range) }
    }

    @inlinable public subscript(range: some RangeExpression<Int>) -> Bytes {
        @_lifetime(copy self) get { extracting(range.relative(to: indices)) }
    }

    @inlinable public var first: UInt8? { isEmpty ? nil : self[0] }

    /// The offset of the first byte for which `isWanted`, at `start` or later.
    @inlinable public func firstIndex(from start: Int = 0, where isWanted: (UInt8) -> Bool) -> Int? {
        var index = start
        while index < count {
            if isWanted(self[index]) { return index }
            index += 1
        }
        return nil
    }

    /// The offset of the last byte for which `isWanted`.
    @inlinable public func lastIndex(where isWanted: (UInt8) -> Bool) -> Int? {
        var index = count
        while index > 0 {
            index -= 1
            if isWanted(self[index]) { return index }
        }
        return nil
    }

    @inlinable public func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        withUnsafeBytes { $0.offset(of: byte, from: start) }
    }

    /// The offset of the first `text`, which is not empty, at `start` or later.
    @inlinable public func firstIndex(of text: Bytes, from start: Int = 0) -> Int? {
        withUnsafeBytes { bytes in text.withUnsafeBytes { bytes.offset(of: $0, from: start) } }
    }

    public func firstIndex(of text: StaticString) -> Int? { firstIndex(of: text.bytes) }

    @inlinable public func lastIndex(of byte: UInt8) -> Int? { lastIndex { $0 == byte } }
    @inlinable public func contains(_ byte: UInt8) -> Bool { firstIndex(of: byte) != nil }
    @inlinable public func allSatisfy(_ isGood: (UInt8) -> Bool) -> Bool { firstIndex { !isGood($0) } == nil }

    /// The bytes before the first one for which not `isWanted`.
    @_lifetime(copy self)
    @inlinable public func prefix(while isWanted: (UInt8) -> Bool) -> Bytes {
        extracting(0..<(firstIndex { !isWanted($0) } ?? count))
    }

    /// The bytes from the first one on for which not `isDropped`.
    @_lifetime(copy self)
    @inlinable public func drop(while isDropped: (UInt8) -> Bool) -> Bytes {
        extracting((firstIndex { !isDropped($0) } ?? count)...)
    }

    /// The bytes but for the first `number`, or none.
    @_lifetime(copy self)
    @inlinable public func dropFirst(_ number: Int = 1) -> Bytes { extracting(Swift.min(number, count)...) }
}

extension Span<UInt8> {
    /// Whether these bytes are exactly `text`.
    @inlinable public func equals(_ text: StaticString) -> Bool { withUnsafeBytes { $0.equals(text) } }

    @inlinable public func equals(_ other: Bytes) -> Bool {
        withUnsafeBytes { one in other.withUnsafeBytes { one.equals($0) } }
    }

    /// Whether these bytes equal `text`, which is in lower case, in any case.
    @inlinable public func equals(ignoringCase text: StaticString) -> Bool {
        withUnsafeBytes { $0.equals(ignoringCase: text) }
    }

    public func starts(with text: StaticString) -> Bool { withUnsafeBytes { $0.starts(with: text) } }

    public func ends(with text: StaticString) -> Bool { withUnsafeBytes { $0.removingSuffix(text) != nil } }

    /// The bytes after `prefix`, or `nil` if these bytes do not start with it.
    @_lifetime(copy self)
    public func removingPrefix(_ prefix: StaticString) -> Bytes? {
        guard starts(with: prefix) else { return nil }
        return extracting(prefix.utf8CodeUnitCount...)
    }

    @_lifetime(copy self)
    public func removingPrefix(_ prefix: String) -> Bytes? {
        guard withUnsafeBytes({ $0.starts(with: prefix.utf8) }) else { return nil }
        return extracting(prefix.utf8.count...)
    }

    /// The bytes before `suffix`, or `nil` if these bytes do not end with it.
    @_lifetime(copy self)
    public func removingSuffix(_ suffix: StaticString) -> Bytes? {
        guard ends(with: suffix) else { return nil }
        return extracting(..<(count - suffix.utf8CodeUnitCount))
    }

    /// The scalar at `index`, which moves behind it; `nil` if it is ill-formed.
    public func scalar(at index: inout Int) -> Unicode.Scalar? {
        withUnsafeBytes { $0.utf8Scalar(at: &index) }
    }

    /// Whether these bytes are an absolute http or https URL that can stand in a link unchanged.
    public var isWebURL: Bool { withUnsafeBytes { $0.isWebURL } }
}

extension String {
    /// Decodes `bytes`; invalid UTF-8 becomes U+FFFD.
    @inlinable public init(_ bytes: Bytes) {
        self = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls `body` with the text as UTF-8. Not a property: the bytes of a short text would be those of a copy of it,
    /// which is gone when the property has returned (seen with Swift 6.3.1).
    @inlinable public func withUTF8Bytes<Result>(_ body: (Bytes) throws -> Result) rethrows -> Result {
        var text = self
        return try text.withUTF8 { try body($0.span) }
    }
}

extension Optional<Bytes> {
    /// No bytes instead of `nil`.
    @inlinable public var orEmpty: Bytes {
        @_lifetime(copy self) get {
            if let bytes = self { return bytes }
            return Bytes()
        }
    }
}

extension String {
    /// Decodes `bytes`; `nil` if they are not UTF-8.
    public init?(validating bytes: Bytes) {
        guard let text = bytes.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) else { return nil }
        self = text
    }
}

extension [UInt8] {
    /// Calls `body` with these bytes.
    @inlinable public func withBytes<Result>(_ body: (Bytes) throws -> Result) rethrows -> Result { try body(span) }

    /// Copies `bytes`.
    @inlinable public init(_ bytes: Bytes) { self = bytes.withUnsafeBytes { [UInt8]($0) } }

    @inlinable public mutating func append(_ bytes: Bytes) { bytes.withUnsafeBytes { append(contentsOf: $0) } }
}

extension FixedWidthInteger {
    /// See ``init(decimalDigits:)``.
    @inlinable public init?(decimalDigits bytes: Bytes) {
        guard let number = bytes.withUnsafeBytes({ Self(decimalDigits: $0) }) else { return nil }
        self = number
    }
}

extension StaticString {
    /// The text as UTF-8, which stays for the life of the process.
    @inlinable public var bytes: Bytes {
        @_lifetime(immortal) get {
            _overrideLifetime(UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount).span, copying: ())
        }
    }
}

extension Hasher {
    @inlinable public mutating func combine(_ bytes: Bytes) { bytes.withUnsafeBytes { combine(bytes: $0) } }
}

extension Array {
    /// Whether this is the same memory as `other`: equal, without a look at the elements.
    @inlinable public func hasSameMemory(as other: Self) -> Bool { span.isIdentical(to: other.span) }
}

/// A value of a class that belongs to one thread at a time, without the check of each access.
///
/// Only for code that runs for every request or person, where no access lasts while other code runs that comes back to
/// the value: a call of a method that changes it must not.
@safe public final class OwnedValue<Value> {
    // Unchecked exclusivity: a value belongs to one thread at a time. Its owner may use it only in accesses that end
    // before other code comes back to it.
    @exclusivity(unchecked) @usableFromInline var stored: Value

    @inlinable public init(_ value: Value) { stored = value }

    @inlinable public var value: Value {
        _read { yield stored }
        _modify { yield &stored }
    }
}

extension SipHash {
    public static func hash(_ bytes: Bytes, key: (UInt64, UInt64)) -> UInt64 {
        bytes.withUnsafeBytes { hash($0, key: key) }
    }
}
