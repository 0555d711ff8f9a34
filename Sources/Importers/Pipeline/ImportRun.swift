import Base
import Publishing
import Synchronization

/// Imports users from a source into a directory, in batches: one thread reads and decodes while the caller's writes.
public struct ImportRun {
    public struct Configuration: Sendable {
        /// 4,096: a transaction takes as many batches as arrive in time, so that the cost of its commit is shared. A
        /// batch of users with many fields has fewer (``UserBatch/maxBytes``).
        public var batchSize = 4_096
        /// The users of a slow source are written after this time, however few they are.
        public var flushInterval: Duration = .seconds(1)
        /// Whether users that the source no longer has are removed, after a run that read all of it.
        public var isPruning = false
        /// Whether they are removed however many they are. Otherwise a run that would remove more than 5 people, and
        /// more than 20 %, ends with an error.
        public var prunesAll = false
        /// Whether they are removed even if some records were rejected, unless the file was cut off.
        public var prunesBesideRejections = false
        /// The reason to remove nobody, although pruning is asked for.
        public var keepsBecause: String?
        /// Whether the run only finds out whether it would be refused: see
        /// ``ImportRun/refusal(of:judge:configuration:)``.
        var isJudging = false
        public var cancellation = ImportCancellation()
        /// Whether the writer, if there is one, writes into a copy that nobody sees. The summary has a preview.
        public var isDryRun = false

        public init() {}
    }

    private let configuration: Configuration
    private let openWriter: () throws -> (any DirectoryWriter)?

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
        var saver = BatchSaver(openWriter: openWriter, pool: pool, configuration: configuration, observe: observe)
        let reading = BoundedQueue<Reading>(capacity: 1)
        let thread = OwnedThread { [configuration] in
            _ = reading.put(ImportRun.read(source, configuration, pool))
            pool.finish()
        }
        do {
            while let batch = pool.next(), !configuration.cancellation.isCancelled { try saver.save(batch) }
        } catch  where error is CancellationError || configuration.cancellation.isCancelled {
            // Cancellation also ends the wait for a locked database, with an error.
            saver.summary.end = .cancelled
        } catch { saver.summary.end = .failed(error) }
        pool.close()
        thread.join()
        saver.finish(reading.take() ?? Reading())
        if saver.summary.end.isComplete, !configuration.isJudging { source.completed() }
        return saver.summary
    }
}

extension ImportRun {
    /// The way in which reading ended.
    struct Reading: Sendable {
        /// The error that ended it early.
        var error: (any Error)?
        /// The number of records that were read and accepted.
        var taken = 0
    }

