import Base
import People

/// A decoded image that is still to be turned.
struct Original {
    var image: PixelImage
    var orientation = Orientation.upright
}

extension Original {
    /// Decodes a file. Its first bytes decide how, never a name or a `Content-Type`.
    ///
    /// - Parameter side: Of a larger JPEG, no more than twice this size is needed.
    init(_ file: [UInt8], side: Int) throws(RollcallError) {
        switch PictureType(of: file) {
        case .jpeg: try self.init(jpeg: file, side: side)
        case .png: self.init(image: try PixelImage(png: file))
        case .webp: self.init(image: try PixelImage(webP: file))
        case nil where file.starts(with: "GIF87a".utf8) || file.starts(with: "GIF89a".utf8):
            self.init(image: try PixelImage(gif: file))
        case nil: throw RollcallError("expected JPEG, PNG, WebP or GIF, found \(Self.name(of: file))")
        }
    }

    /// Returns words for a format that is not read.
    private static func name(of file: [UInt8]) -> String {
        if file.isEmpty { return "an empty file" }
        let text = file.drop { [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF].contains($0) }
        if text.first == UInt8(ascii: "<") { return "SVG, HTML or other markup" }
        return others.first { file.dropFirst($0.offset).starts(with: $0.mark.utf8) }?.name ?? "another format"
    }

    private static let others: [(offset: Int, mark: String, name: String)] = [
        (4, "ftyp", "AVIF, HEIC or a video"), (0, "BM", "BMP"), (0, "\0\0\u{1}\0", "ICO"),
        (0, "II*\0", "TIFF"), (0, "MM\0*", "TIFF"),
    ]
}

extension RollcallError {
    /// Throws unless an original of `width` × `height` is within the limits.
    static func checkSize(
        _ width: Int, _ height: Int, limit: Int = PictureLimits.maxPixels
    ) throws(RollcallError) {
        // Both are below 2³¹ in all formats, so the product does not overflow.
        try expect(
            width > 0 && height > 0 && width * height <= limit,
            "expected 1 to \(limit) pixels, found \(width) × \(height)")
    }
}
