import ArgumentParser
import Foundation
import Importers
import StoreSQLite

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the database while it is in use.",
        discussion: """
            The copy is the database as it is at one moment, whatever servers and imports do meanwhile. It is a database \
            like any other: serve it, or put it in the place of a lost one while nobody uses that.

            Exit status: 0 the copy is whole; 1 there is none; 130 it was interrupted, and there is none.
            """)

    @Argument(help: "The file to make; one that is there already is never replaced.")
    var file: String

    @Option(help: "The database file.")
    var database = Environment.string("DATABASE") ?? "rollcall.sqlite"

    @OptionGroup var locking: LockOptions

    func validate() throws {
        try Environment.check()
    }

    func run() throws {
        try expectDatabase(at: database)
        let cancellation = ImportCancellation()
        // However many come: what was copied of people does not stay behind.
        let signals = onTermination(orHangup: true) { _ in cancellation.cancel() }
        defer { for signal in signals { signal.cancel() } }
        do {
            let patience = lockPatience(for: database, seconds: locking.lockTimeout)
            try SQLiteStore.backUp(database, to: file, patience: patience) { cancellation.isCancelled }
        } catch is CancellationError {
            StandardStreams.write("interrupted; there is no copy\n")
            throw ExitCode(130)
        }
    }
}
