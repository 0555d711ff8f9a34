import Base
import People
import Testing

@Suite("Addresses of pictures")
struct PictureAddressTests {
    private func read(_ path: String) -> PictureAddress? {
        let path = Array(path.utf8)
        guard let rest = path.span.removingPrefix(PictureAddress.prefix) else { return nil }
        return PictureAddress(afterPrefix: rest)
    }

    @Test(arguments: PictureSize.allCases)
    func anAddressIsReadBack(_ size: PictureSize) throws {
        let address = PictureAddress(try #require(PictureKey(0x0123_4567_89AB_CDEF)), size)
        #expect(read("\(address)") == address)
    }

    @Test func eachSizeHasItsName() throws {
        let key = try #require(PictureKey(255))
        #expect("\(PictureAddress(key, .small))" == "/pictures/00000000000000ff.webp")
        #expect("\(PictureAddress(key, .medium))" == "/pictures/00000000000000ff.jpg")
        #expect("\(PictureAddress(key, .large))" == "/pictures/00000000000000ff-512.jpg")
    }

    @Test(arguments: [
        "/pictures/", "/pictures/ff.webp", "/pictures/00000000000000FF.webp", "/pictures/00000000000000ff.png",
        "/pictures/00000000000000ff", "/pictures/000000000000000ff.webp", "/pictures/0000000000000000.webp",
        "/pictures/ff000000000000ff.webp", "/pictures/00000000000000ff-256.jpg", "/pictures/00000000000000ff.webp/",
        "/Pictures/00000000000000ff.webp", "/pictures/0000000000000%30ff.webp",
    ])
    func otherPathsAreNoAddresses(_ path: String) { #expect(read(path) == nil) }

    @Test func theKeyDependsOnEachSizeAndOnTheSecret() throws {
        let webp = Array("RIFF0000WEBPx".utf8)
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0]
        let picture = try MadePicture(small: webp, medium: jpeg, large: jpeg)
        let other = try MadePicture(small: webp, medium: jpeg, large: jpeg + [1])
        let key = PictureKey(of: picture, secret: (1, 2))
        #expect(key == PictureKey(of: picture, secret: (1, 2)))
        #expect(key != PictureKey(of: other, secret: (1, 2)))
        #expect(key != PictureKey(of: picture, secret: (1, 3)))
    }

    @Test func theKeyTellsTheHue() throws {
        let webp = Array("RIFF0000WEBPx".utf8)
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0]
        for byte in UInt8(0)...12 {
            let hue = try #require(PictureHue(byte: byte))
            let picture = try MadePicture(small: webp, medium: jpeg, large: jpeg, hue: hue)
            #expect(PictureKey(of: picture, secret: (1, 2)).hue == hue && hue.byte == byte)
        }
        #expect(PictureHue(byte: 13) == nil)
    }
}
