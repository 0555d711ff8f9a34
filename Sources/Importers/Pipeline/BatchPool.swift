import Directories
import Dispatch

/// The batches of an import on their way: filled ones go to the thread that writes, and come back empty.
final class BatchPool: Sendable {
    /// Reading waits for writing when all are filled, and no more is in memory. A transaction takes batches faster than they are
    /// read, and then none for as long, while it brings orders and index up to date: these are a third of what it takes.
    private static let count = 8
    private let filled = BoundedQueue<ImportBatch>(capacity: count)
    private let emptied = BoundedQueue<UserBatch>(capacity: count)

    init() {
        for _ in 0..<Self.count { _ = emptied.put(UserBatch()) }
    }

    // MARK: For the thread that reads

    /// Waits for a batch to fill.
    func empty() throws -> UserBatch {
        guard let batch = emptied.take() else { throw ImportCancellation.Stop() }
        return batch
    }

    /// Hands over a batch; answers `false` once nobody writes any more.
    func write(_ batch: ImportBatch) -> Bool { filled.put(batch) }

    /// Waits until every batch that was handed over has been written; one is at hand.
    func waitUntilWritten() throws {
        for batch in try (1..<Self.count).map({ _ in try empty() }) { _ = emptied.put(batch) }
    }

    /// Says that nothing more comes.
    func finish() { filled.finish() }

    // MARK: For the thread that writes

    /// The next batch; `nil` after the last one.
    func next() -> ImportBatch? { filled.take() }

    /// The next batch, if it comes at once, or soon when `isSoon`.
    func next(isSoon: Bool) -> ImportBatch? { filled.take(by: isSoon ? .now() + .milliseconds(200) : .now()) }

    /// Gives a batch back that has been written.
    func reuse(_ batch: UserBatch) {
        batch.removeAll()
        _ = emptied.put(batch)
    }

    /// Says that nothing more is written.
    func close() {
        filled.close()
        emptied.finish()
    }
}
