import Base
import Dispatch
import Glibc
import Logging
import Metrics
import Synchronization

extension Server {
    /// The access log: one line per request.
    public struct AccessLog: Sendable {
        public enum Format: String, CaseIterable, Sendable {
            case off
            /// The combined format of Apache and nginx, followed by the duration in microseconds and the request id.
            case common
            /// One JSON object per line.
            case json
        }

        public var format: Format
        /// Receives one or more whole lines. It may block: it runs on a queue of its own.
        public var sink: @Sendable (Bytes) -> Void

        public init(
            _ format: Format = .off,
            sink: @escaping @Sendable (Bytes) -> Void = Self.writing(to: STDOUT_FILENO)
        ) {
            self.format = format
            self.sink = sink
        }

        /// Returns a sink that writes to a descriptor. Lines that the descriptor does not accept are lost.
        public static func writing(to descriptor: Int32) -> @Sendable (Bytes) -> Void {
            { _ = SystemFile.write($0, to: descriptor) }
        }
    }
}

/// Passes lines to the sink on its own queue, so that an unread pipe never blocks an event loop.
final class AccessLogWriter: Sendable {
    /// The number of bytes that may wait for the sink. Lines beyond it are dropped, counted and reported.
    private static let maxWaitingBytes = 1 << 20

    let format: Server.AccessLog.Format
    private let sink: @Sendable (Bytes) -> Void
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
            copy.withBytes(sink)
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
