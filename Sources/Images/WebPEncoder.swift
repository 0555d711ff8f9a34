import CWebP
import Pictures

/// Writes WebP.
enum WebPEncoder {
    /// Within 1 % of the original by structural similarity, at 1.6 KB for a face of 96 px.
    private static let quality: Float = 75

    /// Returns `bitmap` with its alpha.
    static func encode(_ bitmap: Bitmap) throws(PictureRefusal) -> [UInt8] {
        var file: UnsafeMutablePointer<UInt8>?
        let count = bitmap.straight().withUnsafeBytes { pixels in
            let start = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let (width, height) = (CInt(bitmap.width), CInt(bitmap.height))
            return WebPEncodeRGBA(start, width, height, width * 4, quality, &file)
        }
        guard count > 0, let file else { throw PictureRefusal("expected memory to write WebP, found none") }
        defer { WebPFree(file) }
        return [UInt8](UnsafeBufferPointer(start: file, count: count))
    }
}
