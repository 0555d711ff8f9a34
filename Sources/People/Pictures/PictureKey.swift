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

    public init(of picture: MadePicture, secret: (UInt64, UInt64)) {
        let buffer = ByteBuffer(capacity: PictureSize.allCases.reduce(32) { $0 + picture[$1].count })
        for size in PictureSize.allCases {
            // The length keeps the sizes apart.
            picture[size].withUnsafeBytes { buffer.append(counted: $0) }
        }
        let hash = SipHash.hash(buffer.bytes, key: secret) >> 1
        number = max(1, Int64(bitPattern: hash & ~15 | UInt64(picture.hue.byte)))
    }

    /// The colour of what stands behind the person.
    public var hue: PictureHue { PictureHue(byte: UInt8(number & 15)) ?? .grey }

    /// Reads the text of a key: exactly 16 hexadecimal digits in lower case. Returns `nil` for other texts.
    init?(_ text: Bytes) {
        guard text.count == Self.digits, let number = text.withUnsafeBytes({ UInt64(lowercaseHexadecimal: $0) }) else {
            return nil
        }
        self.init(Int64(bitPattern: number))
    }

    static let digits = 16
}

extension PictureKey: CustomStringConvertible {
    public var description: String { String(writing: { $0.append(self) }) }
}

extension ByteBuffer {
    public func append(_ key: PictureKey) {
        append(hexadecimal: UInt64(bitPattern: key.number), digits: PictureKey.digits)
    }
}

/// A size in which each picture is kept. The names are those of the parts of `MadePicture`, and of their columns in
/// stores.
public enum PictureSize: String, CaseIterable, Sendable {
    /// 96 px WebP: lists, where a picture takes 48 CSS px.
    case small
    /// 256 px JPEG: the grid, `og:image` and the APIs. Slack and mail programs show no WebP.
    case medium
    /// 512 px JPEG: the photo view, and portraits on screens of double density.
    case large

    private var form: (pixels: Int, maxBytes: Int, mediaType: StaticString, suffix: StaticString) {
        switch self {
        case .small: (96, 32 << 10, "image/webp", ".webp")
        case .medium: (256, 32 << 10, "image/jpeg", ".jpg")
        case .large: (512, 128 << 10, "image/jpeg", "-512.jpg")
        }
    }

    /// The longest side in pixels. A smaller original keeps its size.
    public var pixels: Int { form.pixels }
    public var maxBytes: Int { form.maxBytes }
    public var mediaType: StaticString { form.mediaType }
    /// The end of an address with this size.
    var suffix: StaticString { form.suffix }
}

/// A format of pictures that browsers show, recognized by its first bytes.
public enum PictureType: String, Sendable {
    case jpeg, png, webp

    public static let markBytes = 12

    /// Returns the type of the picture that begins with `start`; `nil` if it is not a picture.
    public init?(of start: some Collection<UInt8>) {
        if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if start.starts(with: "RIFF".utf8), start.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }
}

public struct PictureTotals: Equatable, Sendable {
    public var pictures: Int
    /// The size of the file that has them, in bytes.
    public var bytes: Int64

    public init(pictures: Int = 0, bytes: Int64 = 0) {
        self.pictures = pictures
        self.bytes = bytes
    }
}

public struct PictureCounts: Equatable, Sendable {
    public var pictures: Int
    /// Those among them whose picture is a photo of the publisher's own.
    public var own: Int

    public init(pictures: Int = 0, own: Int = 0) {
        self.pictures = pictures
        self.own = own
    }
}
