import Base

/// The name of a stored picture: 63 bits that depend on all bytes of the picture and on a secret of the database. The
/// last four are the picture's hue.
///
/// Equal pictures of one database have one key. Nobody can tell from the keys of two databases whether they have the
/// same picture.
public struct PictureKey: Hashable, Sendable {
    /// Positive.
    public let number: Int64

    /// Returns `nil` unless `number` is positive.
    public init?(_ number: Int64) {
        guard number > 0 else { return nil }
        self.number = number
    }

    /// The key of `picture` under `secret`.
    public init(of picture: MadePicture, secret: (UInt64, UInt64)) {
        let buffer = ByteBuffer(capacity: PictureSize.allCases.reduce(32) { $0 + picture[$1].count })
        for size in PictureSize.allCases {
            // The length keeps the sizes apart.
            picture[size].withUnsafeBytes { buffer.append(counted: $0) }
        }
        let hash = SipHash.hash(buffer.bytes, key: secret) >> 1
        number = max(1, Int64(bitPattern: hash & ~15 | picture.hue.bits))
    }

    /// The colour of what stands behind the person.
    public var hue: PictureHue { PictureHue(bits: UInt64(bitPattern: number) & 15) }

    /// Reads the text of a key: exactly 16 hexadecimal digits in lower case. Returns `nil` for other texts.
    public init?(_ text: UnsafeRawBufferPointer) {
        guard text.count == Self.digits else { return nil }
        var number: UInt64 = 0
        for byte in text {
            switch byte {
            case 48...57: number = number << 4 | UInt64(byte - 48)
            case 97...102: number = number << 4 | UInt64(byte - 87)
            default: return nil
            }
        }
        self.init(Int64(bitPattern: number))
    }

    static let digits = 16
}

extension PictureKey: CustomStringConvertible {
    public var description: String {
        let buffer = ByteBuffer(capacity: Self.digits)
        buffer.append(self)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}

extension ByteBuffer {
    /// Appends the 16 hexadecimal digits of a key.
    public func append(_ key: PictureKey) {
        append(hexadecimal: UInt64(bitPattern: key.number), digits: PictureKey.digits)
    }
}
