import ArgumentParser
import HTTPClient

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
