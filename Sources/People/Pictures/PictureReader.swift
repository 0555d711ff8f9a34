/// Reads stored pictures. Every ``UserReader`` is one. Confined to one queue at a time.
public protocol PictureReader: AnyObject {
    /// Returns the bytes of a picture, or `nil` if nobody in `directories` has one with that key (any more). The key
    /// alone opens nothing: the directory of everybody who has it may be private.
    func picture(_ key: PictureKey, _ size: PictureSize, of directories: [Int64]) throws -> [UInt8]?
}

/// How many pictures are stored, and how large they are.
public struct PictureTotals: Equatable, Sendable {
    public var pictures: Int
    /// The size of the file that has them, in bytes.
    public var bytes: Int64

    public init(pictures: Int = 0, bytes: Int64 = 0) {
        self.pictures = pictures
        self.bytes = bytes
    }
}

/// How many people of a directory have a picture.
public struct PictureCounts: Equatable, Sendable {
    /// People with a stored picture.
    public var pictures: Int
    /// Those among them whose picture is a photo of the publisher's own.
    public var own: Int

    public init(pictures: Int = 0, own: Int = 0) {
        self.pictures = pictures
        self.own = own
    }
}
