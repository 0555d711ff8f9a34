import Base
import CWebP
import People

extension PixelImage {
    /// Reads a still image of WebP.
    init(webP file: [UInt8]) throws(RollcallError) {
        var features = WebPBitstreamFeatures()
        guard WebPGetFeatures(file, file.count, &features) == VP8_STATUS_OK else {
            throw RollcallError("expected a whole WebP, found a damaged head")
        }
        guard features.has_animation == 0 else { throw RollcallError("expected one WebP image, found an animation") }
        try RollcallError.checkSize(Int(features.width), Int(features.height))
        let image = PixelImage(width: Int(features.width), height: Int(features.height)) { pixels in
            let start = pixels.assumingMemoryBound(to: UInt8.self)
            let stride = features.width * 4
            return WebPDecodeRGBAInto(
                file, file.count, start, Int(stride) * Int(features.height), stride) != nil
        }
        guard var image else { throw RollcallError("expected a whole WebP, found a damaged or truncated one") }
        if features.has_alpha != 0 { image.premultiply() }
        self = image
    }

    /// Returns the image as WebP, with its alpha.
    func webP() throws(RollcallError) -> [UInt8] {
        var file: UnsafeMutablePointer<UInt8>?
        let count = straight().withUnsafeBytes { pixels in
            let start = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let (width, height) = (CInt(width), CInt(height))
            // 75: within 1 % of the original by structural similarity, at 1.6 KB for a face of 96 px.
            return WebPEncodeRGBA(start, width, height, width * 4, 75, &file)
        }
        guard count > 0, let file else { throw RollcallError("expected memory to write WebP, found none") }
        defer { WebPFree(file) }
        return [UInt8](UnsafeBufferPointer(start: file, count: count))
    }
}
