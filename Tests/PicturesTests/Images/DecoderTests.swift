import Base
import People
import PictureFiles
import Testing
@testable import Images

@Suite("Formats of pictures")
struct DecoderTests {
    /// A format, and how far a colour may be from the original.
    struct Format: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var tolerance = 8
        var isGrey = false
        let file: @Sendable (TestImage) -> [UInt8]
    }

    static let formats: [Format] = [
        Format(testDescription: "JPEG 4:2:0") { $0.jpeg() }, Format(testDescription: "JPEG 4:4:4") { $0.jpeg(.rgb444) },
        Format(testDescription: "progressive JPEG") { $0.jpeg(isProgressive: true) },
        Format(testDescription: "grey JPEG", isGrey: true) { $0.jpeg(.grey) },
        Format(testDescription: "CMYK JPEG") { $0.jpeg(.cmyk) },
        Format(testDescription: "PNG", tolerance: 0) { $0.png(.rgb) },
        Format(testDescription: "grey PNG", tolerance: 0, isGrey: true) { $0.png(.grey) },
        Format(testDescription: "PNG with alpha", tolerance: 0) { $0.png(.rgba) },
        Format(testDescription: "PNG with a palette", tolerance: 0) { $0.png(.palette) },
        Format(testDescription: "PNG of 16 bits", tolerance: 1) { $0.png(.rgb16) },
        Format(testDescription: "interlaced PNG", tolerance: 0) { $0.png(.interlaced) },
        Format(testDescription: "lossy WebP") { $0.webp(.lossy) },
        Format(testDescription: "lossless WebP", tolerance: 0) { $0.webp(.lossless) },
        Format(testDescription: "WebP with alpha") { $0.webp(.alpha) },
        Format(testDescription: "GIF", tolerance: 0) { GIFFile($0).bytes },
        Format(testDescription: "interlaced GIF", tolerance: 0) {
            var file = GIFFile($0)
            file.isInterlaced = true
            return file.bytes
        },
        Format(testDescription: "animated GIF with its own colours", tolerance: 0) {
            var file = GIFFile($0)
            (file.isAnimated, file.hasOwnColours) = (true, true)
            return file.bytes
        },
    ]

    @Test(arguments: formats)
    func eachFormatKeepsSizeAndColours(_ format: Format) throws {
        let image = TestImage.chequer(side: 64)
        let file = format.file(image)
        let found = try decoded(file)
        #expect((found.width, found.height) == (64, 64))
        for (x, y) in [(8, 8), (55, 8), (8, 55), (55, 55)] {
            let expected = format.isGrey ? image[x, y].grey : image[x, y]
            #expect(distance(found.pixels[y * 64 + x], expected) <= format.tolerance, "at \(x), \(y)")
        }
        let shown = try PictureMaker.make(file).shown(.medium)
        #expect((shown.width, shown.height) == (64, 64))
        #expect(distance(shown[8, 55], format.isGrey ? image[8, 55].grey : image[8, 55]) <= 12)
    }

    @Test(arguments: [
        Format(testDescription: "PNG with alpha") { $0.png(.rgba) },
        Format(testDescription: "PNG with a palette") { $0.png(.palette) },
        Format(testDescription: "WebP") { $0.webp(.alpha) }, Format(testDescription: "GIF") { GIFFile($0).bytes },
    ])
    func whatIsTransparentIsTransparentInWebPAndWhiteInJPEG(_ format: Format) throws {
        let picture = try PictureMaker.make(format.file(TestImage.chequer(side: 200, lastAlpha: 0)))
        let small = try picture.shown(.small)
        #expect(small[90, 90].w == 0 && small[5, 5].w == 255)
        #expect(distance(small[5, 5], [220, 30, 40, 255]) <= 12)
        #expect(try distance(picture.shown(.medium)[190, 190], [255, 255, 255, 255]) <= 4)
    }

    /// A red image whose transparent half is green: scaling must not mix green into the edge.
    @Test func coloursOfTransparentPixelsAreNotSeen() throws {
        let image = TestImage(width: 400, height: 400) { x, _ in x % 2 == 0 ? [255, 0, 0, 255] : [0, 255, 0, 0] }
        let small = try PictureMaker.make(image.png(.rgba)).shown(.small)
        #expect(small[48, 48].y < 40 && small[48, 48].x > 200)
    }

    @Test func theSecondFrameOfAGIFIsNotRead() throws {
        var file = GIFFile(TestImage.chequer())
        let alone = try PictureMaker.make(file.bytes)
        file.isAnimated = true
        #expect(try PictureMaker.make(file.bytes) == alone)
    }

    @Test func aGIFWithManyCodesIsRead() throws {
        // 90,000 pixels of 64 colours: the table of codes starts again several times.
        let image = TestImage.noise(width: 300, height: 300)
        let coarse = TestImage(
            width: 300, height: 300,
            pixels: image.pixels.map { TestImage.Pixel($0.x & 0xC0, $0.y & 0xC0, $0.z & 0xC0, 255) })
        #expect(try PixelImage(gif: GIFFile(coarse).bytes).pixels == coarse.pixels)
    }

    @Test func aSmallGIFFrameStandsOnATransparentScreen() throws {
        var file = GIFFile(TestImage.plain([200, 30, 30, 255], width: 10, height: 10))
        (file.screen, file.left, file.top) = ((40, 40), 20, 5)
        let found = try PixelImage(gif: file.bytes)
        let drawn = found.pixels.indices.filter { found.pixels[$0].w == 255 }
        #expect(drawn.count == 100)
        #expect(drawn.first == 220)
        #expect(drawn.last == 589)
    }

    @Test func nothingOfTheMetadataIsKept() throws {
        let secret = Array("51.5074 N, 0.1278 W".utf8)
        var file = JPEGParts.insert(0xFE, secret, into: TestImage.chequer().jpeg())
        file = JPEGParts.insert(0xE1, JPEGParts.exif(orientation: 1) + secret, into: file)
        var png = PNGFile(width: 8, height: 8)
        png.data = [UInt8](repeating: 0, count: 25 * 8)
        png.chunks = [("tEXt", Array("a\0".utf8) + secret)]
        for file in [file, png.bytes] {
            let picture = try PictureMaker.make(file)
            for size in PictureSize.allCases {
                #expect(!picture[size].contains(secret))
                #expect(!picture[size].contains(Array("Exif".utf8)) && !picture[size].contains(Array("EXIF".utf8)))
            }
        }
    }

    @Test(arguments: [
        ("<svg/>", "SVG, HTML or other markup"), ("\n <!doctype html>", "SVG, HTML or other markup"), ("BM", "BMP"),
        ("\0\0\0\u{18}ftypavif", "AVIF, HEIC or a video"), ("II*\0", "TIFF"), ("", "an empty file"),
        ("hello", "another format"),
    ])
    func aRefusalNamesTheFormat(_ text: String, _ name: String) {
        #expect(throws: RollcallError("expected JPEG, PNG, WebP or GIF, found \(name)")) {
            try PictureMaker.make(Array(text.utf8))
        }
    }

    private func decoded(_ file: [UInt8]) throws -> PixelImage {
        try Original(file, side: 512).image
    }
}

extension MadePicture {
    /// The pixels of its file in a size.
    func shown(_ size: PictureSize) throws -> TestImage {
        try #require(size == .small ? TestImage(webp: self[size]) : TestImage(jpeg: self[size]))
    }
}

/// Returns the largest difference of a sample.
func distance(_ one: SIMD4<UInt8>, _ other: SIMD4<UInt8>) -> Int {
    (0..<4).map { abs(Int(one[$0]) - Int(other[$0])) }.max() ?? 0
}
