import Base
import Dispatch
import Metrics
import Synchronization

/// Runs slow work on its own serial queues, in order of arrival: responses, and further pieces of streamed responses.
/// If both wait, they take turns: however many long responses are being sent, a search waits for only one piece of
/// them.
///
/// It never uses Dispatch's global queues: when a few work items block, those may start no others for seconds.
final class WorkPool: Sendable {
    /// Identifies a piece of work. Tickets count up.
    typealias Ticket = Int
    typealias Work = @Sendable (Ticket) -> Void

    /// The metrics of the pool.
    struct Figures: Sendable {
        var waiting = 0
        var running = 0
        var refused = 0
        /// How long work waited for a worker, and how long it ran.
        var waits = HistogramSum()
        var runs = HistogramSum()
    }

    /// A piece of work, and the time since when it waits, in nanoseconds.
    private typealias Piece = (ticket: Ticket, work: Work, since: Int)

    /// A queue of waiting work, in ticket order.
    private struct Line {
        /// The waiting pieces by ticket. Tickets are missing if their work was cancelled or is in the other line.
        private var pieces: [Ticket: Piece] = [:]
        /// No waiting piece has a lower ticket.
        private var first = 0

        var count: Int { pieces.count }

        mutating func append(_ piece: Piece) {
            if pieces.isEmpty { first = piece.ticket }
            pieces[piece.ticket] = piece
        }

        mutating func remove(_ ticket: Ticket) { pieces[ticket] = nil }

        mutating func next() -> Piece? {
            while !pieces.isEmpty {
                defer { first += 1 }
                if let piece = pieces.removeValue(forKey: first) { return piece }
            }
            return nil
        }
    }

    private struct State {
        var idle: [Int]
        var isStopped = false
        var figures = Figures()
        var answers = Line()
        /// Further pieces of streamed responses.
        var pieces = Line()
        private var isPiecesTurn = false
        /// The next ticket.
        var end = 0
        /// The number of finished pieces.
        var finished = 0

        init(idle: [Int]) { self.idle = idle }

        var waiting: Int { answers.count + pieces.count }

        mutating func next() -> Piece? {
            isPiecesTurn.toggle()
            return isPiecesTurn ? pieces.next() ?? answers.next() : answers.next() ?? pieces.next()
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

    /// Queues `work` and passes it its ticket when it runs. Returns `nil` if too much work is already waiting.
    ///
    /// - Parameter isFurther: Whether it is the next piece of a streamed response. Each connection has at most one of
    ///   them, so they are always accepted and do not count against the backlog.
    func submit(isFurther: Bool = false, _ work: @escaping Work) -> Ticket? {
        let now = SystemValues.nanoseconds()
        let (piece, worker) = state.withLock { state -> (Piece?, Int?) in
            if state.isStopped { return (nil, nil) }
            let worker = state.idle.popLast()
            guard worker != nil || isFurther || state.answers.count < backlog else {
                state.figures.refused += 1
                return (nil, nil)
            }
            defer { state.end += 1 }
            let piece: Piece = (state.end, work, now)
            guard worker == nil else { return (piece, worker) }
            if isFurther { state.pieces.append(piece) } else { state.answers.append(piece) }
            return (piece, nil)
        }
        if let piece, let worker { queues[worker].async { [self] in run(piece, on: worker) } }
        return piece?.ticket
    }

    /// Removes all waiting work, accepts no more, and waits until none runs.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            (state.answers, state.pieces) = (Line(), Line())
        }
        for queue in queues { queue.sync {} }
    }

    /// Removes waiting work. Has no effect if the work already runs.
    func cancel(_ ticket: Ticket) {
        state.withLock { state in
            state.answers.remove(ticket)
            state.pieces.remove(ticket)
        }
    }

    /// Whether a worker is free, and the number of finished pieces. A pool is stuck if no worker is free and the number
    /// has not grown for long.
    var progress: (hasIdle: Bool, finished: Int) { state.withLock { (!$0.idle.isEmpty, $0.finished) } }

    var figures: Figures {
        state.withLock { state in
            var figures = state.figures
            figures.waiting = state.waiting
            figures.running = queues.count - state.idle.count
            return figures
        }
    }

    private func run(_ first: Piece, on worker: Int) {
        var next: Piece? = first
        while let piece = next {
            let started = SystemValues.nanoseconds()
            piece.work(piece.ticket)
            next = takeNext(worker, waited: started - piece.since, ran: SystemValues.nanoseconds() - started)
        }
    }

    private func takeNext(_ worker: Int, waited: Int, ran: Int) -> Piece? {
        state.withLock { state in
            state.finished += 1
            state.figures.waits.add(waited)
            state.figures.runs.add(ran)
            if let next = state.next() { return next }
            state.idle.append(worker)
            return nil
        }
    }
}
