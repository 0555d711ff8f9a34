import ArgumentParser

/// What everything that writes takes.
struct LockOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long to wait for another process that writes, or imports into the same directory.",
            valueName: "seconds"))
    var lockTimeout = Environment.int("LOCK_TIMEOUT") ?? 60

    func validate() throws {
        try Environment.check()
        guard (0...86_400).contains(lockTimeout) else {
            throw ValidationError("--lock-timeout: expected 0 to 86,400 seconds, found \(lockTimeout)")
        }
    }
}
