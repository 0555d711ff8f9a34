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
