/// Pixels in memory, row by row: red, green, blue, alpha. Colours are multiplied by alpha, so that scaling mixes what
/// is seen: a transparent pixel adds nothing, whatever its colour is.
struct PixelImage: Equatable {
    typealias Pixel = SIMD4<UInt8>

    let width: Int
    let height: Int
    var pixels: [Pixel]

    init(width: Int, height: Int, pixels: [Pixel]) {
        precondition(pixels.count == width * height)
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// Creates an image whose pixels `body` writes. If `body` returns `false`, this is `nil`.
    init?(width: Int, height: Int, _ body: (UnsafeMutableRawPointer) -> Bool) {
        (self.width, self.height) = (width, height)
        pixels = [Pixel](unsafeUninitializedCapacity: width * height) { memory, count in
            if let start = memory.baseAddress, body(start) { count = width * height }
        }
        if pixels.isEmpty { return nil }
    }

    /// Multiplies colours by alpha.
    mutating func premultiply() {
        pixels.withUnsafeMutableBufferPointer { pixels in
            for index in pixels.indices where pixels[index].w != 255 {
                var pixel = SIMD4<UInt32>(truncatingIfNeeded: pixels[index])
                let alpha = pixel.w
                pixel = (pixel &* alpha &+ 127) / 255
                pixel.w = alpha
                pixels[index] = Pixel(truncatingIfNeeded: pixel)
            }
        }
    }

    /// Returns the pixels with colours that are not multiplied by alpha, as files have them.
    func straight() -> [Pixel] {
        pixels.map { pixel in
            guard pixel.w != 255, pixel.w != 0 else { return pixel }
            let alpha = UInt32(pixel.w)
            var wide = SIMD4<UInt32>(truncatingIfNeeded: pixel)
            wide = (wide &* 255 &+ alpha / 2) / alpha
            wide.w = alpha
            return Pixel(truncatingIfNeeded: pointwiseMin(wide, SIMD4(repeating: 255)))
        }
    }

    /// Returns the pixels on white.
    func flattened() -> [Pixel] {
        pixels.map { $0.w == 255 ? $0 : $0 &+ SIMD4(repeating: 255 - $0.w) }
    }
}
