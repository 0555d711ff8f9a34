import People
import PictureFiles
import Testing
@testable import Images

@Suite("Scaling of pictures")
struct ScalingTests {
    @Test(arguments: [(600, 600), (1000, 700), (97, 4000), (300, 97), (513, 512)])
    func aConstantStaysThatConstant(_ width: Int, _ height: Int) {
        for pixel in [PixelImage.Pixel(200, 100, 3, 255), .zero, PixelImage.Pixel(50, 20, 1, 60)] {
            let pixels = PixelImage(
                width: width, height: height, pixels: Array(repeating: pixel, count: width * height))
            let scaled = pixels.centreSquare(side: 96)
            #expect((scaled.width, scaled.height) == (96, 96))
            #expect(scaled.pixels.allSatisfy { $0 == pixel })
        }
    }

    @Test(arguments: [(1, 1), (8, 8), (20, 10_000), (95, 96)])
    func nothingIsEnlarged(_ width: Int, _ height: Int) throws {
        let image = TestImage.plain([10, 200, 30, 255], width: width, height: height)
        let picture = try PictureMaker.make(image.png())
        let side = min(width, height)
        let (small, large) = try (picture.shown(.small), picture.shown(.large))
        #expect([small.width, small.height, large.width, large.height] == [side, side, side, side])
    }

    /// Whatever the person wears, what counts is behind the head. The colours are the grounds of the drawn faces.
    @Test(
        arguments: [
            ([255, 202, 220], 0), ([215, 230, 174], 4), ([166, 239, 223], 6), ([193, 211, 255], 9),
            ([229, 211, 255], 10), ([128, 126, 124], nil), ([255, 255, 255], nil),
        ] as [([UInt8], Int?)])
    func theHueIsThatOfTheGround(_ ground: [UInt8], _ hue: Int?) throws {
        let image = TestImage(width: 200, height: 240) { x, y in
            if (50..<150).contains(x) && y > 50 || y > 140 { return [90, 40, 20, 255] }
            return TestImage.Pixel(ground[0], ground[1], ground[2], 255)
        }
        #expect(try PictureMaker.make(image.png()).hue.number == hue)
    }

    @Test func eachSizeIsASquareOfItsPixels() throws {
        let picture = try PictureMaker.make(TestImage.portrait(side: 700).jpeg())
        for (size, side) in [(PictureSize.small, 96), (.medium, 256), (.large, 512)] {
            let shown = try picture.shown(size)
            #expect((shown.width, shown.height) == (side, side))
        }
    }

    @Test func theMiddleIsKept() throws {
        // Red, then a green square, then blue.
        let image = TestImage(width: 900, height: 300) { x, _ in
            x < 300 ? [255, 0, 0, 255] : x < 600 ? [0, 200, 0, 255] : [0, 0, 255, 255]
        }
        let large = try PictureMaker.make(image.png()).shown(.large)
        #expect((large.width, large.height) == (300, 300))
        for (x, y) in [(2, 2), (297, 297), (150, 150)] { #expect(distance(large[x, y], [0, 200, 0, 255]) < 10) }
    }

    @Test func aLargeJPEGIsMadeSmallerWhileItIsDecoded() throws {
        let original = try Original(jpeg: TestImage.chequer(side: 2300).jpeg(), side: 512)
        // Four eighths of 2300: at least twice the size that is wanted.
        #expect(original.image.width == 1150)
    }

    @Test(arguments: [200, 480, 512, 1600])
    func aFaceLooksLikeTheOriginal(_ side: Int) throws {
        let image = TestImage.portrait(side: side)
        let picture = try PictureMaker.make(image.jpeg(quality: 95, .rgb444))
        let pixels = PixelImage(width: side, height: side, pixels: image.pixels)
        for size in PictureSize.allCases {
            let shown = try picture.shown(size)
            #expect(similarity(shown.pixels, pixels.centreSquare(side: size.pixels).pixels, side: shown.width) > 0.95)
        }
    }

    @Test func aPictureOfNoiseIsWithinItsLimits() throws {
        // The initializer of a made picture throws otherwise.
        let picture = try PictureMaker.make(TestImage.noise(width: 512, height: 512).png())
        #expect(try picture.shown(.large).width == 512)
    }

    /// Returns the structural similarity of brightness (Wang et al., 2004), over squares of 8 × 8 pixels.
    private func similarity(_ one: [SIMD4<UInt8>], _ other: [SIMD4<UInt8>], side: Int) -> Double {
        let (a, b) = (one.map { Double($0.grey.x) }, other.map { Double($0.grey.x) })
        var (sum, count) = (0.0, 0.0)
        for top in stride(from: 0, through: side - 8, by: 4) {
            for left in stride(from: 0, through: side - 8, by: 4) {
                var (sumA, sumB, squareA, squareB, product) = (0.0, 0.0, 0.0, 0.0, 0.0)
                for y in top..<(top + 8) {
                    for x in left..<(left + 8) {
                        let (p, q) = (a[y * side + x], b[y * side + x])
                        sumA += p
                        sumB += q
                        squareA += p * p
                        squareB += q * q
                        product += p * q
                    }
                }
                let (meanA, meanB) = (sumA / 64, sumB / 64)
                let (varianceA, varianceB) = (squareA / 64 - meanA * meanA, squareB / 64 - meanB * meanB)
                let covariance = product / 64 - meanA * meanB
                sum +=
                    (2 * meanA * meanB + 6.5025) * (2 * covariance + 58.5225)
                    / ((meanA * meanA + meanB * meanB + 6.5025) * (varianceA + varianceB + 58.5225))
                count += 1
            }
        }
        return sum / count
    }
}
