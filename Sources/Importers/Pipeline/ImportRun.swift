import Base
import People
import Publishing
import Synchronization

/// Imports users from a source into a directory, in batches: one thread reads and decodes while the caller's writes.
public struct ImportRun {
    public struct Configuration: Sendable {
        /// 4,096: a transaction takes as many batches as arrive in time, so that the cost of its commit is shared. A
        /// batch of users with many fields has fewer (``UserBatch/maxBytes``).
        public var batchSize = 4_096
        public var prune = Prune.nobody
        /// The reason to remove nobody, although pruning is asked for.
        public var keepsBecause: String?
        public var cancellation = ImportCancellation()
        /// Whether the writer, if there is one, writes into a copy that nobody sees.
        public var isDryRun = false

        public init() {}
    }

    /// Which of the users that the source no longer has are removed, after a run that read all of it.
    public enum Prune: Comparable, Sendable {
        case nobody
        /// All of them. A run that would remove more than 5 people, and more than 20 %, ends with an error.
        case few
        /// All of them, however many they are.
        case all
        /// The same even if some records were rejected, unless the file was cut off.
        case allBesideRejections
    }

    fileprivate let configuration: Configuration
    fileprivate let openWriter: () throws -> (any DirectoryWriter)?

    /// Creates a run that opens its writer when there is something to write, so that an empty source leaves no empty
    /// directory.
    public init(
        configuration: Configuration = Configuration(), openWriter: @escaping () throws -> (any DirectoryWriter)?
    ) {
        self.configuration = configuration
        self.openWriter = openWriter
    }

    /// Creates a run that writes to `writer`, or, if it is `nil`, a dry run: it reads, checks and counts, and saves
    /// nothing.
    public init(writer: (any DirectoryWriter)?, configuration: Configuration = Configuration()) {
        self.init(configuration: configuration) { writer }
    }

    /// Imports `source` to its end, or until it fails or is cancelled: see the summary's `end`. Each batch is saved
    /// completely or not at all; another run adds what is missing.
    ///
    /// Calls `observe` on the caller's thread with the events of each batch.
    public func run(_ source: some ImportSource, observe: @escaping (ImportEvent) -> Void = { _ in }) -> ImportSummary {
        let pool = BatchPool()
        var saver = BatchSaver(run: self, pool: pool, observe: observe)
        saver.finish(Self.read(source, configuration, pool) { batch in try saver.save(batch) })
        if saver.summary.end.isComplete { source.completed() }
        return saver.summary
    }

    /// Reads all of `source`, and returns the refusal with which a run that prunes would have to end; `nil` if it may
    /// begin. Writes nothing, and stops as soon as `judge` has found enough people. A source that cannot be read to its
    /// end is not judged: nobody is removed after it. Throws a `StoreFailure` if the database is away.
    public static func refusal(
        of source: some ImportSource, judge: any PruningJudge, configuration: Configuration
    ) throws -> Refusal? {
        let pool = BatchPool()
        var summary = ImportSummary()
        var pruning = Pruning(gone: judge.total, total: judge.total)
        let reading = read(source, configuration, pool) { batch in
            summary.add(batch)
            if let schema = batch.schema { judge.adopt(schema.settings) }
            try judge.note(batch.users)
            pool.reuse(batch.users)
            pruning.gone = judge.total - judge.found
            guard pruning.isTooMuch else { throw CancellationError() }
        }
        summary.end = reading.end
        if case .failed(let failure as any StoreFailure) = summary.end, failure.kind == .interruption { throw failure }
        let isJudged = summary.reasonToRemoveNobody(configuration) == nil
        return isJudged ? Refusal([.removes(pruning, from: judge.directory.slug)]) : nil
    }
}

