/// Finds the end of a request's body (RFC 9112 §6.2, §7.1) and discards the content: no resource accepts a body.
///
/// Feed it the bytes after the head as they arrive; how they were split makes no difference.
public struct BodyReader: Equatable, Sendable {
    public enum Progress: Equatable, Sendable {
        /// All bytes were consumed, and the body continues.
        case needsMoreBytes
        /// The body ended with byte number `consumed` of these.
        case done(consumed: Int)
        case rejected(RejectedRequest)
    }

    private enum State: Equatable {
        case data, dataEnd, dataLineFeed
        case size, furtherSize, sizeBlank, extensions, sizeLineFeed
        case trailer, trailerName, trailerValue, trailerLineFeed, lastLineFeed
        case done
    }

    /// 64 KiB: enough for a form, although no resource accepts one. A longer body gets 413.
    public static let defaultMaxBytes = 64 * 1024
    /// Chunk extensions and trailers are limited, too (RFC 9112 §7.1.1): to the size of a head.
    private static let maxOverheadBytes = 16 * 1024

    private let isChunked: Bool
    private let maxBytes: Int
    private var state: State
    /// The number of bytes of this body, or of this chunk, that have not arrived yet.
    private var remaining: Int
    private var total = 0
    private var overhead = 0
    /// Why the body is rejected. It is set from the start if the head declares a length above the limit.
    public private(set) var rejection: RejectedRequest?

    public init(_ framing: RequestHead.Framing, maxBytes: Int = BodyReader.defaultMaxBytes) {
        self.maxBytes = maxBytes
        switch framing {
        case .none: (isChunked, state, remaining) = (false, .done, 0)
        case .length(let length): (isChunked, state, remaining) = (false, length == 0 ? .done : .data, length)
        case .chunked: (isChunked, state, remaining) = (true, .size, 0)
        }
        if remaining > maxBytes { rejection = tooLarge }
    }

    /// Consumes the next bytes.
    public mutating func read(_ bytes: UnsafeRawBufferPointer) -> Progress {
        var index = 0
        while rejection == nil, state != .done, index < bytes.count {
            if state == .data {
                let count = min(remaining, bytes.count - index)
                remaining -= count
                index += count
                if remaining == 0 { state = isChunked ? .dataEnd : .done }
            } else {
                take(bytes[index])
                index += 1
            }
        }
        if let rejection { return .rejected(rejection) }
        return state == .done ? .done(consumed: index) : .needsMoreBytes
    }

    private var tooLarge: RejectedRequest {
        RejectedRequest(.contentTooLarge, "The request's body is longer than \(maxBytes) bytes.")
    }

    private mutating func refuse(_ reason: String) { rejection = RejectedRequest(.badRequest, reason) }

    /// Consumes one byte of the framing around the chunks.
    private mutating func take(_ byte: UInt8) {
        switch state {
        case .dataEnd: expect(.carriageReturn, byte, then: .dataLineFeed, "A chunk must end in CR LF after its size.")
        case .dataLineFeed: expect(.lineFeed, byte, then: .size, "A chunk must end in CR LF after its size.")
        case .size, .furtherSize: takeSize(byte)
        case .sizeBlank: takeBlank(byte)
        case .extensions: takeExtension(byte)
        case .sizeLineFeed:
            expect(.lineFeed, byte, then: remaining == 0 ? .trailer : .data, "A chunk size must end in CR LF.")
        case .trailer, .trailerName, .trailerValue: takeTrailer(byte)
        case .trailerLineFeed: expect(.lineFeed, byte, then: .trailer, "A trailer must end in CR LF.")
        case .lastLineFeed: expect(.lineFeed, byte, then: .done, "The last chunk must end in CR LF.")
        case .data, .done: break
        }
    }

    private mutating func expect(_ wanted: UInt8, _ byte: UInt8, then next: State, _ reason: String) {
        if byte == wanted { state = next } else { refuse(reason) }
    }

    private mutating func takeSize(_ byte: UInt8) {
        if let digit = byte.hexadecimalValue {
            // The number must not overflow: that is a classic attack. Leading zeros add nothing, and their number is
            // limited.
            if remaining >> 58 != 0 { return refuse("A chunk size must be a number of bytes.") }
            if remaining == 0, digit == 0 { count() }
            state = .furtherSize
            remaining = remaining << 4 | Int(digit)
            return
        }
        guard state == .furtherSize else { return refuse("A chunk must start with its size.") }
        if remaining > maxBytes - total {
            rejection = tooLarge
            return
        }
        total += remaining
        takeAfterSize(byte)
    }

    private mutating func takeAfterSize(_ byte: UInt8) {
        switch byte {
        case .carriageReturn: state = .sizeLineFeed
        case UInt8(ascii: ";"): state = .extensions
        case .space, .tab: state = .sizeBlank
        default: refuse("A chunk size must be hexadecimal and end in CR LF.")
        }
    }

    /// White space after the size is allowed only before an extension (RFC 9112 §7.1.1).
    private mutating func takeBlank(_ byte: UInt8) {
        count()
        if byte == .carriageReturn { return refuse("A chunk size must be followed by CR LF.") }
        takeAfterSize(byte)
    }

    private mutating func takeExtension(_ byte: UInt8) {
        count()
        if byte == .carriageReturn {
            state = .sizeLineFeed
        } else if !byte.isFieldCharacter {
            refuse("A chunk extension must not hold control characters.")
        }
    }

    /// Trailers (RFC 9112 §7.1.2) are parsed by the rules of header fields, and ignored.
    private mutating func takeTrailer(_ byte: UInt8) {
        count()
        switch (state, byte) {
        case (.trailer, .carriageReturn): state = .lastLineFeed
        case (.trailerValue, .carriageReturn): state = .trailerLineFeed
        case (.trailerName, UInt8(ascii: ":")): state = .trailerValue
        case (.trailer, _) where byte.isTokenCharacter: state = .trailerName
        case (.trailerName, _) where byte.isTokenCharacter: break
        case (.trailerValue, _) where byte.isFieldCharacter: break
        default: refuse("A trailer must be a name, a colon and a value.")
        }
    }

    private mutating func count() {
        overhead += 1
        if overhead > Self.maxOverheadBytes, rejection == nil {
            rejection = RejectedRequest(
                .requestHeaderFieldsTooLarge, "The body's extensions and trailers are too long.")
        }
    }
}
