import Base
import CLinux
import Glibc

/// A running worker: its process, and the connection to it.
final class SpawnedWorker {
    enum Failure: Error, Equatable {
        /// The worker closed the connection.
        case ended
        /// The worker did not answer in time.
        case late
        /// The worker did not keep to the protocol.
        case answer(String)
    }

    let processID: pid_t
    private let connection: Int32
    private var isStopped = false

    init(_ executable: String, _ arguments: [String]) throws(RollcallError) {
        // Sockets instead of pipes: writing to a worker that has ended is then an error instead of SIGPIPE.
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw Self.failure("socketpair: \(SystemFile.reason)")
        }
        defer { close(ends[1]) }
        // The worker gets only the paths of libraries from the environment, which may hold passwords.
        let libraries = getenv("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH": String(cString: $0)] } ?? [:]
        do {
            processID = try ChildProcess(executable, arguments, environment: libraries, input: ends[1], output: ends[1])
                .processID
        } catch {
            close(ends[0])
            throw Self.failure("\(error)")
        }
        connection = ends[0]
    }

    deinit {
        stop()
        close(connection)
    }

    private static func failure(_ reason: String) -> RollcallError {
        RollcallError("the process for pictures does not start: \(reason)")
    }

    /// Whether the worker still has its end of the connection.
    var isConnected: Bool {
        var state = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) == 0
    }

    /// Ends the worker when it has computed for `seconds` more, rounded to whole seconds.
    ///
    /// CPU time, because elapsed time says little on a busy machine.
    func limitComputing(seconds: Int) throws(Failure) {
        var clock = clockid_t()
        var used = timespec()
        guard clock_getcpuclockid(processID, &clock) == 0, clock_gettime(clock, &used) == 0 else { throw .ended }
        let end = used.tv_sec + (used.tv_nsec >= 500_000_000 ? 1 : 0) + seconds
        guard limitProcessorTime(processID, UInt64(end)) == 0 else { throw .ended }
    }

    /// Sends `message`, and returns the answer.
    func exchange(_ message: [UInt8], for patience: Duration) throws(Failure) -> WorkerReply {
        let deadline = ContinuousClock.now + patience
        var sent = 0
        while sent < message.count {
            try wait(for: POLLOUT, until: deadline)
            let count = message.withUnsafeBytes {
                send(connection, $0.baseAddress.map { $0 + sent }, message.count - sent, Self.sendFlags)
            }
            if count > 0 { sent += count } else if ![EINTR, EAGAIN].contains(errno) { throw .ended }
        }
        return try reply(until: deadline)
    }

    private static let sendFlags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)

    private func reply(until deadline: ContinuousClock.Instant) throws(Failure) -> WorkerReply {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            do throws(RollcallError) {
                if let (reply, count) = try WorkerReply.parse(bytes) {
                    guard count == bytes.count else { throw RollcallError("expected one answer, found more") }
                    return reply
                }
            } catch { throw .answer(error.description) }
            try wait(for: POLLIN, until: deadline)
            let count = recv(connection, &part, part.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                bytes += part[..<count]
            } else if count == 0 || ![EINTR, EAGAIN].contains(errno) {
                throw .ended
            }
        }
    }

    private func wait(for events: Int32, until deadline: ContinuousClock.Instant) throws(Failure) {
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { throw .late }
            var state = pollfd(fd: connection, events: Int16(events), revents: 0)
            let milliseconds = rest.components.seconds * 1000 + rest.components.attoseconds / 1_000_000_000_000_000
            let result = poll(&state, 1, Int32(clamping: milliseconds + 1))
            if result > 0 { return }
            if result < 0, errno != EINTR { throw .ended }
        }
    }

    /// Ends the process. Returns the signal that had ended it before, if `failure` is that it had ended.
    @discardableResult func stop(after failure: Failure? = nil) -> Int32? {
        if isStopped { return nil }
        isStopped = true
        var status: Int32 = 0
        if failure == .ended, hasEnded(&status) {
            let signal = status & 0x7F
            return signal == 0 ? nil : signal
        }
        kill(processID, SIGKILL)
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        return nil
    }

    /// Waits for a process that has closed its connection, which happens when it ends: a second at most.
    private func hasEnded(_ status: inout Int32) -> Bool {
        for _ in 0..<1000 {
            let result = waitpid(processID, &status, WNOHANG)
            if result == processID { return true }
            if result < 0, errno != EINTR { return false }
            usleep(1000)
        }
        return false
    }
}