extension ImportRun {
    /// Reads `source` on a thread of its own, to its end, or until it fails or `take` throws an error, which takes the
    /// batches on the caller's thread. Returns how the reading ended, and how many records were accepted.
    private static func read(
        _ source: some ImportSource, _ configuration: Configuration, _ pool: BatchPool,
        take: (ImportBatch) throws -> Void
    ) -> (end: RunEnd, taken: Int) {
        let result = BoundedQueue<(end: RunEnd, taken: Int)>(capacity: 1)
        let thread = OwnedThread {
            _ = result.put(fill(pool, from: source, configuration))
            pool.finish()
        }
        var end: RunEnd?
        do {
            while let batch = pool.next(), !configuration.cancellation.isCancelled { try take(batch) }
        } catch { end = error is CancellationError ? .cancelled : .failed(error) }
        pool.close()
        thread.join()
        var reading = result.take() ?? (.complete, 0)
        // Cancellation also ends the wait for a locked database, with an error, and the source's own processes.
        reading.end = configuration.cancellation.isCancelled ? .cancelled : end ?? reading.end
        return reading
    }

    /// Reads `source` to its end, or until it fails or nobody takes its batches any more.
    private static func fill(
        _ pool: BatchPool, from source: some ImportSource, _ configuration: Configuration
    ) -> (end: RunEnd, taken: Int) {
        var reading = (end: RunEnd.complete, taken: 0)
        do {
            let sink = try ImportSink(configuration: configuration, pool: pool)
            defer { reading.taken = sink.taken }
            // What was read before an error is saved.
            let result = Result { try source.read(into: sink) }
            let rest = Result { try sink.finish() }
            try result.get()
            try rest.get()
        } catch { reading.end = .failed(error) }
        return reading
    }
}

/// Asks an import to stop. Any thread, and a signal handler, may call ``cancel()``. A `CancellationError` then ends its
/// source's reading, as it does after writing has ended.
public final class ImportCancellation: Sendable {
    private let flag = Atomic(false)

    public init() {}

    public func cancel() { flag.store(true, ordering: .relaxed) }

    public var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

/// The part of a run that writes batches and counts what they changed, on the thread that called the run.
private struct BatchSaver {
    let run: ImportRun
    let pool: BatchPool
    let observe: (ImportEvent) -> Void
    var summary = ImportSummary()
    var opened: (any DirectoryWriter)?
    var isOpened = false
    let start = ContinuousClock.now

    private var configuration: ImportRun.Configuration { run.configuration }

    /// Returns the writer. When it is opened, it adopts the settings, before the first users that were read by them.
    private mutating func writer(by schema: ImportSchema?) throws -> (any DirectoryWriter)? {
        if isOpened { return opened }
        opened = try run.openWriter()
        isOpened = true
        if configuration.prune > .nobody, configuration.keepsBecause == nil { try opened?.beginPruning() }
        if let opened, let settings = schema?.settings, settings != opened.directory.settings.stored {
            try opened.adopt(settings)
        }
        return opened
    }

    /// Saves `first`, and the batches that arrive in the meantime, in one transaction. Counts them when all are saved.
    mutating func save(_ first: ImportBatch) throws {
        var next = summary
        next.schema = first.schema ?? next.schema
        next.preview.add(first, next.schema?.resolved.shown ?? .empty)
        if !first.users.isEmpty || first.checkpoint != nil, let writer = try writer(by: next.schema) {
            next.isCompared = true
            try save(first, with: writer, in: &next)
        } else {
            report(first, in: &next)
            pool.reuse(first.users)
        }
        next.progress.elapsed = ContinuousClock.now - start
        summary = next
        observe(.progress(next.progress))
    }

    private func save(_ first: ImportBatch, with writer: any DirectoryWriter, in summary: inout ImportSummary) throws {
        var batch = first
        try writer.begin()
        do {
            try append(batch, to: writer, in: &summary)
            while !isLast(batch, of: writer) {
                // The writer has copied it: the source may fill it again before the transaction is committed.
                pool.reuse(batch.users)
                guard let next = pool.next(isSoon: batch.isFull) else { return try writer.commit() }
                batch = next
                try append(batch, to: writer, in: &summary)
            }
            try writer.commit()
        } catch {
            writer.rollback()
            throw error
        }
        // A source that waits for its checkpoint goes on when the batch is reused, so not before the commit.
        pool.reuse(batch.users)
    }

