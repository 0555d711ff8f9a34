import CLinux
import Glibc

/// A program that this process has started.
///
/// It blocks and ignores no signals, and has no open files but its three standard streams.
///
/// Foundation's `Process` is not used. It hands down the signals that Dispatch blocks in its threads, and when it looks
/// for open files it now and then reads behind the end of a buffer, which ends this process
/// (swift-corelibs-foundation#5472).
public struct ChildProcess: Sendable {
    public let processID: pid_t

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - executable: a path, or a name that is looked for in this process's `PATH`.
    ///   - environment: all of the program's environment.
    ///   - input: the open descriptor of this process that becomes the standard input; `/dev/null` without one. The
    ///     same for the other two.
    public init(
        _ executable: String, _ arguments: [String], environment: [String: String], input: Int32? = nil,
        output: Int32? = nil, errors: Int32? = nil
    ) throws(RollcallError) {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        for (number, file) in zip((0 as Int32)..., [input, output, errors]) {
            if let file {
                posix_spawn_file_actions_adddup2(&files, file, number)
            } else {
                posix_spawn_file_actions_addopen(&files, number, "/dev/null", O_RDWR, 0)
            }
        }
        posix_spawn_file_actions_addclosefrom_np(&files, 3)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var words = ([executable] + arguments).map { strdup($0) } + [nil]
        var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var process: pid_t = 0
        let result = posix_spawnp(&process, executable, &files, &attributes, &words, &settings)
        let reason = result == ENOENT ? "it is not installed" : String(cString: strerror(result))
        try expect(result == 0, "\(executable): \(reason)")
        processID = process
    }

    /// Waits for the program's end. Returns its exit status, or 128 plus the signal that ended it.
    @discardableResult public func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0 {
            if errno != EINTR { return 255 }
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}
