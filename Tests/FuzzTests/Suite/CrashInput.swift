import Foundation

/// Says which input is being read when the process crashes, or when that input takes longer than any should.
enum CrashInput {
    /// A thousand times what the slowest input takes, so that a busy machine is no reason. Seconds.
    private static let patience: UInt32 = 120

    /// Runs `body`, whose input is `bytes`. One at a time in the whole process.
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

    /// Signals of crashes, and the alarm; what was to happen on each still happens afterwards.
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

/// The structure that shares its name with a function.
private typealias Action = sigaction

// Unsafe: set and cleared by the one test that reads inputs, and read by a signal's handler, which may use no lock. The
// handlers of before are written once, before the first input.
nonisolated(unsafe) private var lastWords: UnsafeRawBufferPointer?
nonisolated(unsafe) private var before = [Action](repeating: Action(), count: 65)

extension [UInt8] {
    var hexadecimal: String { map { String(256 + Int($0), radix: 16).suffix(2) }.joined() }
}
