import ArgumentParser
import Foundation

/// The value of `--database`: a file, or a database on a PostgreSQL server.
///
/// Every user of a machine can read its command lines, so a password is refused there. The environment variable may
/// have one.
struct DatabaseLocation: ExpressibleByArgument, CustomStringConvertible {
    enum Place {
        case file(String)
        case server(DatabaseURL)
    }

    private let result: Result<Place, ValidationError>
    /// The file or the URL for messages, without a password.
    let description: String

    /// The file `rollcall.sqlite`, or what the environment says.
    static var byDefault: Self { Self(Environment.string("DATABASE") ?? "rollcall.sqlite", isFromCommandLine: false) }

    init(file path: String) {
        result = .success(.file(path))
        description = path
    }

    init(argument: String) { self.init(argument, isFromCommandLine: true) }

    private init(_ text: String, isFromCommandLine: Bool) {
        if let url = DatabaseURL(text) {
            description = url.description
            result =
                url.hasPassword && isFromCommandLine ? .failure(Self.exposedPassword(url)) : .success(.server(url))
        } else if let scheme = text.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\//)?.output {
            description = "\(scheme)…"
            result = .failure(Self.unknownScheme(scheme))
        } else {
            description = text
            result = .success(.file(text))
        }
    }

    static let help: ArgumentHelp =
        "The database: a file, or the URL of one on a PostgreSQL server, such as postgres://host/people."

    var defaultValueDescription: String { description }

    /// The database. Throws if the option has a password or no database that Rollcall knows.
    var place: Place {
        get throws { try result.get() }
    }

    private static func exposedPassword(_ url: DatabaseURL) -> ValidationError {
        ValidationError(
            """
            \(url) was given with a password, which every user of this machine can read in the list of processes; put \
            it into a password file (PGPASSFILE), into PGPASSWORD, or set the whole URL as ROLLCALL_DATABASE
            """)
    }

    private static func unknownScheme(_ scheme: Substring) -> ValidationError {
        // The message does not repeat the URL, which may contain a password.
        ValidationError(
            "expected a file or a URL like postgres://host/people as the database, found a URL that begins \(scheme)")
    }
}
