import Base
import People
import Testing

@Suite("A made picture")
struct MadePictureTests {
    private let webp = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8 ".utf8)
    private let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]

    @Test func hasOneFileASize() throws {
        let picture = try MadePicture(small: webp, medium: jpeg, large: jpeg + [1])
        #expect(PictureSize.allCases.map { picture[$0] } == [webp, jpeg, jpeg + [1]])
    }

    @Test func aFileOfAnotherTypeIsRefused() {
        #expect(throws: RollcallError("expected image/webp at 96 px, found other bytes")) {
            try MadePicture(small: jpeg, medium: jpeg, large: jpeg)
        }
        #expect(throws: RollcallError("expected image/jpeg at 512 px, found other bytes")) {
            try MadePicture(small: webp, medium: jpeg, large: Array("<!doctype html>".utf8))
        }
        #expect(throws: RollcallError.self) { try MadePicture(small: [], medium: jpeg, large: jpeg) }
    }

    @Test(arguments: [PictureSize.small, .medium, .large])
    func aFileMayBeAsLongAsItsLimit(_ size: PictureSize) throws {
        func made(_ excess: Int) throws -> MadePicture {
            func file(_ start: [UInt8], _ own: PictureSize) -> [UInt8] {
                start + [UInt8](repeating: 0, count: own == size ? own.maxBytes - start.count + excess : 4)
            }
            return try MadePicture(small: file(webp, .small), medium: file(jpeg, .medium), large: file(jpeg, .large))
        }
        #expect(try made(0)[size].count == size.maxBytes)
        #expect(throws: RollcallError.self) { try made(1) }
    }
}
