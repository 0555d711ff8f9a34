/// Bytes as spans, whose life and bounds the compiler checks, for modules without unsafe code. While a `body` has the
/// bytes of a buffer, that buffer must not grow, which is checked where it would.
extension ByteBuffer {
    /// Calls `body` with the bytes so far.
    @inlinable public func withBytes<Result>(_ body: (Bytes) throws -> Result) rethrows -> Result {
        lentCount &+= 1
        defer { lentCount &-= 1 }
        return try body(bytes.assumingMemoryBound(to: UInt8.self).span)
    }

    @inlinable public func append(_ bytes: Bytes) { bytes.withUnsafeBytes { append($0) } }

    @inlinable public func append(_ other: ByteBuffer) { append(other.bytes) }

    /// See ``append(percentEncoding:)``.
    @inlinable public func append(percentEncoding other: ByteBuffer) { append(percentEncoding: other.bytes) }

    @inlinable public func contains(_ byte: UInt8) -> Bool { bytes.offset(of: byte) != nil }

    @inlinable public func equals(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { self.bytes.equals($0) } }

    /// See ``append(counted:)``.
    @inlinable public func append(counted bytes: Bytes) { bytes.withUnsafeBytes { append(counted: $0) } }

    /// The bytes as text; `nil` if they are not UTF-8.
    public var text: String? { String(validating: bytes, as: UTF8.self) }

    /// See ``append(percentEncoding:)``.
    @inlinable public func append(percentEncoding bytes: Bytes) {
        bytes.withUnsafeBytes { append(percentEncoding: $0) }
    }

    /// Calls `body` with the bytes so far and ``padding`` others behind them, of any value.
    @inlinable public func withPaddedBytes<Result>(_ body: (Bytes) throws -> Result) rethrows -> Result {
        reserve(Self.padding)
        lentCount &+= 1
        defer { lentCount &-= 1 }
        let padded = UnsafeRawBufferPointer(start: base, count: count + Self.padding)
        return try body(padded.assumingMemoryBound(to: UInt8.self).span)
    }

    /// See ``append(padded:_:)``.
    @inlinable public func append(padded bytes: Bytes, _ slice: ByteSlice) {
        bytes.withUnsafeBytes { append(padded: $0, slice) }
    }
}
