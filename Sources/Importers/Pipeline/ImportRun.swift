import Directories
import Foundation

/// Carries people from a source into a directory, in batches: one thread reads and decodes while this one writes.
public struct ImportRun {
    public struct Configuration: Sendable {
        /// 4,096: a transaction takes as many batches as come in time, so that its end counts little; a batch of
        /// people of whom much is known has fewer (``UserBatch/maxBytes``).
        public var batchSize = 4_096
        /// A slow source's people are written after this long, however few they are.
        public var flushInterval: Duration = .seconds(1)
        /// Whether people that the source does not have any more are removed, after a run that read all of it.
        public var isPruning = false
        public var cancellation = ImportCancellation()

        public init() {}
    }

    private let configuration: Configuration
    private let openWriter: () throws -> (any DirectoryWriter)?

    /// The writer is opened when there is something to write: a source that has nobody leaves no empty directory.
    public init(
        configuration: Configuration = Configuration(), openWriter: @escaping () throws -> (any DirectoryWriter)?
    ) {
        self.configuration = configuration
        self.openWriter = openWriter
    }

    /// Without a writer, the run reads, checks and counts, and saves nothing.
    public init(writer: (any DirectoryWriter)?, configuration: Configuration = Configuration()) {
        self.init(configuration: configuration) { writer }
    }

    /// Imports `source` to its end, or until it fails or is cancelled: see the summary's `end`. Every batch is saved whole
    /// or not at all; running again completes what is missing.
    ///
    /// `observe` gets every batch as it is done.
    public func run(_ source: some ImportSource, observe: @escaping (ImportEvent) -> Void = { _ in }) -> ImportSummary {
        var tally = ImportCounts(openWriter: openWriter, configuration: configuration, observe: observe)
        let exchange = BatchPool()
        let reading = Reading(source: source, configuration: configuration, exchange: exchange)
        reading.start()
        do {
            while let batch = exchange.next(), !configuration.cancellation.isCancelled {
                try tally.take(batch, and: exchange)
            }
        } catch  where error is ImportCancellation.Stop || configuration.cancellation.isCancelled {
            // Who waits for a database that is locked waits no longer then.
            tally.summary.end = .cancelled
        } catch { tally.summary.end = .failed(error) }
        exchange.close()
        tally.finish(reading.wait())
        return tally.summary
    }
}

/// What an import tells while it goes on.
public enum ImportEvent: Sendable {
    case rejected(Rejection)
    case note(String)
    case progress(ImportProgress)
}

/// How far an import has got.
public struct ImportProgress: Sendable {
    /// People read and saved, or only read in a dry run.
    public var users = 0
    public var rejected = 0
    public var ignoredLinks = IgnoredLinks()
    public var bytesRead: Int64 = 0
    /// How many bytes there are to read, where that is known.
    public var size: Int64?
    public var elapsed: Duration = .zero
    /// Of an import from a service.
    public var service = ServiceStatus()

    public init() {}
}

/// How an import from a service stands with it.
public struct ServiceStatus: Equatable, Sendable {
    public var pages = 0
    public var requests = 0
    public var budget: Quota?
    /// How many people there are, and how many of them have come, earlier runs included.
    public var expected: Int?
    public var reached = 0
    /// Whether this run goes on where an earlier one was interrupted, and so does not see whom that one saw.
    public var isContinued = false
    /// How many people of lists were left out, because a record of their own is not there.
    public var missing = 0
    /// What is waited for.
    public var waiting: Backoff?

    public init() {}
}

/// What an import did.
public struct ImportSummary: Sendable {
    public enum End: Sendable {
        case complete, cancelled
        case failed(any Error)
    }

    public var end = End.complete
    public var progress = ImportProgress()
    public var counts = WriteCounts()
    /// How many people were removed; `nil` if none were to be, or ``keptBecause`` says why not.
    public var removed: Int?
    /// Why nobody was removed though that was asked for.
    public var keptBecause: String?

    public init(end: End = .complete) { self.end = end }
}

/// The side of a run that writes and counts.
private struct ImportCounts {
    let openWriter: () throws -> (any DirectoryWriter)?
    let configuration: ImportRun.Configuration
    let observe: (ImportEvent) -> Void
    var summary = ImportSummary()
    private var opened: (any DirectoryWriter)?
    private var isOpened = false
    private let start = ContinuousClock.now

    init(
        openWriter: @escaping () throws -> (any DirectoryWriter)?, configuration: ImportRun.Configuration,
        observe: @escaping (ImportEvent) -> Void
    ) {
        self.openWriter = openWriter
        self.configuration = configuration
        self.observe = observe
    }

