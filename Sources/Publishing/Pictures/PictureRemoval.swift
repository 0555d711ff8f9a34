import People

/// The people of one directory whose picture was removed.
public struct PictureRemoval: Equatable, Sendable {
    public var directory: Slug
    public var count: Int
    /// The pictures that were erased, because nobody else had them. Caches may still have their addresses.
    public var erased: [PictureKey]

    public init(directory: Slug, count: Int, erased: [PictureKey]) {
        self.directory = directory
        self.count = count
        self.erased = erased
    }
}

/// The garbage that was removed.
public struct PictureGarbage: Equatable, Sendable {
    public var pictures = 0
    public var addresses = 0

    public init(pictures: Int = 0, addresses: Int = 0) {
        self.pictures = pictures
        self.addresses = addresses
    }
}
