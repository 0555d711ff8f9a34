import Dispatch
import Logging
import Metrics
import Synchronization

/// Passes lines to the sink on its own queue, so that an unread pipe never blocks an event loop.
final class AccessLogWriter: Sendable {
    /// The number of bytes that may wait for the sink. Lines beyond it are dropped, counted and reported.
    private static let maxWaitingBytes = 1 << 20

    let format: Server.AccessLog.Format
    private let sink: @Sendable (UnsafeRawBufferPointer) -> Void
    private let queue = DispatchQueue(label: "rollcall.log")
    private let logger: Logger
    private let waitingBytes = Atomic<Int>(0)
    private let unreportedDrops = Atomic<Int>(0)
    let dropped = SharedCounter()

    init?(_ log: Server.AccessLog, logger: Logger) {
        guard log.format != .off else { return nil }
        format = log.format
        sink = log.sink
        self.logger = logger
    }

    /// Queues some lines and returns at once.
    func write(_ bytes: UnsafeRawBufferPointer, lines: Int) {
        let count = bytes.count
        guard waitingBytes.load(ordering: .relaxed) + count <= Self.maxWaitingBytes else {
            dropped.add(lines)
            unreportedDrops.wrappingAdd(lines, ordering: .relaxed)
            return
        }
        waitingBytes.wrappingAdd(count, ordering: .relaxed)
        let copy = [UInt8](bytes)
        queue.async { [self] in
            copy.withUnsafeBytes(sink)
            waitingBytes.wrappingSubtract(count, ordering: .relaxed)
            reportDrops()
        }
    }

    /// Calls `done` when all lines passed so far have been written.
    func flush(then done: @escaping @Sendable () -> Void) { queue.async(execute: done) }

    private func reportDrops() {
        let lines = unreportedDrops.exchange(0, ordering: .relaxed)
        if lines > 0 { logger.warning("\(lines) access log lines were dropped: the log was not read fast enough") }
    }
}
