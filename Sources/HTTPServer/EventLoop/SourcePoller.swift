import Dispatch

/// One or two dispatch sources for each connection: for systems without epoll, and to check the other transport
/// against.
///
/// On Linux, libdispatch sometimes loses a hang-up that arrives while a source changes its state (3 of 1,000
/// connections that were reset while 8 MiB were on their way, Swift 6.3). Such a connection stays open until its
/// deadline.
///
/// `@unchecked Sendable`: everything is used on the loop's serial queue only; `perform` only passes work to that queue.
final class SourcePoller: Poller, @unchecked Sendable {
    private let queue: DispatchQueue
    private weak var target: (any PollerTarget)?

    init(queue: DispatchQueue, target: any PollerTarget) {
        self.queue = queue
        self.target = target
    }

    func stop() {}

    func add(_ connection: Connection) -> Bool {
        let sources = ConnectionSources(connection.socket, on: queue)
        let token = connection.token
        sources.whenReady { [weak self] in self?.report(token, $0) }
        connection.sources = sources
        sources.watch(.reading)
        return true
    }

    func watch(_ connection: Connection, for interest: Interest) { connection.sources?.watch(interest) }

    func close(_ connection: Connection) {
        connection.sources?.cancel()
        connection.sources = nil
    }

    func perform(_ work: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            target?.beginBatch()
            work()
            target?.endRound()
            target?.endBatch()
        }
    }

    private func report(_ token: Token, _ readiness: Readiness) {
        target?.beginBatch()
        target?.ready(token, readiness)
        target?.endRound()
        target?.endBatch()
    }
}

/// The two sources of a descriptor. Each runs only while it is needed. Confined to the loop's queue.
final class ConnectionSources {
    private let reader: any DispatchSourceRead
    private let writer: any DispatchSourceWrite
    private var readerRuns = false
    private var writerRuns = false

    /// The descriptor is closed in the cancel handler of the last source. If it were closed earlier, its number could
    /// be given to another socket while Dispatch still watches it.
    init(_ socket: Socket, on queue: DispatchQueue) {
        reader = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
        writer = DispatchSource.makeWriteSource(fileDescriptor: socket.descriptor, queue: queue)
        let last = DispatchGroup()
        last.enter()
        last.enter()
        reader.setCancelHandler { last.leave() }
        writer.setCancelHandler { last.leave() }
        last.notify(queue: queue) { socket.close() }
    }

    func whenReady(_ report: @escaping @Sendable (Readiness) -> Void) {
        reader.setEventHandler { report(.readable) }
        writer.setEventHandler { report(.writable) }
    }

    func watch(_ interest: Interest) {
        setReader(runs: interest == .reading)
        setWriter(runs: interest == .writing)
    }

    /// Cancels both sources. A suspended source never calls its cancel handler, and releasing one crashes the process,
    /// so both are resumed.
    func cancel() {
        reader.cancel()
        writer.cancel()
        setReader(runs: true)
        setWriter(runs: true)
    }

    private func setReader(runs: Bool) {
        guard runs != readerRuns else { return }
        readerRuns = runs
        if runs { reader.resume() } else { reader.suspend() }
    }

    private func setWriter(runs: Bool) {
        guard runs != writerRuns else { return }
        writerRuns = runs
        if runs { writer.resume() } else { writer.suspend() }
    }
}
