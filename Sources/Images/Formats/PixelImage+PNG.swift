import Base
import CPNG

extension PixelImage {
    /// Reads PNG with libpng's simplified interface, which returns errors instead of calling `longjmp` past Swift.
    init(png file: [UInt8]) throws(RollcallError) {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        // The library keeps the address of the bytes until it has read them.
        self = try file.withUnsafeBufferPointer { file throws(RollcallError) in
            try expect(png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0, image.refusal)
            try RollcallError.checkSize(Int(image.width), Int(image.height))
            // Without it, 16-bit samples would count as linear light and become far too bright.
            image.flags |= UInt32(PNG_IMAGE_FLAG_16BIT_sRGB)
            let hasAlpha = image.format & UInt32(PNG_FORMAT_FLAG_ALPHA) != 0
            image.format = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
            var made = PixelImage(width: Int(image.width), height: Int(image.height)) { pixels in
                png_image_finish_read(&image, nil, pixels, 0, nil) != 0
            }
            if hasAlpha { made?.premultiply() }
            return try required(made, image.refusal)
        }
    }
}

extension png_image {
    fileprivate var refusal: String {
        let reason = withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return "expected a whole PNG, found: \(reason)"
    }
}
