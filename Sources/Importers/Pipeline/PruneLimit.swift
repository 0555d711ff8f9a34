import Base
import People
import Publishing

/// How many people a run may remove: more than most changes of a source explain is refused, because a file may have
/// been cut off or mixed up with another one.
enum PruneLimit {
    static func isTooMany(_ removed: Int, of total: Int) -> Bool { removed > 5 && removed * 5 > total }

    /// Returns `nil` if at most 5 people or at most 20 % would be removed.
    ///
    /// - Parameter isBeforeSaving: Whether the source is judged before anything is saved.
    static func refusal(_ directory: Slug, _ pruning: Pruning, isBeforeSaving: Bool) -> RollcallError? {
        let (removed, total) = (pruning.gone, pruning.total)
        guard isTooMany(removed, of: total) else { return nil }
        let share = (removed * 100 + total / 2) / total
        let what = "\(removed.grouped) of \(total.grouped) people (\(share) %)"
        let outcome = isBeforeSaving ? "nothing was saved" : "nobody was removed"
        return RollcallError(
            "\(directory): --prune would remove \(what): \(outcome). If that is right: --prune=all")
    }
}

/// Stands for a writer while a source is judged: it looks for the people, and stops the run as soon as enough are
/// found.
final class JudgingWriter: DirectoryWriter {
    private let judge: any PruningJudge
    /// Whether the source was read to its end.
    private(set) var isDone = false

    init(_ judge: any PruningJudge) { self.judge = judge }

    var directory: StoredDirectory { judge.directory }
    var isFull: Bool { false }

    func append(_ batch: UserBatch, checkpoint: Checkpoint?) throws -> WriteCounts {
        try judge.note(batch)
        guard PruneLimit.isTooMany(judge.total - judge.found, of: judge.total) else {
            throw CancellationError()
        }
        return WriteCounts()
    }

    func pruning(_ rule: PruningRule) -> Pruning {
        isDone = true
        return Pruning(gone: judge.total - judge.found, total: judge.total)
    }

    func adopt(_ settings: DirectorySettings) { judge.adopt(settings) }
    func adopt(_ terms: Terms) {}
    func begin() {}
    func commit() {}
    func rollback() {}
    func beginPruning() {}
    func removeUsersNotWritten(_ rule: PruningRule) -> Int { 0 }
    func noteImport() {}
    func goneNamesakes() -> [GoneNamesake] { [] }
    func keep(_ ids: [Int64]) {}
}

extension ImportRun {
    /// Reads all of `source`, and returns the error with which a run that prunes would have to end; `nil` if it may
    /// begin. Writes nothing. A source that cannot be read to its end is not judged: nobody is removed after it. Throws
    /// a `StoreFailure` if the database is away.
    public static func refusal(
        of source: some ImportSource, judge: any PruningJudge, configuration: Configuration
    ) throws -> (any Error)? {
        var configuration = configuration
        (configuration.isPruning, configuration.isJudging) = (true, true)
        let writer = JudgingWriter(judge)
        let summary = ImportRun(writer: writer, configuration: configuration).run(source)
        guard case .failed(let error) = summary.end else { return nil }
        if let failure = error as? any StoreFailure, failure.isInterruption { throw failure }
        return writer.isDone ? error : nil
    }
}
