import People
import PictureFiles
import Testing
@testable import Images

@Suite("EXIF orientation")
struct OrientationTests {
    /// The stored chequer's red, green, blue and white squares as they are seen: left to right, above and below.
    static let seen: [(UInt16, String)] = [
        (1, "RGBW"), (2, "GRWB"), (3, "WBGR"), (4, "BWRG"), (5, "RBGW"), (6, "BRWG"), (7, "WGBR"), (8, "GWRB"),
    ]

    @Test(arguments: seen)
    func aPhotoIsTurned(_ orientation: UInt16, _ colours: String) throws {
        for isBigEndian in [true, false] {
            let exif = JPEGParts.exif(orientation: orientation, isBigEndian: isBigEndian)
            let picture = try PictureMaker.make(JPEGParts.insert(0xE1, exif, into: TestImage.chequer().jpeg()))
            for size in [PictureSize.large, .small] { #expect(try names(picture.shown(size)) == colours) }
        }
    }

    private func names(_ image: TestImage) -> String {
        let names: [(Character, SIMD4<UInt8>)] = [
            ("R", [220, 30, 40, 255]), ("G", [40, 200, 60, 255]), ("B", [30, 60, 210, 255]),
            ("W", [240, 240, 240, 255]),
        ]
        return String(
            [(8, 8), (55, 8), (8, 55), (55, 55)].map { x, y in
                names.first { distance($0.1, image[x, y]) < 20 }?.0 ?? "?"
            })
    }

    @Test func sidesAreExchangedForQuarterTurns() {
        let image = PixelImage(width: 2, height: 1, pixels: [[1, 0, 0, 255], [2, 0, 0, 255]])
        let right = image.turned(by: .quarterRight)
        #expect((right.width, right.height) == (1, 2))
        #expect(right.pixels.map(\.x) == [1, 2])
        #expect(image.turned(by: .quarterLeft).pixels.map(\.x) == [2, 1])
    }

    @Test(arguments: [
        [], Array("MM\0*".utf8), Array("MM\0*".utf8) + [0, 0, 0, 4], Array("II*\0".utf8) + [255, 255, 255, 255],
        Array("XX\0*".utf8) + [0, 0, 0, 8, 0, 1], Array("MM\0*".utf8) + [0, 0, 0, 8, 255, 255, 1],
    ])
    func damagedBlocksAreUpright(_ block: [UInt8]) {
        #expect(Orientation(exif: block[...]) == .upright)
    }

    @Test(arguments: [0, 9, 65_535] as [UInt16])
    func otherValuesAreUpright(_ value: UInt16) {
        #expect(Orientation(exif: JPEGParts.exif(orientation: value).dropFirst(6)) == .upright)
    }

    @Test func aValueOfAnotherTypeIsUpright() {
        var block = JPEGParts.exif(orientation: 6)
        block[6 + 8 + 2 + 12 + 3] = 4
        #expect(Orientation(exif: block.dropFirst(6)) == .upright)
    }
}
