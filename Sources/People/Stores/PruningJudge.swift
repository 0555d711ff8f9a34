/// Finds out which people of a directory an import would find again, before it writes anything. Confined to one
/// thread.
public protocol PruningJudge: AnyObject {
    /// The directory as it is without the import.
    var directory: Directory { get }

    /// The number of people in the directory, those who are on no page included.
    var total: Int { get }

    /// The number of them who were in the batches so far.
    var found: Int { get }

    /// Notes the settings by which later batches were read.
    func adopt(_ settings: DirectorySettings)

    /// Looks for the people of a batch in the directory.
    func note(_ batch: UserBatch) throws
}
