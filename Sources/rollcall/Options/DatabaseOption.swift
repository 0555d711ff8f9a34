import ArgumentParser
import StorePostgres

struct DatabaseOption: ParsableArguments {
    @Option(help: DatabaseLocation.help)
    var database = DatabaseLocation.byDefault
}

/// The option of every command that writes to the database.
struct LockOptions: ParsableArguments {
    @Option(
        in: 0...86_400, value: "seconds",
        help: """
            How long to wait for another process that is writing to the database or importing into the same \
            directory, or for the only server of the database to accept changes.
            """)
    var lockTimeout = 60
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
            let wrong = "expected a URL like postgres://host/people, found one without // after postgres:"
            (description, result) = ("postgres:…", .failure(ValidationError(wrong)))
            return
        }
        guard let scheme = text.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\//)?.output else {
            (description, result) = (text, .success(.file(text)))
            return
        }
        // Messages do not repeat a URL that is not understood: it may contain a password.
        var shown = "\(scheme)…"
        do {
            try expect(
                DatabaseAddress.isAddress(text),
                "expected a file or a URL like postgres://host/people as the database, found a URL that begins "
                    + scheme)
            let address = try DatabaseAddress(text)
            shown = address.description
            try expect(
                !address.hasPassword || !isFromCommandLine,
                """
                \(address) was given with a password, which every user of this machine can read in the list of \
                processes; put it into a password file (PGPASSFILE), into PGPASSWORD, or set the whole URL as \
                ROLLCALL_DATABASE
                """)
            result = .success(.server(url: text, address))
        } catch { result = .failure(ValidationError("\(error)")) }
        description = shown
    }

    /// The database. Throws if the option has a password or no database that Rollcall knows.
    var place: Place {
        get throws { try result.get() }
    }
}

/// The options of commands that change directories.
struct DatabaseOptions: ParsableArguments {
    @OptionGroup var storage: DatabaseOption
    @OptionGroup var locking: LockOptions

    var database: DatabaseLocation { storage.database }

    /// - Parameter isOver: Returns whether to stop waiting for a database that is away.
    func open(isOver: @escaping @Sendable () -> Bool = { false }) throws -> any Store {
        try openExistingStore(database, for: .changing, lockTimeout: locking.lockTimeout, isOver: isOver)
    }
}
