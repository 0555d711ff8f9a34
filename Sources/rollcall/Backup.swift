import ArgumentParser
import StoreSQLite

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the database while it is in use.",
        discussion: """
            The copy is the database as it is at one moment, whatever servers and imports do meanwhile. It is a database \
            like any other: serve it, or put it in the place of a lost one while nobody uses that.

            Exit status: 0 the copy is whole; 1 there is none.
            """)

    @Argument(help: "The file to make; one that is there already is never replaced.")
    var file: String

    @Option(help: "The database file.")
    var database = Environment.string("DATABASE") ?? "rollcall.sqlite"

    func validate() throws {
        try Environment.check()
    }

    func run() throws {
        try expectDatabase(at: database)
        try SQLiteStore.backUp(database, to: file)
    }
}