    private mutating func writer() throws -> (any DirectoryWriter)? {
        if isOpened { return opened }
        opened = try openWriter()
        isOpened = true
        if configuration.isPruning { try opened?.beginPruning() }
        return opened
    }

    /// Saves a batch, and those that come meanwhile, in one transaction; what they did counts when all are saved.
    mutating func take(_ first: ImportBatch, and exchange: BatchPool) throws {
        var held: ImportBatch? = first
        var done = summary
        tell(first, in: &done)
        if !first.users.isEmpty || first.checkpoint != nil, let writer = try writer() {
            done.counts += try writer.write(first.users, checkpoint: first.checkpoint) {
                // Who hands over a checkpoint waits until it is saved.
                guard let written = held, written.checkpoint == nil, !configuration.cancellation.isCancelled
                else { return nil }
                held = nil
                exchange.reuse(written.users)
                held = exchange.next(isSoon: written.isFull)
                if let held { tell(held, in: &done) }
                return held.map { ($0.users, $0.checkpoint) }
            }
        }
        if let held { exchange.reuse(held.users) }
        done.progress.elapsed = ContinuousClock.now - start
        summary = done
        observe(.progress(done.progress))
    }

    /// Tells what is to be said of a batch, and adds it to what is done, except for what its writer counts.
    private func tell(_ batch: ImportBatch, in done: inout ImportSummary) {
        for note in batch.notes { observe(.note(note)) }
        for rejection in batch.rejections { observe(.rejected(rejection)) }
        let untouched = batch.checkpoint?.untouched ?? 0
        done.counts.unchanged += untouched
        done.progress.users += batch.users.records.count + batch.users.repeated + untouched
        done.progress.service = batch.service
        done.progress.rejected += batch.rejected
        done.progress.ignoredLinks += batch.ignoredLinks
        done.progress.bytesRead = batch.bytesRead
        done.progress.size = batch.size
    }

    mutating func finish(_ failure: (any Error)?) {
        if case .complete = summary.end {
            // Whoever cancels may stop the source's own processes, too: their complaints are no news then.
            if configuration.cancellation.isCancelled {
                summary.end = .cancelled
            } else if let failure {
                summary.end = .failed(failure)
            }
        }
        do {
            try complete()
            if case .complete = summary.end { try opened?.noteImport() }
        } catch { summary.end = .failed(error) }
        summary.progress.elapsed = ContinuousClock.now - start
    }

    /// After the source's end: removes whom the source no longer has. Not after a run that did not see every person for
    /// certain: a record that was rejected may be somebody who is there.
    private mutating func complete() throws {
        guard configuration.isPruning else { return }
        var isComplete = false
        if case .complete = summary.end { isComplete = true }
        if !isComplete { summary.keptBecause = "the import did not reach its end" }
        let service = summary.progress.service
        if service.isContinued {
            summary.keptBecause =
                "the import continued an interrupted one; only an import from beginning to end removes people"
        }
        if service.missing > 0 { summary.keptBecause = "some people had no record of their own" }
        if summary.progress.rejected > 0 { summary.keptBecause = "some records were rejected" }
        if isComplete, summary.progress.users == 0 { summary.keptBecause = "the source is empty" }
        if summary.keptBecause == nil { summary.removed = try writer()?.removeUsersNotWritten() }
    }
}

/// The side of a run that reads, on a thread of its own.
private final class Reading: Sendable {
    private let source: any ImportSource
    private let configuration: ImportRun.Configuration
    private let exchange: BatchPool
    private let outcome = BoundedQueue<Outcome>(capacity: 1)

    struct Outcome: Sendable { var error: (any Error)? }

    init(source: any ImportSource, configuration: ImportRun.Configuration, exchange: BatchPool) {
        self.source = source
        self.configuration = configuration
        self.exchange = exchange
    }

    func start() {
        let thread = Thread { [self] in
            let error = read()
            exchange.finish()
            _ = outcome.put(Outcome(error: error))
        }
        thread.name = "import"
        thread.start()
    }

    /// Waits until nothing is read any more; answers why it ended early, if it did.
    func wait() -> (any Error)? { outcome.take()?.error }

    private func read() -> (any Error)? {
        var failure: (any Error)?
        do {
            let sink = try ImportSink(configuration: configuration, exchange: exchange)
            do { try source.read(into: sink) } catch { failure = error }
            try sink.finish()
        } catch { failure = failure ?? error }
        return failure
    }
}
