/// A size in which each picture is kept. The names are those of the parts of `MadePicture`.
public enum PictureSize: CaseIterable, Sendable {
    /// 96 px WebP: lists, where a picture takes 48 CSS px.
    case small
    /// 256 px JPEG: the grid, `og:image` and the APIs. Slack and mail programs show no WebP.
    case medium
    /// 512 px JPEG: the photo view, and portraits on screens of double density.
    case large

    /// The longest side in pixels. A smaller original keeps its size.
    public var pixels: Int {
        switch self {
        case .small: 96
        case .medium: 256
        case .large: 512
        }
    }

    /// The most bytes that a picture of this size may have.
    public var maxBytes: Int {
        switch self {
        case .small, .medium: 32 << 10
        case .large: 128 << 10
        }
    }

    public var mediaType: StaticString {
        switch self {
        case .small: "image/webp"
        case .medium, .large: "image/jpeg"
        }
    }
}

/// A format of pictures that browsers show, recognized by its first bytes.
public enum PictureType: String, Sendable {
    case jpeg, png, webp

    /// The number of bytes that tell the type.
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
