import Dispatch
import Synchronization

/// A short queue from one thread to another: who puts waits while it is full, who takes waits while it is empty.
final class BoundedQueue<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        var isFinished = false
        var isClosed = false
    }

    private let state = Mutex(State())
    // Both start at zero: libdispatch traps on a semaphore that goes while it counts less than it began with.
    private let slots = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)

    init(capacity: Int) {
        for _ in 0..<capacity { slots.signal() }
    }

    /// Answers `false` once nobody takes any more.
    func put(_ item: Item) -> Bool {
        slots.wait()
        let isTaken = state.withLock { state in
            if !state.isClosed { state.items.append(item) }
            return !state.isClosed
        }
        filled.signal()
        if !isTaken { slots.signal() }  // For the next one, who must not wait for ever either.
        return isTaken
    }

    /// Says that nothing more comes.
    func finish() {
        state.withLock { $0.isFinished = true }
        filled.signal()
    }

    /// The next item; `nil` after the last one.
    func take() -> Item? {
        filled.wait()
        return next()
    }

    /// The next item, if there is one by `deadline`; `nil` after the last one, too.
    func take(by deadline: DispatchTime) -> Item? {
        filled.wait(timeout: deadline) == .success ? next() : nil
    }

    private func next() -> Item? {
        let item = state.withLock { $0.items.isEmpty ? nil : $0.items.removeFirst() }
        // After the last one, whoever asks once more is told the same.
        if item == nil { filled.signal() } else { slots.signal() }
        return item
    }

    /// Says that nothing more is taken; whoever waits to put goes on.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.items.removeAll()
        }
        slots.signal()
    }
}
