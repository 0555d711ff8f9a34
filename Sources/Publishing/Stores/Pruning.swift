/// Which of the users that an import has not written are removed.
public enum PruningRule: Sendable {
    /// All of them.
    case missing
    /// Those who were also missing when this rule was last applied. It marks the others for the next time.
    case missingTwice
}

/// The people that pruning would remove.
public struct Pruning: Equatable, Sendable {
    public var gone: Int
    /// The number of people who are missing for the first time, and stay.
    public var missingOnce = 0
    /// The number of people before the import.
    public var total: Int

    public init(gone: Int, missingOnce: Int = 0, total: Int) {
        (self.gone, self.missingOnce, self.total) = (gone, missingOnce, total)
    }

    /// Those who would be removed, in hundredths.
    public var share: Int { (gone * 100 + total / 2) / total }

    /// Whether they are more than most changes of a source explain: more than 5 people, and more than 20 %. A file may
    /// have been cut off, or mixed up with another one.
    public var isTooMuch: Bool { gone > 5 && gone * 5 > total }
}

/// Finds out which people of a directory an import would find again, before it writes anything. Confined to one
/// thread.
public protocol PruningJudge: AnyObject {
    /// The directory as it is without the import.
    var directory: StoredDirectory { get }

    /// The number of people in the directory, those who are on no page included.
    var total: Int { get }

    /// The number of them who were in the batches so far, and have not left.
    var found: Int { get }

    /// Notes the settings by which later batches were read.
    func adopt(_ settings: DirectorySettings)

    /// Looks for the people of a batch in the directory.
    func note(_ batch: UserBatch) throws
}
