import Base
import People

/// The formats that are read. The first bytes decide, never a name or a `Content-Type`.
enum PictureFormat: Equatable {
    case jpeg, png, webp, gif

    init(of file: [UInt8]) throws(RollcallError) {
        switch PictureType(of: file) {
        case .jpeg: self = .jpeg
        case .png: self = .png
        case .webp: self = .webp
        case nil where file.starts(with: Array("GIF87a".utf8)) || file.starts(with: Array("GIF89a".utf8)): self = .gif
        case nil: throw RollcallError("expected JPEG, PNG, WebP or GIF, found \(Self.name(of: file))")
        }
    }

    /// Returns words for a format that is not read.
    private static func name(of file: [UInt8]) -> String {
        if file.isEmpty { return "an empty file" }
        let text = file.drop { [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF].contains($0) }
        if text.first == UInt8(ascii: "<") { return "SVG, HTML or other markup" }
        if file.dropFirst(4).starts(with: Array("ftyp".utf8)) { return "AVIF, HEIC or a video" }
        if file.starts(with: Array("BM".utf8)) { return "BMP" }
        if file.starts(with: [0, 0, 1, 0]) { return "ICO" }
        if file.starts(with: Array("II*\0".utf8)) || file.starts(with: Array("MM\0*".utf8)) { return "TIFF" }
        return "another format"
    }
}

extension RollcallError {
    /// The refusal of an original with too many pixels, or with none.
    static func size(_ width: Int, _ height: Int, limit: Int = PictureLimits.maxPixels) -> RollcallError {
        RollcallError("expected 1 to \(limit) pixels, found \(width) × \(height)")
    }

    /// Throws unless an original of `width` × `height` is within the limits.
    static func checkSize(
        _ width: Int, _ height: Int, limit: Int = PictureLimits.maxPixels
    ) throws(RollcallError) {
        // Both are below 2³¹ in all formats, so the product does not overflow.
        guard width > 0, height > 0, width * height <= limit else { throw size(width, height, limit: limit) }
    }
}
