import ArgumentParser

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
