/// Bytes as spans, whose life and bounds the compiler checks, for modules without unsafe code. A `body` must not change
/// the buffer that its span is of.
extension ByteBuffer {
    /// Calls `body` with the bytes so far.
    @inlinable public func withBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try body(bytes.assumingMemoryBound(to: UInt8.self).span)
    }

    /// Calls `body` with the bytes so far and ``padding`` others behind them, of any value.
    @inlinable public func withPaddedBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        reserve(Self.padding)
        let padded = UnsafeRawBufferPointer(start: base, count: count + Self.padding)
        return try body(padded.assumingMemoryBound(to: UInt8.self).span)
    }

    /// See ``append(padded:_:)``.
    @inlinable public func append(padded bytes: Span<UInt8>, _ slice: ByteSlice) {
        bytes.withUnsafeBytes { append(padded: $0, slice) }
    }

    /// See ``append(escapingHTML:padded:)``.
    @inlinable public func append(escapingHTML bytes: Span<UInt8>, padded slice: ByteSlice) {
        bytes.withUnsafeBytes { append(escapingHTML: $0, padded: slice) }
    }

    /// Appends a part of `bytes` as ``append(markup:)`` does.
    @inlinable public func append(markup bytes: Span<UInt8>, _ slice: ByteSlice) {
        bytes.extracting(slice.range).withUnsafeBytes { append(markup: $0) }
    }
}
