import CLinux
import Foundation
import Testing

/// A running program whose output goes to files.
///
/// It is started with `posix_spawn`: Foundation's `Process` passes on the signals that Dispatch blocks in its threads,
/// and a child that blocks SIGTERM cannot be stopped with it. A command that a test runs in this process ignores some;
/// programs get their default actions. The output goes to files instead of pipes, because a pipe stays open in every
/// program that another test happens to start meanwhile.
public final class Program {
    private var process: pid_t = 0
    /// The process id, which stays valid after the program has ended.
    public private(set) var processID: pid_t = 0
    private let folder: URL
    private var status: Int32 = 0
    private var resources = rusage()

    /// - Parameter descriptors: Open files of this process that the program inherits as descriptors 3, 4 and so on.
    public init(
        _ executable: URL, _ arguments: [String], environment: [String: String] = [:], input: Data = Data(),
        descriptors: [Int32] = []
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try input.write(to: folder.appending(path: "in"))

        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, 0, folder.appending(path: "in").path, O_RDONLY, 0)
        for (descriptor, name) in [(Int32(1), "out"), (2, "err")] {
            let path = folder.appending(path: name).path
            posix_spawn_file_actions_addopen(&files, descriptor, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }

        // Copies to high numbers, so that no copy overwrites a descriptor that is still to be copied.
        let copies = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
        defer { for copy in copies { close(copy) } }
        for (index, copy) in copies.enumerated() { posix_spawn_file_actions_adddup2(&files, copy, Int32(3 + index)) }
        // Nor the pipes of a git that another test runs in this process: its output would not end before this program.
        posix_spawn_file_actions_addclosefrom_np(&files, Int32(3 + copies.count))

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var handled = none
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&handled, signal) }
        posix_spawnattr_setsigdefault(&attributes, &handled)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        var words = ([executable.path] + arguments).map { strdup($0) } + [nil]
        var settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + settings { free(text) } }
        let result = posix_spawn(&process, executable.path, &files, &attributes, &words, &settings)
        guard result == 0 else { throw Failure("\(executable.path) does not start: errno \(result)") }
        processID = process
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    public var output: String { text("out") }
    public var errors: String { text("err") }

    private func text(_ name: String) -> String {
        String(decoding: (try? Data(ofFile: folder.appending(path: name))) ?? Data(), as: UTF8.self)
    }

    /// Waits for the first complete line of output that contains `prefix`, and returns it.
    public func line(with prefix: String) throws -> String {
        try wait(for: "a line with “\(prefix)”") {
            let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            return lines.first { $0.contains(prefix) }.map(String.init)
        }
    }

    /// Returns the number after `prefix` on the first line that contains it.
    public func port(after prefix: String) throws -> Int {
        let line = try line(with: prefix)
        guard let port = Int(line.components(separatedBy: prefix)[1].prefix { $0.isNumber }) else {
            throw Failure("expected a port after “\(prefix)”, found: \(line)")
        }
        return port
    }

    public var isRunning: Bool {
        if process > 0, wait4(process, &status, WNOHANG, &resources) == process { process = 0 }
        return process > 0
    }

    /// User and system time in seconds, once the program has ended.
    public var cpuSeconds: Double {
        let time = { (time: timeval) in Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return time(resources.ru_utime) + time(resources.ru_stime)
    }

    /// Waits until the program has ended. Returns its exit status, or 128 plus the signal that killed it.
    @discardableResult public func wait() -> Int32 {
        if process > 0, wait4(process, &status, 0, &resources) == process { process = 0 }
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    }

    /// Waits until the program has ended, and returns its status and all that it has printed.
    public func result() -> Output {
        let status = wait()
        return Output(status: status, output: output, error: errors)
    }

    public func send(_ signal: Int32) { if isRunning { kill(process, signal) } }

    /// Sends `signal` and waits until the program has ended. Kills it after a minute.
    @discardableResult public func stop(_ signal: Int32 = SIGTERM) -> Int32 {
        if isRunning { kill(process, signal) }
        for _ in 0..<12_000 where isRunning { Thread.sleep(forTimeInterval: 0.005) }
        if isRunning { kill(process, SIGKILL) }
        return wait()
    }

    /// Returns the path of a system tool, which may be one of a server: their folder is not on every user's PATH.
    public static func find(_ names: String...) throws -> URL {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
        let folders = "\(path):/usr/sbin".split(separator: ":")
        for name in names {
            for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
                return URL(fileURLWithPath: "\(folder)/\(name)")
            }
        }
        throw Failure(
            "\(names.joined(separator: " or ")) is not installed. The README's test command installs what the tests need: "
                + "apt-get install chromium chromium-driver firefox-esr webkit2gtk-driver xvfb")
    }
}

