import ArgumentParser
import HTTPClient

/// The option of every command that writes to the database.
struct LockOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            How long to wait for another process that is writing to the database or importing into the same \
            directory.
            """,
            valueName: "seconds"))
    var lockTimeout = Environment.int("LOCK_TIMEOUT") ?? 60

    func validate() throws {
        try Environment.check()
        guard (0...86_400).contains(lockTimeout) else {
            throw ValidationError("--lock-timeout: expected 0 to 86,400 seconds, found \(lockTimeout)")
        }
    }
}

/// The option of commands that run unattended: cron sends a mail for whatever they print.
struct QuietOption: ParsableArguments {
    @Flag(help: "Print nothing if all went well, and else only what you must know.")
    var quiet = false

    func validate() throws {
        _ = isQuiet
        try Environment.check()
    }

    var isQuiet: Bool { quiet || Environment.bool("QUIET") == true }

    /// Leaves out from now on what is not needed.
    func apply() { StandardStreams.leavesOutNotes.store(isQuiet, ordering: .relaxed) }
}

/// The option of every command that sends requests.
struct TimeoutOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            How long to wait for a connection, and for the next bytes of a response, as in 30s; a whole response \
            may take four times as long.
            """,
            valueName: "duration"))
    var timeout = Environment.interval("TIMEOUT") ?? Interval("30s")

    func validate() throws {
        try Environment.check()
        guard timeout.duration >= .seconds(1) else {
            throw ValidationError("--timeout: expected one second or more, found \(timeout)")
        }
    }

    var clientLimits: Client.Limits {
        var limits = Client.Limits()
        limits.silence = timeout.duration
        limits.answer = timeout.duration * 4
        return limits
    }
}
