import Dispatch
import Synchronization

/// A short queue between two threads. `put` waits while it is full, `take` waits while it is empty.
final class BoundedQueue<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        var isFinished = false
        var isClosed = false
    }

    private let state = Mutex(State())
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

    /// Marks the end of the items.
    func finish() {
        state.withLock { $0.isFinished = true }
        filled.signal()
    }

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
