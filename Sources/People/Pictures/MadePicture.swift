import Base

/// A picture in all sizes, as it is stored and served.
public struct MadePicture: Equatable, Sendable {
    public let small: [UInt8]
    public let medium: [UInt8]
    public let large: [UInt8]
    /// The colour of what stands behind the person.
    public let hue: PictureHue

    /// Throws unless each size is within its limit and begins as a file of its type.
    public init(
        small: [UInt8], medium: [UInt8], large: [UInt8], hue: PictureHue = .grey
    ) throws(RollcallError) {
        (self.small, self.medium, self.large, self.hue) = (small, medium, large, hue)
        for size in PictureSize.allCases {
            guard let flaw = size.flaw(of: self[size]) else { continue }
            throw RollcallError("expected \(flaw.expected) at \(size.pixels) px, found \(flaw.found)")
        }
    }

    public subscript(size: PictureSize) -> [UInt8] {
        switch size {
        case .small: small
        case .medium: medium
        case .large: large
        }
    }
}

extension PictureSize {
    fileprivate func flaw(of bytes: [UInt8]) -> (expected: String, found: String)? {
        if bytes.count > maxBytes { return ("a picture of at most \(maxBytes) bytes", "\(bytes.count)") }
        let isRight =
            switch self {
            case .small: bytes.count > PictureType.markBytes && PictureType(of: bytes) == .webp
            case .medium, .large: PictureType(of: bytes) == .jpeg
            }
        return isRight ? nil : ("\(mediaType)", "other bytes")
    }
}

public enum PictureLimits {
    /// The longest file in bytes: 32 MiB, more than cameras write.
    public static let maxInputBytes = 32 << 20
    /// The longest file that is fetched from a server.
    public static let maxFetchedBytes = 4 << 20
    /// The most pixels of an original: 4,096 × 4,096. As RGBA they take 64 MiB.
    public static let maxPixels = 1 << 24
    /// The most pixels of a JPEG, which is shrunk while it is decoded.
    public static let maxJPEGPixels = 50_000_000
    /// The most scans of a progressive JPEG. Encoders write about ten; each one costs a pass over the whole image.
    public static let maxScans = 32
}
