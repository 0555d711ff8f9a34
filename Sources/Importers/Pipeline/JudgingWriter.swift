import Base
import People
import Publishing

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
        guard pruning.isTooMuch else { throw CancellationError() }
        return WriteCounts()
    }

    func pruning(_ rule: PruningRule) -> Pruning {
        isDone = true
        return pruning
    }

    private var pruning: Pruning { Pruning(gone: judge.total - judge.found, total: judge.total) }

    func adopt(_ settings: DirectorySettings) { judge.adopt(settings) }
    func adopt(_ terms: Terms) {}
    func begin() {}
    func commit() {}
    func rollback() {}
    func beginPruning() {}
    func removeUsersNotWritten(_ rule: PruningRule) -> Int { 0 }
    func departures() -> Pruning { Pruning(gone: 0, total: judge.total) }
    func removeDeparted() -> Int { 0 }
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
        if let failure = error as? any StoreFailure, failure.kind == .interruption { throw failure }
        return writer.isDone ? error : nil
    }
}
