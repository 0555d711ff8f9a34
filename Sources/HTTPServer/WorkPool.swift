import Dispatch
import Synchronization

/// Runs what may take longer, on serial queues of its own, in the order in which it came.
///
/// Never on Dispatch's global queues: with some blocked work items those start no others for seconds.
final class WorkPool: Sendable {
    /// Names a piece of work; they count up.
    typealias Ticket = Int
    typealias Work = @Sendable (Ticket) -> Void

    private struct State {
        var idle: [Int]
        /// By ticket. There are gaps where work was cancelled.
        var waiting: [Ticket: Work] = [:]
        /// No ticket before it waits.
        var first = 0
        /// The next one to be given out.
        var end = 0
        /// Pieces that were done.
        var finished = 0

        mutating func next() -> (Ticket, Work)? {
            while !waiting.isEmpty {
                defer { first += 1 }
                if let work = waiting.removeValue(forKey: first) { return (first, work) }
            }
            first = end
            return nil
        }
    }

    private let queues: [DispatchQueue]
    private let backlog: Int
    private let state: Mutex<State>

    init(workers: Int, backlog: Int) {
        let workers = max(workers, 1)
        queues = (0..<workers).map { DispatchQueue(label: "rollcall.worker.\($0)") }
        self.backlog = max(backlog, 0)
        state = Mutex(State(idle: Array(0..<workers)))
    }

    /// Pieces of work that wait or run.
    var pending: Int { state.withLock { $0.waiting.count + queues.count - $0.idle.count } }

    /// Takes `work`, and passes it its ticket when it runs; answers `nil` if too much waits already.
    func submit(_ work: @escaping Work) -> Ticket? {
        let (ticket, worker) = state.withLock { state -> (Ticket?, Int?) in
            let worker = state.idle.popLast()
            guard worker != nil || state.waiting.count < backlog else { return (nil, nil) }
            defer { state.end += 1 }
            if worker == nil { state.waiting[state.end] = work }
            return (state.end, worker)
        }
        if let ticket, let worker { queues[worker].async { [self] in run(work, ticket, on: worker) } }
        return ticket
    }

    /// Forgets work that nobody waits for any more, unless it runs already.
    func cancel(_ ticket: Ticket) {
        state.withLock { _ = $0.waiting.removeValue(forKey: ticket) }
    }

    /// Whether a worker is free, and how many pieces are done: a pool that has neither a free worker nor done anything for long
    /// is stuck.
    var progress: (hasIdle: Bool, finished: Int) { state.withLock { (!$0.idle.isEmpty, $0.finished) } }

    private func run(_ work: Work, _ ticket: Ticket, on worker: Int) {
        work(ticket)
        while let (ticket, work) = takeNext(worker) { work(ticket) }
    }

    private func takeNext(_ worker: Int) -> (Ticket, Work)? {
        state.withLock { state in
            state.finished += 1
            if let next = state.next() { return next }
            state.idle.append(worker)
            return nil
        }
    }
}
