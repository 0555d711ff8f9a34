import ArgumentParser
import HTTPClient

/// The option of commands that can read something again and again.
struct EveryOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Repeat this long after each start, as in 6h, until a signal ends it; by default it runs once.",
            valueName: "duration"))
    var every: Interval?

    func validate() throws { try expectSecond(every, of: "--every") }
}

/// The options of commands that run for long, or again and again.
struct RepetitionOptions: ParsableArguments {
    @OptionGroup var interval: EveryOption

    @Option(
        help:
            "How to report progress: text or json, one line every few seconds; by default a progress bar on a terminal."
    )
    var progress: TextFormat?
}

/// The option of commands that may end early.
struct LimitOption: ParsableArguments {
    @Option(
        in: 0...Int.max,
        help: ArgumentHelp("Stop after this many people, or addresses of pictures; 0 for all.", valueName: "number"))
    var limit = 0
}

/// The option of commands that can be tried out.
struct DryRunOption: ParsableArguments {
    @Flag(
        help: """
            Say what there is to do, and save nothing: an import reads and checks everything; pictures are counted by \
            their hosts, and none is asked for.
            """)
    var dryRun = false
}

/// The option of commands that may erase something.
struct ConsentOption: ParsableArguments {
    @Flag(help: "Erase without asking: the values of dropped columns, or a directory.")
    var yes = false
}

/// The option of commands that can be taken back.
struct UndoOption: ParsableArguments {
    @Flag(
        help: """
            Take it back: later imports may add these people again, or the next `rollcall pictures` may fetch their \
            pictures. The command itself brings nobody back.
            """)
    var undo = false
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
