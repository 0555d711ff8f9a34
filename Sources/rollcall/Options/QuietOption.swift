import ArgumentParser

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
