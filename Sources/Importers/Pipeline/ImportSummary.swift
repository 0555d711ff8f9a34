import Publishing

/// The result of an import.
public struct ImportSummary: Sendable {
    public var end = RunEnd.complete
    public var progress = ImportProgress()
    public var counts = WriteCounts()
    /// The settings by which the source was read, if it was read.
    public var schema: ImportSchema?
    /// The layout of the file, if the source was one.
    public var layout: FileLayout?
    /// The record in whose middle the file ends, if it does.
    public var cut: Rejection?
    public var preview = ImportPreview()
    /// The photos beside the file: the names of the folders beneath the folder of photos, and of the file, and the
    /// people that they show, with their names, because another import may give the ids to somebody else.
    public var photos: [(user: Int64, name: String, path: [String])] = []
    /// Whether people were compared with those who are in the directory.
    public var isCompared = false
    /// The number of records that were read, and not saved because the run ended early.
    public var unsaved = 0
    /// The people whom the source no longer has, each with the handle of a new person of the same name.
    public var goneNamesakes: [(id: Int64, handle: String, newHandle: String)] = []
    /// The number of users removed; `nil` unless the run was to remove users and did.
    public var removed: Int?
    /// The reason that no users were removed although the run was to remove them.
    public var keptBecause: String?

    public init(end: RunEnd = .complete) { self.end = end }

    /// Lines about records that were left out, and about what may be wrong: one for each kind.
    public var notes: [String] { progress.losses.lines }
}

extension ImportSummary {
    mutating func add(_ batch: ImportBatch) {
        cut = batch.rejections.last(where: \.isCut) ?? cut
        layout = batch.layout ?? layout
        counts.unchanged += batch.checkpoint?.untouched ?? 0
        progress += batch.progress
    }

    /// Why nobody is removed, as the most telling of the facts says; `nil` if people are.
    func reasonToRemoveNobody(_ configuration: ImportRun.Configuration) -> String? {
        let (service, isComplete) = (progress.service, end.isComplete)
        let isRejected = progress.rejected > 0 && configuration.prune < .allBesideRejections
        let reasons: [(holds: Bool, String?)] = [
            (isComplete && progress.users == 0, "the source is empty"),
            (cut != nil || isRejected, "some records were rejected"),
            (service.cutBecause != nil, service.cutBecause),
            (service.missing > 0, "some people had no record of their own"),
            (
                service.isContinued,
                "the import continued an interrupted one; only an import from beginning to end removes people"
            ),
            (!isComplete, "the import did not reach its end"),
        ]
        return reasons.first(where: \.holds)?.1 ?? configuration.keepsBecause
    }

    /// Says of each of ``goneNamesakes`` what the publisher may decide.
    public var namesakeAdvice: [String] {
        goneNamesakes.map { _, handle, newHandle in
            """
            \(handle) is not in the source any more, and \(newHandle) of the same name is new: both stay. --adopt \(handle) \
            says that they are one person; --prune=all removes \(handle)
            """
        }
    }
}
