import People

/// Everything that a store has of one person in one directory, private values included.
public struct StoredPerson: Sendable {
    public enum Identity: String, Sendable {
        /// The id or the login that the source gave.
        case source
        /// A hash of the values of key columns.
        case key
        /// A hash of the name.
        case name
    }

    public enum Picture: Equatable, Sendable {
        /// The person objects to one.
        case objection
        /// A photo of the publisher's own.
        case own(Stored)
        /// From `address`, which was last asked at a time in seconds since 1970, if that is known.
        case fetched(Stored, address: String, askedAt: Int64?)

        /// A picture that is lost has neither.
        public struct Stored: Equatable, Sendable {
            /// In seconds since 1970.
            public var savedAt: Int64?
            /// All sizes together.
            public var bytes: Int64?

            public init() {}
        }
    }

    public var directory: StoredDirectory
    public var id: Int64
    /// `nil` for a person who has left the directory: then only handles and a hash are kept, so that the person gets
    /// the same address again.
    public var user: User?
    public var flags: UserFlags = []
    /// All handles but the one in use.
    public var formerHandles: [String] = []
    public var identity = Identity.source
    /// When an import added the person, in seconds since 1970; `nil` if that is not known.
    public var addedAt: Int64?
    /// When an import last changed anything of the person: the one that added the person, if none has since; `nil` if
    /// that is not known.
    public var changedAt: Int64?
    public var picture: Picture?

    public init(_ directory: StoredDirectory, id: Int64) { (self.directory, self.id) = (directory, id) }
}