    private func append(_ batch: ImportBatch, to writer: any DirectoryWriter, in summary: inout ImportSummary) throws {
        report(batch, in: &summary)
        summary.counts += try writer.append(batch.users, checkpoint: batch.checkpoint)
        guard !batch.photoPaths.isEmpty else { return }
        // Now all users have ids.
        for user in batch.users.records {
            guard let path = batch.photoPaths[user.place] else { continue }
            let name = String(decoding: batch.users.buffer.bytes[user.name], as: UTF8.self)
            summary.photos.append((user.id, name, path))
        }
    }

    private func isLast(_ batch: ImportBatch, of writer: any DirectoryWriter) -> Bool {
        writer.isFull || batch.checkpoint != nil || configuration.cancellation.isCancelled
    }

    /// Reports a batch's notes and rejections, and adds it to `summary`.
    private func report(_ batch: ImportBatch, in summary: inout ImportSummary) {
        if let schema = batch.schema { observe(.schema(schema)) }
        for note in batch.notes { observe(.note(note)) }
        for rejection in batch.rejections { observe(.rejected(rejection)) }
        summary.add(batch)
    }

    /// Completes the summary after the last batch, when reading has ended as `reading` says.
    mutating func finish(_ reading: (end: RunEnd, taken: Int)) {
        summary.unsaved = max(0, reading.taken - summary.progress.users)
        summary.end = reading.end
        do {
            try removeDeparted()
            if summary.end.isComplete, configuration.prune < .all {
                summary.goneNamesakes = try opened?.goneNamesakes() ?? []
            }
            try prune()
            if summary.end.isComplete { try opened?.noteImport() }
        } catch { summary.end = .failed(error) }
        summary.progress.elapsed = ContinuousClock.now - start
    }

    /// Removes the people who have left according to the source, unless they are too many and nobody has agreed.
    private mutating func removeDeparted() throws {
        guard summary.end.isComplete, let writer = opened, let schema = summary.schema else { return }
        let pruning = try writer.departures()
        try remove(pruning, schema.departure(pruning)) { $0.counts.departed = try writer.removeDeparted() }
    }

    /// Removes as many people as `pruning` says, unless somebody must agree to the consequence: then it throws a
    /// ``Refusal``. A dry run shows who would go, and then what an import would say.
    private mutating func remove(
        _ pruning: Pruning, _ consequence: @autoclosure () -> Consequence?,
        _ remove: (inout ImportSummary) throws -> Void
    ) throws {
        guard pruning.isTooMuch, configuration.prune < .all, let refused = consequence() else {
            return try remove(&summary)
        }
        if configuration.isDryRun { try remove(&summary) }
        throw Refusal([refused], outcome: configuration.isDryRun ? "nothing was saved" : "nobody was removed")
    }

    /// Removes the users that the source no longer has, unless the run may have missed one: a rejected record may be
    /// that of an existing user.
    private mutating func prune() throws {
        guard configuration.prune > .nobody, !summary.progress.service.isUnchanged else { return }
        summary.keptBecause = summary.reasonToRemoveNobody(configuration)
        guard summary.keptBecause == nil, let writer = opened else { return }
        let service = summary.progress.service
        try writer.keep(summary.goneNamesakes.map(\.id))
        let rule: PruningRule = service.mayMissUsers ? .missingTwice : .missing
        let pruning = try writer.pruning(rule)
        try remove(pruning, .removes(pruning, from: writer.directory.slug)) { [observe] summary in
            summary.removed = try writer.removeUsersNotWritten(rule)
            if pruning.missingOnce == 0 { return }
            // Users move between the pages of a service while they are read, or a page comes empty by mistake.
            let missing = counted(pruning.missingOnce, "person was", "people were")
            let advice = "--prune removes them if the next import does not find them either"
            observe(.note("\(missing) on no page of the service; \(advice)"))
        }
    }
}
