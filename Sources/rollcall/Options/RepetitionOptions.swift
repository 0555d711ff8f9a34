import ArgumentParser
import HTTPClient

/// The option of commands that can read something again and again.
struct EveryOption: ParsableArguments {
    @Option(
        value: "duration",
        help: """
            Repeat this long after each start, as in 6h, until a signal ends it; by default it runs once. With \
            `rollcall open`, a URL is fetched again.
            """)
    var every: Interval?

    func validate() throws { try expectSecond(every, of: "--every") }
}

/// The options of commands that run for long, or again and again, and can be tried out.
struct RepetitionOptions: ParsableArguments {
    @Flag(
        help: """
            Say what there is to do, and save nothing: an import reads and checks everything; pictures are counted by \
            their hosts, and none is asked for.
            """)
    var dryRun = false

    @OptionGroup var interval: EveryOption

    @Option(
        help:
            "How to report progress: text or json, one line every few seconds; by default a progress bar on a terminal."
    )
    var progress: TextFormat?
}

struct LimitOption: ParsableArguments {
    @Option(in: 0...Int.max, value: "number", help: "Stop after this many people, or addresses of pictures; 0 for all.")
    var limit = 0
}

/// The option of every command that sends requests.
struct TimeoutOptions: ParsableArguments {
    @Option(
        value: "duration",
        help: """
            How long to wait for a connection, and for the next bytes of a response, as in 30s; a whole response \
            may take four times as long.
            """)
    var timeout = Interval(duration: .seconds(30), description: "30s")

    func validate() throws { try expectSecond(timeout, of: "--timeout") }

    var clientLimits: Client.Limits {
        var limits = Client.Limits()
        limits.silence = timeout.duration
        limits.answer = timeout.duration * 4
        return limits
    }
}
