import Dispatch
import Synchronization

/// A short queue from one thread to another: who puts waits while it is full, who takes waits while it is empty.
final class Handover<Item: Sendable>: Sendable {
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
        defer { slots.signal() }
        return state.withLock { $0.items.isEmpty ? nil : $0.items.removeFirst() }
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
