import Base

/// The place of a request in a trace: the ids of the trace and of the span that sent the request, from `traceparent`
/// (W3C Trace Context, version 00).
public struct TraceParent: Equatable, Sendable {
    private var trace: (high: UInt64, low: UInt64)
    private var span: UInt64

    /// Reads `00-TRACE-SPAN-FLAGS`, in lower case. Returns `nil` for anything else, and for ids of zeros (§3.2.2).
    public init?(_ value: UnsafeRawBufferPointer) {
        guard value.count == 55, value[0] == UInt8(ascii: "0"), value[1] == UInt8(ascii: "0"),
            [2, 35, 52].allSatisfy({ value[$0] == UInt8(ascii: "-") }),
            let high = Self.number(value, 3..<19), let low = Self.number(value, 19..<35),
            let span = Self.number(value, 36..<52), Self.number(value, 53..<55) != nil,
            high | low != 0, span != 0
        else { return nil }
        (trace, self.span) = ((high, low), span)
    }

    private static func number(_ value: UnsafeRawBufferPointer, _ place: Range<Int>) -> UInt64? {
        var number: UInt64 = 0
        for byte in value[place] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }

    /// Appends the id of the trace, 32 digits.
    public func appendTrace(to buffer: ByteBuffer) {
        buffer.append(hexadecimal: trace.high)
        buffer.append(hexadecimal: trace.low)
    }

    /// Appends the id of the span, 16 digits.
    public func appendSpan(to buffer: ByteBuffer) { buffer.append(hexadecimal: span) }

    public static func == (one: TraceParent, other: TraceParent) -> Bool {
        one.trace == other.trace && one.span == other.span
    }
}

/// The rule for `X-Request-Id`: 1 to 128 letters, digits and `-._~:+/=@`. Proxies and tracing systems use no other
/// characters, and none of these can end a log line or a header field.
extension UnsafeRawBufferPointer {
    var isRequestID: Bool {
        (1...128).contains(count)
            && allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ":"),
                    UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "@"):
                    true
                default: byte.isDigit || byte.isLetter
                }
            }
    }
}
