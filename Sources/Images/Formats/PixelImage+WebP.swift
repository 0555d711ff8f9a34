import Base
import CWebP

extension PixelImage {
    /// Reads a still image of WebP.
    init(webP file: [UInt8]) throws(RollcallError) {
        var features = WebPBitstreamFeatures()
        let status = WebPGetFeatures(file, file.count, &features)
        try expect(status == VP8_STATUS_OK, "expected a whole WebP, found a damaged head")
        try expect(features.has_animation == 0, "expected one WebP image, found an animation")
        try RollcallError.checkSize(Int(features.width), Int(features.height))
        let image = PixelImage(width: Int(features.width), height: Int(features.height)) { pixels in
            let start = pixels.assumingMemoryBound(to: UInt8.self)
            let stride = features.width * 4
            return WebPDecodeRGBAInto(
                file, file.count, start, Int(stride) * Int(features.height), stride) != nil
        }
        self = try required(image, "expected a whole WebP, found a damaged or truncated one")
        if features.has_alpha != 0 { premultiply() }
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
        let start = try required(file, "expected memory to write WebP, found none")
        defer { WebPFree(start) }
        return [UInt8](UnsafeBufferPointer(start: start, count: count))
    }
}
