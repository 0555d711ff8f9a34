import People

/// Writes pictures. Confined to one queue or task at a time.
///
/// Pictures are saved in a file of their own before a person's row names them. A row never names a picture that does
/// not exist, and after a crash ``collectGarbage(at:)`` removes the pictures that no row names.
public protocol PictureWriter: AnyObject {
    /// Returns up to `limit` distinct addresses that are due at `now` (seconds since 1970), in the order of directories
    /// and ids, beginning after `position`. Addresses that were returned and not yet saved are left out.
    ///
    /// People whose address was fetched for others get its picture at once. Hidden people, people whose picture was
    /// removed, and directories that do not store pictures (setting `pictures`) have no due addresses.
    ///
    /// - Parameter directory: `nil` for all directories.
    func due(
        in directory: Slug?, at now: Int64, after position: (directory: Int64, user: Int64)?, limit: Int
    ) throws -> DuePictures

    /// Saves results: the pictures, what is known of their addresses, and the keys in people's rows. Takes the lock of
    /// each file only for one short transaction.
    func save(_ results: [PictureResult], at now: Int64) throws -> PictureSaveCounts

    /// Sets photos of the publisher's own, by the ids of people, hidden or not. They take the place of the pictures at
    /// the people's addresses until ``removeOwnPicture(of:in:)``. Returns the ids of those who have got theirs: not of
    /// people who do not exist, and not of those whose picture was removed.
    func set(_ pictures: [Int64: MadePicture], in directory: Slug) throws -> Set<Int64>

    /// Removes a photo of the publisher's own; the picture at the person's address is fetched again. Returns `false` if
    /// the person has none.
    func removeOwnPicture(of user: Int64, in directory: Slug) throws -> Bool

    /// Removes the picture of a person who objects to it, and remembers a keyed hash, so that the person gets initials
    /// in every mode, after later imports, too: in directory `slug`, or, for `nil`, in all. Returns the directories
    /// with the pictures that were erased, because nobody else had them: caches may still have their addresses.
    func removePicture(
        of person: PersonSelector, in slug: Slug?
    ) throws -> [(directory: Slug, erased: [PictureKey])]

    /// Lets a person whose picture was removed with exactly this scope have one again. Returns `false` if it was not
    /// removed.
    func allowPicture(of person: PersonSelector, in slug: Slug?) throws -> Bool

    /// Removes pictures that no row names, and what is known of addresses that nobody has any more, if both are older
    /// than a day. Returns how many they were.
    func collectGarbage(at now: Int64) throws -> (pictures: Int, addresses: Int)
}

/// The changes that ``PictureWriter/save(_:at:)`` made.
public struct PictureSaveCounts: Equatable, Sendable {
    /// Pictures that were not stored before.
    public var added = 0
    /// People whose row names another picture than before, or none.
    public var people = 0

    public init(added: Int = 0, people: Int = 0) {
        self.added = added
        self.people = people
    }

    public static func += (counts: inout PictureSaveCounts, more: PictureSaveCounts) {
        counts.added += more.added
        counts.people += more.people
    }
}
