import Dispatch
import People

/// The batches of an import. Filled ones pass from the thread that reads to the thread that writes, and return empty.
final class BatchPool: Sendable {
    /// Bounds the memory: reading waits for writing when all batches are filled. A transaction takes batches faster
    /// than they are read, and then none for as long, while it updates orders and search index. Sixteen batches are
    /// half of a transaction.
    private static let count = 16
    private let filled = BoundedQueue<ImportBatch>(capacity: count)
    private let emptied = BoundedQueue<UserBatch>(capacity: count)

    init() {
        for _ in 0..<Self.count { _ = emptied.put(UserBatch()) }
    }

    // MARK: For the thread that reads

    /// Waits for an empty batch. Throws ``ImportCancellation/Stop`` after ``close()``.
    func empty() throws -> UserBatch {
        guard let batch = emptied.take() else { throw ImportCancellation.Stop() }
        return batch
    }

    /// Passes on a filled batch. Returns `false` after ``close()``.
    func write(_ batch: ImportBatch) -> Bool { filled.put(batch) }

    /// Waits until all filled batches have been written, while the caller holds one empty batch.
    func waitUntilWritten() throws {
        for batch in try (1..<Self.count).map({ _ in try empty() }) { _ = emptied.put(batch) }
    }

    /// Marks the end of the filled batches.
    func finish() { filled.finish() }

    // MARK: For the thread that writes

    /// Waits for the next filled batch; returns `nil` after the last one.
    func next() -> ImportBatch? { filled.take() }

    /// Returns the next filled batch if there is one now, or, if `isSoon`, within 200 ms.
    func next(isSoon: Bool) -> ImportBatch? { filled.take(by: isSoon ? .now() + .milliseconds(200) : .now()) }

    /// Empties a written batch and returns it to the thread that reads.
    func reuse(_ batch: UserBatch) {
        batch.removeAll()
        _ = emptied.put(batch)
    }

    /// Ends writing: the thread that reads stops at its next batch.
    func close() {
        filled.close()
        emptied.finish()
    }
}
