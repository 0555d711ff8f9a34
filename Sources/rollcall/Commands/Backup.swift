import ArgumentParser
import Foundation
import Importers

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the database while it is in use.",
        discussion: """
            The copy holds the database as it is at one moment; servers and imports may go on meanwhile. It is a \
            database like any other: serve it, or restore it in place of a lost one while no process uses that file.

            Pictures are in a file of their own beside the database, and their copy is beside the copy: both names \
            end in "-pictures". It has only photos of your own unless --with-pictures is given; `rollcall pictures` \
            fetches the others again.

            This copies files. `rollcall copy` copies a database on a PostgreSQL server to a file.

            Exit status: 0 the copy is complete; 1 no copy was made; 130 the backup was interrupted.
            """)

    @Argument(help: "The file to create; an existing file is never replaced.")
    var file: String

    @Option(help: DatabaseLocation.help)
    var database = DatabaseLocation.byDefault

    @Flag(help: "Copy the fetched pictures, too. They can take more space than the database.")
    var withPictures = false

    @OptionGroup var locking: LockOptions

    func validate() throws {
        try Environment.check()
    }

    func run() throws {
        let cancellation = ImportCancellation()
        // Handles every signal, so that no partial copy of personal data stays behind.
        let signals = onTermination { _ in cancellation.cancel() }
        defer { for signal in signals { signal.cancel() } }
        do {
            try database.backUp(
                to: file, withPictures: withPictures || Environment.bool("WITH_PICTURES") == true,
                lockTimeout: locking.lockTimeout
            ) { cancellation.isCancelled }
        } catch is CancellationError {
            StandardStreams.write("interrupted; there is no copy\n")
            throw ExitCode(130)
        }
    }
}
