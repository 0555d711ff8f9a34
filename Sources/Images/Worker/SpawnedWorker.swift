import Base
import CLinux
import Glibc

/// A running worker: its process, and the connection to it.
final class SpawnedWorker {
    let processID: pid_t
    private let connection: Int32
    /// The CPU time that the last limit has allowed, in seconds.
    private var computing = 0
    /// Whether the process has ended, and its status was taken.
    private var hasEnded = false

    init(_ executable: String, _ arguments: [String]) throws(RollcallError) {
        // Sockets instead of pipes: writing to a worker that has ended is then an error instead of SIGPIPE.
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try expect(socketpair(AF_UNIX, type, 0, &ends) == 0, "socketpair: \(SystemFile.reason)")
        defer { close(ends[1]) }
        // The worker gets only the paths of libraries from the environment, which may hold passwords.
        let libraries = getenv("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH": String(cString: $0)] } ?? [:]
        do {
            processID = try ChildProcess(executable, arguments, environment: libraries, input: ends[1], output: ends[1])
                .processID
        } catch {
            close(ends[0])
            throw error
        }
        connection = ends[0]
    }

    deinit {
        if !hasEnded { stop() }
        close(connection)
    }

    /// Whether the worker still has its end of the connection.
    var isConnected: Bool {
        var state = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) == 0
    }

    /// Ends the worker when it has computed for `seconds` more, rounded to whole seconds.
    ///
    /// CPU time, because elapsed time says little on a busy machine.
    func limitComputing(seconds: Int) throws(RollcallError) {
        var clock = clockid_t()
        var used = timespec()
        computing = seconds
        guard clock_getcpuclockid(processID, &clock) == 0, clock_gettime(clock, &used) == 0 else { throw ended() }
        let end = used.tv_sec + (used.tv_nsec >= 500_000_000 ? 1 : 0) + seconds
        guard limitProcessorTime(processID, UInt64(end)) == 0 else { throw ended() }
    }

    /// Sends `message`, and returns the answer. Throws if the worker ends, is late or does not keep to the protocol: it
    /// is then of no more use.
    func exchange(_ message: [UInt8], for patience: Duration) throws(RollcallError) -> WorkerReply {
        let deadline = ContinuousClock.now + patience
        var sent = 0
        while sent < message.count {
            try expect(isReady(for: POLLOUT, until: deadline), Self.late(patience))
            let count = message.withUnsafeBytes {
                send(connection, $0.baseAddress.map { $0 + sent }, message.count - sent, Self.sendFlags)
            }
            if count > 0 { sent += count } else if ![EINTR, EAGAIN].contains(errno) { throw ended() }
        }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            if let (reply, count) = try WorkerReply.parse(bytes) {
                try expect(count == bytes.count, "expected one answer, found more")
                return reply
            }
            try expect(isReady(for: POLLIN, until: deadline), Self.late(patience))
            let count = recv(connection, &part, part.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                bytes += part[..<count]
            } else if count == 0 || ![EINTR, EAGAIN].contains(errno) {
                throw ended()
            }
        }
    }

    private static let sendFlags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)

    private static func late(_ patience: Duration) -> String { "expected an answer within \(patience), found none" }

    /// Waits for `events` on the connection. Returns whether they came in time.
    private func isReady(for events: Int32, until deadline: ContinuousClock.Instant) throws(RollcallError) -> Bool {
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { return false }
            var state = pollfd(fd: connection, events: Int16(events), revents: 0)
            let result = poll(&state, 1, Int32(clamping: Int(rest / .milliseconds(1)) + 1))
            if result > 0 { return true }
            if result < 0, errno != EINTR { throw ended() }
        }
    }

    private func stop() {
        kill(processID, SIGKILL)
        while waitpid(processID, nil, 0) < 0, errno == EINTR {}
    }

    /// Waits for a process that has closed its connection, which happens when it ends: a second at most. Returns words
    /// for its end.
    private func ended() -> RollcallError {
        var status: Int32 = 0
        for _ in 0..<1000 where !hasEnded {
            hasEnded = waitpid(processID, &status, WNOHANG) == processID
            if !hasEnded { usleep(1000) }
        }
        return switch status & 0x7F {
        case 0: RollcallError("the process for pictures ended")
        case SIGXCPU: RollcallError("expected at most \(computing) s of CPU time, found more")
        case SIGSYS: RollcallError("the process for pictures tried a system call that it may not use")
        case let signal: RollcallError("the process for pictures was ended by signal \(signal)")
        }
    }
}
