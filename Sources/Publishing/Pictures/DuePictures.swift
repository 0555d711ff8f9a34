import People

/// Some of the addresses that are due.
public struct DuePictures: Sendable {
    public var sources: [PictureSource] = []
    /// Behind which person to go on; `nil` at the end. Before that the addresses may be fewer than the limit, or none.
    public var position: (directory: Int64, user: Int64)?
    /// People without a picture whose address has failed and is not due yet.
    public var resting = RestingPictures()

    public init() {}
}

/// People without a picture whose address has failed, and is asked again later.
public struct RestingPictures: Equatable, Sendable {
    public var people: Int
    /// When the first of the addresses is due, in seconds since 1970.
    public var next: Int64

    public init(people: Int = 0, next: Int64 = .max) { (self.people, self.next) = (people, next) }

    public static func += (all: inout RestingPictures, more: RestingPictures) {
        all = RestingPictures(people: all.people + more.people, next: min(all.next, more.next))
    }
}
