import Foundation

/// Reports which input is being read when the process crashes, or when reading it takes too long.
enum CrashInput {
    /// A thousand times as long as the slowest input takes, so that a busy machine does not trigger it. In seconds.
    private static let patience: UInt32 = 120

    /// Runs `body`, whose input is `bytes`. Only one call may run at a time in the whole process.
    static func keep<Result>(_ bytes: [UInt8], of name: String, while body: () throws -> Result) rethrows -> Result {
        _ = handlers
        let line = Array("\nThe input of \(name), in hexadecimal: \(bytes.hexadecimal)\n".utf8)
        return try line.withUnsafeBytes { line in
            lastWords = line
            alarm(patience)
            defer {
                alarm(0)
                lastWords = nil
            }
            return try body()
        }
    }

    /// Installs handlers for the signals of crashes and for the alarm. The previous handlers still run afterwards.
    private static let handlers: Void = {
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGALRM] {
            var action = Action()
            action.__sigaction_handler.sa_handler = { signal in
                if let line = lastWords { _ = write(2, line.baseAddress, line.count) }
                lastWords = nil
                sigaction(signal, &before[Int(signal)], nil)
                raise(signal)
            }
            sigaction(signal, &action, &before[Int(signal)])
        }
    }()
}

/// The structure, which shares its name with a function.
private typealias Action = sigaction

// Unsafe, because a signal handler reads it, which may not use a lock. Only the one test that reads inputs sets and
// clears it. The previous handlers are written once, before the first input.
nonisolated(unsafe) private var lastWords: UnsafeRawBufferPointer?
nonisolated(unsafe) private var before = [Action](repeating: Action(), count: 65)

extension [UInt8] {
    var hexadecimal: String { map { String(256 + Int($0), radix: 16).suffix(2) }.joined() }
}
