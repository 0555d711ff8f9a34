import People
import Publishing

extension FakeStore {
    static let pictureKey = PictureKey(0x00AB_CDEF_0123_4567)!
    static let pictureAddress = "https://a.example/ada.png?s=400"

    /// Ada, who has a stored picture, Bo, who has none, and Eve, whose face Rollcall draws.
    static func withPictures(medium: Int = 100) throws -> FakeStore {
        let store = FakeStore([
            .make(1, "ada", name: "Ada Lovelace", avatarURL: pictureAddress), .make(2, "bo", name: "Bo Peep"),
            .make(3, "eve", name: "Eve", avatarURL: DrawnPicture.path(ofFace: 7)),
        ])
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]
        let picture = try MadePicture(
            small: Array("RIFF0000WEBPsmall".utf8), medium: jpeg + [UInt8](repeating: 1, count: medium),
            large: jpeg + Array("large".utf8))
        store.state.withLock { ($0.pictureKeys[1], $0.pictures[pictureKey]) = (pictureKey, picture) }
        return store
    }
}
