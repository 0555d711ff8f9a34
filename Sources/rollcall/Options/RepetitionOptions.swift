import ArgumentParser
import HTTPClient

/// The options of commands that run for long, or again and again.
struct RepetitionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Repeat this long after each start, as in 6h, until a signal ends it; by default it runs once.",
            valueName: "duration"))
    var every: Interval?

    @Option(
        help:
            "How to report progress: text or json, one line every few seconds; by default a progress bar on a terminal."
    )
    var progress: TextFormat?

    func validate() throws { try expectSecond(every, of: "--every") }
}

/// The option of commands that may erase values.
struct ConsentOption: ParsableArguments {
    @Flag(help: "Erase the values of dropped columns without asking.")
    var yes = false
}

/// The option of commands that run unattended: cron sends a mail for whatever they print.
struct QuietOption: ParsableArguments {
    @Flag(help: "Print nothing if all went well, and else only what you must know.")
    var quiet = false

    /// Leaves out from now on what is not needed.
    func apply() { StandardStreams.leavesOutNotes = quiet }
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
    var timeout = Interval("30s")

    func validate() throws { try expectSecond(timeout, of: "--timeout") }

    var clientLimits: Client.Limits {
        var limits = Client.Limits()
        limits.silence = timeout.duration
        limits.answer = timeout.duration * 4
        return limits
    }
}
