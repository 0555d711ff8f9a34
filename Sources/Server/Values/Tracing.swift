import Base

/// The place of a request in a trace: the ids of the trace and of the span that sent the request, from `traceparent`
/// (W3C Trace Context, version 00).
public struct TraceParent: Equatable, Sendable {
    private let trace: UInt128
    private let span: UInt64

    /// Reads `00-TRACE-SPAN-FLAGS`, in lower case. Returns `nil` for anything else, and for ids of zeros (§3.2.2).
    public init?(_ value: UnsafeRawBufferPointer) {
        guard value.count == 55, value[0] == UInt8(ascii: "0"), value[1] == UInt8(ascii: "0"),
            [2, 35, 52].allSatisfy({ value[$0] == UInt8(ascii: "-") }),
            let trace = UInt128(lowercaseHexadecimal: value[ByteSlice(3..<35)]),
            let span = UInt64(lowercaseHexadecimal: value[ByteSlice(36..<52)]),
            UInt8(lowercaseHexadecimal: value[ByteSlice(53..<55)]) != nil, trace != 0, span != 0
        else { return nil }
        (self.trace, self.span) = (trace, span)
    }

    /// Appends the id of the trace, 32 digits.
    public func appendTrace(to buffer: ByteBuffer) {
        buffer.append(hexadecimal: UInt64(truncatingIfNeeded: trace >> 64))
        buffer.append(hexadecimal: UInt64(truncatingIfNeeded: trace))
    }

    /// Appends the id of the span, 16 digits.
    public func appendSpan(to buffer: ByteBuffer) { buffer.append(hexadecimal: span) }
}

/// The rule for `X-Request-Id`: 1 to 128 letters, digits and `-._~:+/=@`. Proxies and tracing systems use no other
/// characters, and none of these can end a log line or a header field.
extension UnsafeRawBufferPointer {
    var isRequestID: Bool {
        guard (1...128).contains(count) else { return false }
        return allSatisfy { byte in
            switch byte {
            case UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "@"): true
            default: byte.isUnreserved
            }
        }
    }
}
