import Dispatch
import Logging
import Metrics
import Synchronization

/// Hands lines to the sink on a queue of its own, so that a pipe that nobody reads stops no event loop.
final class AccessLogWriter: Sendable {
    /// What may wait for the sink; lines beyond that are dropped, counted, and owned up to.
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

    /// Takes some lines; returns at once.
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

    /// Calls `done` when everything handed over so far has been written.
    func flush(then done: @escaping @Sendable () -> Void) { queue.async(execute: done) }

    private func reportDrops() {
        let lines = unreportedDrops.exchange(0, ordering: .relaxed)
        if lines > 0 { logger.warning("\(lines) access log lines were dropped: the log was not read fast enough") }
    }
}
