import Base
import People
import Publishing

/// The result of an import.
public struct ImportSummary: Sendable {
    public var end = RunEnd.complete
    public var progress = ImportProgress()
    public var counts = WriteCounts()
    /// The settings by which the source was read, if it was read.
    public var schema: ImportSchema?
    /// What the file was, if the source was one.
    public var layout: FileLayout?
    /// The record in whose middle the file ends, if it does.
    public var cut: Rejection?
    /// The first people, in a dry run.
    public var preview = ImportPreview()
    /// The photos beside the file, and the people that they show.
    public var photos: [FoundPhoto] = []
    /// Whether a dry run has counted what an import would change.
    public var isCompared = false
    /// The number of records that were read, and not saved because the run ended early.
    public var unsaved = 0
    /// The new people whose name somebody has whom the source has lost.
    public var goneNamesakes: [GoneNamesake] = []
    /// The number of users removed; `nil` unless the run was to remove users and did.
    public var removed: Int?
    /// The reason that no users were removed although the run was to remove them.
    public var keptBecause: String?

    public init(end: RunEnd = .complete) { self.end = end }

    /// What was left out, and what may be wrong, in a line for each kind.
    public var notes: [String] { progress.losses.lines }
}

extension GoneNamesake {
    /// Says what the publisher may decide.
    public var advice: String {
        """
        \(handle) is not in the source any more, and \(newHandle) of the same name is new: both stay. --adopt \(handle) \
        says that they are one person; --prune=all removes \(handle)
        """
    }
}