    /// Reads `source` to its end, or until it fails or nobody takes its batches any more.
    private static func read(
        _ source: some ImportSource, _ configuration: Configuration, _ pool: BatchPool
    ) -> Reading {
        var reading = Reading()
        do {
            let sink = try ImportSink(configuration: configuration, pool: pool)
            do { try source.read(into: sink) } catch { reading.error = error }
            reading.taken = sink.taken
            try sink.finish()
        } catch { reading.error = reading.error ?? error }
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
struct BatchSaver {
    let openWriter: () throws -> (any DirectoryWriter)?
    let pool: BatchPool
    let configuration: ImportRun.Configuration
    let observe: (ImportEvent) -> Void
    var summary = ImportSummary()
    private var opened: (any DirectoryWriter)?
    private var isOpened = false
    /// The directory's current settings.
    private var adopted: DirectorySettings?
    private let start = ContinuousClock.now

    init(
        openWriter: @escaping () throws -> (any DirectoryWriter)?, pool: BatchPool,
        configuration: ImportRun.Configuration, observe: @escaping (ImportEvent) -> Void
    ) {
        self.openWriter = openWriter
        self.pool = pool
        self.configuration = configuration
        self.observe = observe
    }

    private mutating func writer() throws -> (any DirectoryWriter)? {
        if isOpened { return opened }
        opened = try openWriter()
        isOpened = true
        if configuration.isPruning, configuration.keepsBecause == nil { try opened?.beginPruning() }
        return opened
    }

    /// Saves `first`, and the batches that arrive in the meantime, in one transaction. Counts them when all are saved.
    mutating func save(_ first: ImportBatch) throws {
        var next = summary
        next.schema = first.schema ?? next.schema
        if !first.users.isEmpty || first.checkpoint != nil, let writer = try writer() {
            try adoptSettings(of: next.schema, in: writer)
            if configuration.isDryRun {
                next.isCompared = true
                next.preview.add(first, next.schema?.resolved.shown ?? .empty)
            }
            try save(first, with: writer, in: &next)
        } else {
            report(first, in: &next)
            next.preview.add(first, next.schema?.resolved.shown ?? .empty)
            pool.reuse(first.users)
        }
        next.progress.elapsed = ContinuousClock.now - start
        summary = next
        observe(.progress(next.progress))
    }

    /// Saves the settings before the first users that were read by them.
    private mutating func adoptSettings(of schema: ImportSchema?, in writer: any DirectoryWriter) throws {
        guard let settings = schema?.settings, settings != adopted else { return }
        if settings != writer.directory.settings.stored { try writer.adopt(settings) }
        adopted = settings
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
            summary.photos.append(FoundPhoto(user: user.id, name: name, path: path))
        }
    }

    private func isLast(_ batch: ImportBatch, of writer: any DirectoryWriter) -> Bool {
        writer.isFull || batch.checkpoint != nil || configuration.cancellation.isCancelled
    }

    /// Reports a batch's notes and rejections, and adds to `summary` everything but the writer's counts.
    private func report(_ batch: ImportBatch, in summary: inout ImportSummary) {
        if let schema = batch.schema { observe(.schema(schema)) }
        for note in batch.notes { observe(.note(note)) }
        for rejection in batch.rejections { observe(.rejected(rejection)) }
        summary.cut = batch.rejections.last(where: \.isCut) ?? summary.cut
        summary.layout = batch.layout ?? summary.layout
        let untouched = batch.checkpoint?.untouched ?? 0
        summary.counts.unchanged += untouched
        summary.progress.users += batch.users.records.count { !$0.isLeftOut } + batch.users.repeated + untouched
        summary.progress.hidden += batch.users.records.count { $0.isHidden && !$0.isLeftOut }
        summary.progress.service = batch.service
        summary.progress.rejected += batch.rejected
        summary.progress.losses += batch.losses
        summary.progress.leftOut += batch.leftOut
        summary.progress.bytesRead = batch.bytesRead
        summary.progress.size = batch.size
    }

    /// Completes the summary after the last batch, when reading has ended as `reading` says.
    mutating func finish(_ reading: ImportRun.Reading) {
        summary.unsaved = max(0, reading.taken - summary.progress.users)
        if summary.end.isComplete {
            // Cancellation may also stop the source's own processes, whose errors are then of no interest.
            if configuration.cancellation.isCancelled {
                summary.end = .cancelled
            } else if let failure = reading.error {
                summary.end = .failed(failure)
            }
        }
        do {
            try removeDeparted()
            if summary.end.isComplete, !configuration.prunesAll {
                summary.goneNamesakes = try opened?.goneNamesakes() ?? []
            }
            try prune()
            if summary.end.isComplete { try opened?.noteImport() }
        } catch { summary.end = .failed(error) }
        summary.progress.elapsed = ContinuousClock.now - start
    }

    /// Removes the people of whom the source says that they have left, unless they are too many and nobody has agreed.
    private mutating func removeDeparted() throws {
        guard summary.end.isComplete, let writer = opened, let schema = summary.schema else { return }
        let pruning = try writer.departures()
        let refusal = refusal(of: pruning, schema.departure(pruning))
        // A dry run shows who would go, and then what an import would say.
        if let refusal, !configuration.isDryRun { throw refusal }
        summary.counts.departed = try writer.removeDeparted()
        if let refusal { throw refusal }
    }

    /// The refusal to remove as many people as `pruning` says; `nil` if nobody must agree to the consequence.
    private func refusal(of pruning: Pruning, _ consequence: Consequence?) -> Refusal? {
        guard pruning.isTooMuch, !configuration.prunesAll, let consequence else { return nil }
        let isSaved = !configuration.isJudging && !configuration.isDryRun
        return Refusal([consequence], outcome: isSaved ? "nobody was removed" : "nothing was saved")
    }

    /// Removes the users that the source no longer has, unless the run may have missed one: a rejected record may be
    /// that of an existing user.
    private mutating func prune() throws {
        guard configuration.isPruning, !summary.progress.service.isUnchanged else { return }
        summary.keptBecause = reasonToKeep
        guard summary.keptBecause == nil, let writer = try writer() else { return }
        let service = summary.progress.service
        try writer.keep(summary.goneNamesakes.map(\.id))
        let rule: PruningRule = service.mayMissUsers ? .missingTwice : .missing
        let pruning = try writer.pruning(rule)
        let refusal = refusal(of: pruning, .removes(pruning, from: writer.directory.slug))
        if let refusal, !configuration.isDryRun { throw refusal }
        summary.removed = try writer.removeUsersNotWritten(rule)
        if pruning.missingOnce > 0 { observe(.note(Self.note(missingOnce: pruning.missingOnce))) }
        if let refusal { throw refusal }
    }

    /// Why nobody is removed, as the most telling of the facts says; `nil` if people are.
    private var reasonToKeep: String? {
        let (service, isComplete) = (summary.progress.service, summary.end.isComplete)
        let isRejected = summary.progress.rejected > 0 && !configuration.prunesBesideRejections
        let reasons: [(holds: Bool, String?)] = [
            (isComplete && summary.progress.users == 0, "the source is empty"),
            (summary.cut != nil || isRejected, "some records were rejected"),
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

    /// Users move between the pages of a service while they are read, or a page comes empty by mistake.
    private static func note(missingOnce count: Int) -> String {
        """
        \(counted(count, "person was", "people were")) on no page of the service; --prune removes them if the next import \
        does not find them either
        """
    }
}
