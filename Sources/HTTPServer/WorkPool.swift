import Dispatch
import Synchronization

/// Runs what may take longer, on serial queues of its own, in the order in which it came.
///
/// Never on Dispatch's global queues: with some blocked work items those start no others for seconds.
final class WorkPool: Sendable {
    typealias Work = @Sendable () -> Void

    private struct State {
        var idle: [Int]
        var waiting: [Work?] = []
        var first = 0
        var isEmpty: Bool { first == waiting.count }
        var count: Int { waiting.count - first }

        mutating func next() -> Work? {
            guard !isEmpty else { return nil }
            defer {
                waiting[first] = nil
                first += 1
                if first > 64, first * 2 > waiting.count {
                    waiting.removeFirst(first)
                    first = 0
                }
            }
            return waiting[first]
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
    var pending: Int { state.withLock { $0.count + queues.count - $0.idle.count } }

    /// Takes `work`, or answers `false` if too much waits already.
    func submit(_ work: @escaping Work) -> Bool {
        enum Place {
            case worker(Int)
            case queue, nowhere
        }
        let place = state.withLock { state -> Place in
            if let worker = state.idle.popLast() { return .worker(worker) }
            guard state.count < backlog else { return .nowhere }
            state.waiting.append(work)
            return .queue
        }
        switch place {
        case .worker(let worker):
            queues[worker].async { [self] in run(work, on: worker) }
            return true
        case .queue: return true
        case .nowhere: return false
        }
    }

    private func run(_ work: Work, on worker: Int) {
        work()
        while let next = takeNext(worker) { next() }
    }

    private func takeNext(_ worker: Int) -> Work? {
        state.withLock { state in
            if let next = state.next() { return next }
            state.idle.append(worker)
            return nil
        }
    }
}
