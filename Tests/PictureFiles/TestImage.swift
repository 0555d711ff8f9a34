/// An image that tests write into files: red, green, blue and alpha of each pixel, row by row.
public struct TestImage: Equatable, Sendable {
    public typealias Pixel = SIMD4<UInt8>

    public let width: Int
    public let height: Int
    public var pixels: [Pixel]

    public init(width: Int, height: Int, pixels: [Pixel]) {
        precondition(pixels.count == width * height)
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    public init(width: Int, height: Int, _ pixel: (_ x: Int, _ y: Int) -> Pixel) {
        self.init(width: width, height: height, pixels: (0..<(width * height)).map { pixel($0 % width, $0 / width) })
    }

    public subscript(x: Int, y: Int) -> Pixel { pixels[y * width + x] }

    /// One colour.
    public static func plain(_ pixel: Pixel, width: Int, height: Int) -> TestImage {
        TestImage(width: width, height: height, pixels: Array(repeating: pixel, count: width * height))
    }

    /// Four squares: red and green above blue and white, so that every turn looks different.
    public static func chequer(side: Int = 64, lastAlpha: UInt8 = 255) -> TestImage {
        let colours: [Pixel] = [
            Pixel(220, 30, 40, 255), Pixel(40, 200, 60, 255), Pixel(30, 60, 210, 255), Pixel(240, 240, 240, lastAlpha),
        ]
        return TestImage(width: side, height: side) { x, y in colours[(x * 2 >= side ? 1 : 0) + (y * 2 >= side ? 2 : 0)]
        }
    }

    /// Soft shapes and a little texture, as a photo of a face has them.
    public static func portrait(side: Int) -> TestImage {
        let size = Double(side)
        return TestImage(width: side, height: side) { x, y in
            let (u, v) = (Double(x) / size - 0.5, Double(y) / size - 0.5)
            var state = UInt64(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663) &+ 0x9E37_79B9_7F4A_7C15
            state = (state ^ state >> 31) &* 0xBF58_476D_1CE4_E5B9
            let texture = (Double(state >> 60) - 8) / 8
            let isFace = u * u / 0.06 + (v + 0.05) * (v + 0.05) / 0.11 < 1
            let isEye = [-0.1, 0.1].contains { (u - $0) * (u - $0) + (v + 0.1) * (v + 0.1) < 0.0009 }
            let base: (Double, Double, Double) =
                isEye
                ? (40, 30, 30) : isFace ? (225 - 60 * u, 180 - 50 * u, 150 - 40 * v) : (70, 110 + 80 * v, 160 - 90 * u)
            func sample(_ value: Double) -> UInt8 { UInt8(max(0, min(255, value + texture))) }
            return Pixel(sample(base.0), sample(base.1), sample(base.2), 255)
        }
    }

    /// A gradient with random samples: what compresses worst.
    public static func noise(width: Int, height: Int) -> TestImage {
        var state: UInt64 = 7
        return TestImage(width: width, height: height) { _, _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let bits = UInt32(truncatingIfNeeded: state >> 33)
            return Pixel(
                UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8),
                UInt8(truncatingIfNeeded: bits >> 16), 255)
        }
    }

    var grey: [UInt8] { pixels.map(\.grey.x) }
}

extension TestImage.Pixel {
    public var grey: Self {
        // One expression of the three would take the compiler seconds.
        let (red, green, blue) = (Int(x) * 299, Int(y) * 587, Int(z) * 114)
        let light = UInt8((red + green + blue) / 1000)
        return [light, light, light, 255]
    }
}