/// The real `rollcall`, as built beside this test.
public final class RollcallProcess {
    /// The TCP port, or 0 for a Unix socket.
    public let port: Int
    public let program: Program

    public var url: String { "http://127.0.0.1:\(port)" }

    /// Starts the program on a free port, unless `arguments` say where to listen, and waits until it accepts
    /// connections.
    ///
    /// - Parameter sockets: Listening sockets to hand over, as systemd does.
    public init(_ arguments: [String], environment: [String: String] = [:], sockets: [Int32] = []) throws {
        let isOnPort = !arguments.contains("--unix-socket")
        let choice = isOnPort && !arguments.contains("--port") ? ["--port", "0"] : []
        if sockets.isEmpty {
            program = try Program(Self.executable(), arguments + choice, environment: environment)
        } else {
            // Only the new process knows its own process id.
            let shell = URL(filePath: "/bin/sh")
            let script = "LISTEN_PID=$$ LISTEN_FDS=\(sockets.count) exec \"$0\" \"$@\""
            program = try Program(
                shell, ["-c", script, Self.executable().path] + arguments, environment: environment,
                descriptors: sockets)
        }
        if isOnPort {
            port = try program.port(after: "http://127.0.0.1:")
        } else {
            _ = try program.line(with: "unix:")
            port = 0
        }
    }

    /// Sends `signal`, waits until the program has ended, and returns its exit status.
    @discardableResult public func stop(_ signal: Int32 = SIGTERM) -> Int32 { program.stop(signal) }

    /// Everything that the program has printed.
    public var output: String { program.output }

    /// The program's log.
    public var errors: String { program.errors }

    /// This package's folder.
    public static let packageFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The program beside the running test bundle, whatever the configuration and the scratch folder.
    public static func executable() throws -> URL {
        let places = ["/proc/self/exe"] + CommandLine.arguments.filter { $0.contains(".xctest") }
        for place in places {
            var folder = URL(fileURLWithPath: place).resolvingSymlinksInPath()
            while folder.path != "/" {
                folder.deleteLastPathComponent()
                let candidate = folder.appendingPathComponent("rollcall")
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue {
                    return candidate
                }
            }
        }
        throw Failure("rollcall is not beside the test bundle; build it first: swift build")
    }
}

/// The result of a program that has ended.
public struct Output {
    public var status: Int32
    public var output: String
    public var error: String

    public init(status: Int32, output: String, error: String) {
        (self.status, self.output, self.error) = (status, output, error)
    }

    /// Expects this status, and that the program has printed these texts; that standard output is `whole`, if that is
    /// given.
    @discardableResult public func expect(
        _ status: Int32 = 0, whole: String? = nil, output said: String..., error complaints: String...,
        at location: SourceLocation = #_sourceLocation
    ) -> Output {
        let isPrinted = said.allSatisfy { output.contains($0) } && complaints.allSatisfy { error.contains($0) }
        #expect(
            self.status == status && output == whole ?? output && isPrinted,
            "\(self), not \(said + complaints + [whole].compactMap(\.self))", sourceLocation: location)
        return self
    }
}
