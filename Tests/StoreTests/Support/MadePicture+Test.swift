import People

extension MadePicture {
    /// A picture with `text` in each size.
    static func make(_ text: String) throws -> MadePicture {
        try MadePicture(
            small: Array("RIFF0000WEBP small \(text)".utf8), medium: [0xFF, 0xD8, 0xFF] + Array("medium \(text)".utf8),
            large: [0xFF, 0xD8, 0xFF] + Array("large \(text)".utf8))
    }
}

extension UserReader {
    /// Returns a picture of somebody in the first directory.
    func picture(_ key: PictureKey, _ size: PictureSize) throws -> [UInt8]? { try picture(key, size, of: [1]) }
}
