import ArgumentParser
import Foundation
import HTTPClient
import People
import StorePostgres
import Synchronization

/// The option of every command that opens a database.
struct DatabaseOption: ParsableArguments {
    @Option(help: DatabaseLocation.help)
    var database = DatabaseLocation.byDefault
}

/// The option of commands about people wherever they are.
struct ScopeOption: ParsableArguments {
    @Option(help: ArgumentHelp("In this directory only; by default in all.", valueName: "slug"))
    var directory: String?

    func validate() throws { _ = try slug }

    var slug: Slug? { get throws { try Slug.chosen(directory) } }
}

/// The option of commands about one directory.
struct DirectoryOption: ParsableArguments {
    @Option(help: ArgumentHelp("The directory; by default the database's default directory.", valueName: "slug"))
    var directory: String?

    func validate() throws { _ = try Slug.chosen(directory) }
}

/// The option of commands that take people by their ids, too.
struct PersonIDOption: ParsableArguments {
    @Option(
        name: .customLong("id"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("The id of a person, in --directory or the only directory; repeatable.", valueName: "number")
    )
    var ids: [Int64] = []
}

/// The option of commands that print for people or for programs.
struct ListFormatOption: ParsableArguments {
    @Option(help: "The format: text or json.")
    var format = ListFormat.text
}

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
    var progress: ProgressFormat?

    func validate() throws {
        if let every, every.duration < .seconds(1) {
            throw ValidationError("--every: expected one second or more, as in 6h, found \(every)")
        }
    }
}

/// The option of commands that may erase values.
struct ConsentOption: ParsableArguments {
    @Flag(help: "Erase the values of dropped columns without asking.")
    var yes = false
}

/// The option of every command that writes to the database.
struct LockOptions: ParsableArguments {
    @Option(
        in: 0...86_400,
        help: ArgumentHelp(
            """
            How long to wait for another process that is writing to the database or importing into the same \
            directory, or for the only server of the database to accept changes.
            """,
            valueName: "seconds"))
    var lockTimeout = 60
}

/// The option of commands that run unattended: cron sends a mail for whatever they print.
struct QuietOption: ParsableArguments {
    @Flag(help: "Print nothing if all went well, and else only what you must know.")
    var quiet = false

    /// Leaves out from now on what is not needed.
    func apply() { StandardStreams.leavesOutNotes.store(quiet, ordering: .relaxed) }
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

    func validate() throws {
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

/// The value of `--database`: a file, or a database on a PostgreSQL server.
///
/// Every user of a machine can read its command lines, so a password is refused there. The environment variable may
/// have one.
struct DatabaseLocation: ExpressibleByArgument, CustomStringConvertible, Sendable {
    enum Place: Sendable {
        case file(String)
        /// The URL may have a password; messages show the address.
        case server(url: String, DatabaseAddress)
    }

    private let result: Result<Place, ValidationError>
    /// The file or the URL for messages, without a password.
    let description: String

    static let help: ArgumentHelp =
        "The database: a file, or the URL of one on a PostgreSQL server, such as postgres://host/people."

    /// The file `rollcall.sqlite`, or what the environment says. Made once, because ArgumentParser asks very often, and
    /// a pattern is compiled each time.
    static let byDefault = Self(Environment.string("DATABASE") ?? "rollcall.sqlite", isFromCommandLine: false)

    init(file path: String) {
        result = .success(.file(path))
        description = path
    }

    init(argument: String) { self.init(argument, isFromCommandLine: true) }

    private init(_ text: String, isFromCommandLine: Bool) {
        if text.prefixMatch(of: /(?i)postgres(ql)?:(?!\/\/)/) != nil {
            description = "postgres:…"
            result = .failure(
                ValidationError("expected a URL like postgres://host/people, found one without // after postgres:"))
            return
        }
        guard let scheme = text.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\//)?.output else {
            description = text
            result = .success(.file(text))
            return
        }
        // Messages do not repeat a URL that is not understood: it may contain a password.
        guard DatabaseAddress.isAddress(text) else {
            description = "\(scheme)…"
            result = .failure(Self.unknownScheme(scheme))
            return
        }
        do {
            let address = try DatabaseAddress(text)
            description = address.description
            let isExposed = address.hasPassword && isFromCommandLine
            result = isExposed ? .failure(Self.exposedPassword(address)) : .success(.server(url: text, address))
        } catch {
            description = "\(scheme)…"
            result = .failure(ValidationError("\(error)"))
        }
    }

    var defaultValueDescription: String { description }

    /// The database. Throws if the option has a password or no database that Rollcall knows.
    var place: Place {
        get throws { try result.get() }
    }

    private static func exposedPassword(_ address: DatabaseAddress) -> ValidationError {
        ValidationError(
            """
            \(address) was given with a password, which every user of this machine can read in the list of processes; \
            put it into a password file (PGPASSFILE), into PGPASSWORD, or set the whole URL as ROLLCALL_DATABASE
            """)
    }

    private static func unknownScheme(_ scheme: Substring) -> ValidationError {
        ValidationError(
            "expected a file or a URL like postgres://host/people as the database, found a URL that begins \(scheme)")
    }
}
