import Dispatch
import Publishing
import Synchronization

/// The batches of an import. Filled ones pass from the thread that reads to the thread that writes, and return empty.
final class BatchPool: Sendable {
    /// Bounds the memory: reading waits for writing when all batches are filled. A transaction takes batches faster
    /// than they are read, and then none for as long, while it updates orders and search index. Twenty-four batches are
    /// three quarters of a transaction.
    private static let count = 24
    private let filled = BoundedQueue<ImportBatch>(capacity: count)
    private let emptied = BoundedQueue<UserBatch>(capacity: count)

    init() {
        for _ in 0..<Self.count { _ = emptied.put(UserBatch()) }
    }

    // MARK: For the thread that reads

    /// Waits for an empty batch. Throws `CancellationError` after ``close()``.
    func empty() throws -> UserBatch {
        guard let batch = emptied.take() else { throw CancellationError() }
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

/// A short queue between two threads. `put` waits while it is full, `take` waits while it is empty.
final class BoundedQueue<Item: Sendable>: Sendable {
    private let state = Mutex((items: [Item](), isClosed: false))
    // Both start at zero: libdispatch traps if a semaphore is deallocated while it is below its initial value.
    private let slots = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)

    init(capacity: Int) {
        for _ in 0..<capacity { slots.signal() }
    }

    /// Adds an item. Returns `false`, and drops the item, after ``close()``.
    func put(_ item: Item) -> Bool {
        slots.wait()
        let isTaken = state.withLock { state in
            if !state.isClosed { state.items.append(item) }
            return !state.isClosed
        }
        filled.signal()
        if !isTaken { slots.signal() }  // So that the next call does not wait for ever either.
        return isTaken
    }

    /// Marks the end of the items: whoever takes one more gets `nil`.
    func finish() { filled.signal() }

    /// Waits for the next item and returns it; returns `nil` after the last one.
    func take() -> Item? {
        filled.wait()
        return next()
    }

    /// Returns the next item if it arrives by `deadline`; `nil` also after the last one.
    func take(by deadline: DispatchTime) -> Item? {
        filled.wait(timeout: deadline) == .success ? next() : nil
    }

    private func next() -> Item? {
        let item = state.withLock { $0.items.isEmpty ? nil : $0.items.removeFirst() }
        // After the last item, later calls return `nil` as well.
        if item == nil { filled.signal() } else { slots.signal() }
        return item
    }

    /// Refuses further items and drops the queued ones. A `put` that waits returns.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.items.removeAll()
        }
        slots.signal()
    }
}
