import Base
import People
import Publishing

/// The error of a run that would remove more people than most changes of a source explain: a file may have been cut off
/// or mixed up with another one.
public struct PruneRefusal: Error, CustomStringConvertible {
    let directory: Slug
    let removed: Int
    let total: Int
    /// Whether the source was judged before anything was saved.
    let isBeforeSaving: Bool

    /// Returns `nil` if at most 5 people or at most 20 % would be removed.
    init?(_ directory: Slug, removing removed: Int, of total: Int, isBeforeSaving: Bool) {
        guard Self.isTooMany(removed, of: total) else { return nil }
        (self.directory, self.removed, self.total, self.isBeforeSaving) = (directory, removed, total, isBeforeSaving)
    }

    static func isTooMany(_ removed: Int, of total: Int) -> Bool { removed > 5 && removed * 5 > total }

    public var description: String {
        let share = (removed * 100 + total / 2) / total
        let what = "\(removed.grouped) of \(total.grouped) people (\(share) %)"
        let outcome = isBeforeSaving ? "nothing was saved" : "nobody was removed"
        return "\(directory): --prune would remove \(what): \(outcome). If that is right: --prune=all"
    }
}

/// Stands for a writer while a source is judged: it looks for the people, and stops the run as soon as enough are
/// found.
final class JudgingWriter: DirectoryWriter {
    private let judge: any PruningJudge

    init(_ judge: any PruningJudge) { self.judge = judge }

    var directory: StoredDirectory { judge.directory }
    var isFull: Bool { false }

    func append(_ batch: UserBatch, checkpoint: Checkpoint?) throws -> WriteCounts {
        try judge.note(batch)
        guard PruneRefusal.isTooMany(judge.total - judge.found, of: judge.total) else {
            throw CancellationError()
        }
        return WriteCounts()
    }

    func pruning(_ rule: PruningRule) -> Pruning { Pruning(gone: judge.total - judge.found, total: judge.total) }

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
    ) throws -> PruneRefusal? {
        var configuration = configuration
        (configuration.isPruning, configuration.isJudging) = (true, true)
        let summary = ImportRun(writer: JudgingWriter(judge), configuration: configuration).run(source)
        guard case .failed(let error) = summary.end else { return nil }
        if let failure = error as? any StoreFailure, failure.isInterruption { throw failure }
        return error as? PruneRefusal
    }
}
