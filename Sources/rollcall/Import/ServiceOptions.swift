import ArgumentParser
import Foundation
import HTTPClient
import Importers

struct ServiceOptions: ParsableArguments {
    @Option(
        value: "url",
        help: """
            The URL of the API; by default that of the service itself. That of a GitHub Enterprise Server is \
            https://HOST/api/v3.
            """)
    var baseUrl: String?

    @OptionGroup var extent: LimitOption

    @Flag(
        help: """
            Start from the beginning, request everything again and do not wait for an earlier limit; with --every in the \
            first round only.
            """)
    var restart = false

    @Option(
        value: "duration",
        help: """
            The longest wait that the service may ask for, as in 15m; if it asks for more, the import ends and \
            says when to come back.
            """)
    var maxWait = Interval(duration: .seconds(900), description: "15m")

    @Option(
        value: "duration",
        help: """
            The wait before a failed request is tried again, as in 90s. There are three such tries, and each waits \
            twice as long as the one before. The default is 1s, and 60s for Stack Exchange.
            """)
    var retryPause: Interval?

    @OptionGroup var waiting: TimeoutOptions

    func validate() throws { _ = try chosenBase }

    func run(_ service: any Service, kind: String, defaultName: String, _ options: ImportOptions) throws {
        try expect(
            service.secret == nil || service.base.isEncrypted || service.base.isLoopback,
            """
            --base-url: expected an https URL, because a token or key is sent only over an encrypted connection; found \
            \(service.base)
            """)
        try expect(
            options.prune == .nobody || extent.limit == 0,
            "--prune needs a whole import, but --limit ends it early: use one of the two")
        let limits = waiting.clientLimits
        var configuration = ServiceSource.Configuration()
        configuration.limit = extent.limit
        configuration.isFresh = restart
        configuration.isSeeingEverybody = options.prune > .nobody
        configuration.retryPolicy.maxWait = maxWait.duration
        configuration.retryPolicy.retryPause = retryPause?.duration
        var earlier: String?
        try ImportJob(
            options: options, kind: kind, target: options.importTarget(defaultName: defaultName), terms: service.terms
        ) { request, _, ledger in
            // After the first round has restarted, further rounds continue from its checkpoint.
            let last = try ledger?.checkpoint().map { "\($0.source) \($0.pass) \($0.startedAt)" } ?? ""
            if let earlier, last != earlier { configuration.isFresh = false }
            earlier = earlier ?? last
            return ServiceSource(
                service, ledger: ledger, request: request, configuration: configuration
            ) {
                let client = try Client(limits: limits, userAgent: "rollcall/\(Rollcall.version)")
                return { try client.fetch($0, whileWaiting: $1) }
            }
        }.run()
    }

    /// Returns the URL that `--base-url` gives, or else `own`, that of the service itself.
    func base(or own: String) throws -> WebAddress { try chosenBase ?? WebAddress(own) }

    private var chosenBase: WebAddress? {
        get throws {
            // Both would be lost when a path is appended. The message does not repeat the URL, which may contain a key.
            try expect(
                baseUrl?.contains { "?#".contains($0) } != true,
                "--base-url: expected one like https://api.example.org/v3, found one with a query or a fragment")
            return try webAddress(baseUrl, of: "--base-url")
        }
    }

    /// Returns the secret in `file`, or else in the environment variable `variable`. It is never taken from the command
    /// line, which every user of the machine can read.
    static func secret(file: String?, option: String, variable: String) throws -> Secret? {
        if let file {
            return try required(
                Secret(String(decoding: contents(of: file, for: option), as: UTF8.self)),
                "\(option): expected one line of visible ASCII characters in \(file), found something else")
        }
        guard let text = ProcessInfo.processInfo.environment[variable], !text.isEmpty else { return nil }
        return try required(
            Secret(text), "expected visible ASCII characters in \(variable), found something else")
    }
}
