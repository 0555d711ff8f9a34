import Dispatch
import Metrics
import Synchronization

/// Runs what may take longer, on serial queues of its own, in the order in which it came: answers, and further pieces of
/// answers that were begun. Where both wait, they take turns, so that however many long answers are being sent, a search waits
/// for one piece of them.
///
/// Never on Dispatch's global queues: with some blocked work items those start no others for seconds.
final class WorkPool: Sendable {
    /// Names a piece of work; they count up.
    typealias Ticket = Int
    typealias Work = @Sendable (Ticket) -> Void

    /// What the pool has done, and does.
    struct Figures: Sendable {
        var waiting = 0
        var running = 0
        var refused = 0
        /// How long work waited for a worker, and how long it took.
        var waits = HistogramSum()
        var runs = HistogramSum()
    }

    /// Work, and since when it waits, in nanoseconds.
    private struct Piece {
        var ticket: Ticket
        var work: Work
        var since: Int
    }

    /// Work that waits, in the order of its tickets.
    private struct Line {
        /// There are gaps where work was cancelled, or is in the other line.
        private var pieces: [Ticket: Piece] = [:]
        /// No ticket before it waits.
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
        var figures = Figures()
        var answers = Line()
        /// Further pieces of answers that were begun.
        var pieces = Line()
        private var isPiecesTurn = false
        /// The next ticket to be given out.
        var end = 0
        /// Pieces that were done.
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

    /// Pieces of work that wait or run.
    var pending: Int { state.withLock { $0.waiting + queues.count - $0.idle.count } }

    /// Takes `work`, and passes it its ticket when it runs; answers `nil` if too much waits already.
    ///
    /// - Parameter isFurther: whether it is the next piece of something that was begun. There is one a connection at most; they
    ///   are always taken, and take no place from others.
    func submit(isFurther: Bool = false, _ work: @escaping Work) -> Ticket? {
        let now = Clock.nanoseconds
        let (piece, worker) = state.withLock { state -> (Piece?, Int?) in
            let worker = state.idle.popLast()
            guard worker != nil || isFurther || state.answers.count < backlog else {
                state.figures.refused += 1
                return (nil, nil)
            }
            defer { state.end += 1 }
            let piece = Piece(ticket: state.end, work: work, since: now)
            guard worker == nil else { return (piece, worker) }
            if isFurther { state.pieces.append(piece) } else { state.answers.append(piece) }
            return (piece, nil)
        }
        if let piece, let worker { queues[worker].async { [self] in run(piece, on: worker) } }
        return piece?.ticket
    }

    /// Forgets work that nobody waits for any more, unless it runs already.
    func cancel(_ ticket: Ticket) {
        state.withLock { state in
            state.answers.remove(ticket)
            state.pieces.remove(ticket)
        }
    }

    /// Whether a worker is free, and how many pieces are done: a pool that has neither a free worker nor done anything for long
    /// is stuck.
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
            let started = Clock.nanoseconds
            piece.work(piece.ticket)
            next = takeNext(worker, waited: started - piece.since, ran: Clock.nanoseconds - started)
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
