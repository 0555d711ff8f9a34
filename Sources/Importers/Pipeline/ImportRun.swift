import Foundation
import People
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
        /// more than 20 %, ends with a ``PruneRefusal``.
        public var prunesAll = false
        /// Whether they are removed even if some records were rejected.
        public var prunesBesideRejections = false
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
        let reader = SourceReader(source: source, configuration: configuration, pool: pool)
        reader.start()
        do {
            while let batch = pool.next(), !configuration.cancellation.isCancelled { try saver.save(batch) }
        } catch  where error is ImportCancellation.Stop || configuration.cancellation.isCancelled {
            // Cancellation also ends the wait for a locked database, with an error.
            saver.summary.end = .cancelled
        } catch { saver.summary.end = .failed(error) }
        pool.close()
        saver.finish(reader.wait())
        if case .complete = saver.summary.end, !configuration.isJudging { source.completed() }
        return saver.summary
    }
}

/// The part of a run that reads the source, on a thread of its own.
final class SourceReader: Sendable {
    private let source: any ImportSource
    private let configuration: ImportRun.Configuration
    private let pool: BatchPool
    private let outcome = BoundedQueue<Outcome>(capacity: 1)

    private struct Outcome: Sendable { var error: (any Error)? }

    init(source: any ImportSource, configuration: ImportRun.Configuration, pool: BatchPool) {
        self.source = source
        self.configuration = configuration
        self.pool = pool
    }

    func start() {
        let thread = Thread { [self] in
            let error = read()
            pool.finish()
            _ = outcome.put(Outcome(error: error))
        }
        thread.name = "import"
        thread.start()
    }

    /// Waits until reading has ended, and returns the error that ended it early, if any.
    func wait() -> (any Error)? { outcome.take()?.error }

    private func read() -> (any Error)? {
        var failure: (any Error)?
        do {
            let sink = try ImportSink(configuration: configuration, pool: pool)
            do { try source.read(into: sink) } catch { failure = error }
            try sink.finish()
        } catch { failure = failure ?? error }
        return failure
    }
}

/// Asks an import to stop. Any thread, and a signal handler, may call ``cancel()``.
public final class ImportCancellation: Sendable {
    private let flag = Atomic(false)

    public init() {}

    public func cancel() { flag.store(true, ordering: .relaxed) }

    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Ends a source's reading after a cancellation, or after writing has ended.
    public struct Stop: Error {
        public init() {}
    }
}
