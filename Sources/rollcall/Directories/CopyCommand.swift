import ArgumentParser
import Foundation
import Importers
import People
import Publishing
import StoreEngine

struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a database between a file and a PostgreSQL server.",
        discussion: """
            rollcall copy rollcall.sqlite postgres://host/people

            Copies everything: directories with their settings and people, private and hidden ones included, former \
            handles, people who were forgotten, checkpoints of imports, and pictures. Servers and imports may go on \
            meanwhile. The copy shows the moment at which it began: stop imports first, or run them again on the copy. \
            At the end, the rows of both databases are compared.

            If a copy is interrupted, run the same command again: it goes on with the table that it was copying, or \
            begins again if the database has changed meanwhile. No other command opens a copy that is not complete. The new database must have no \
            directories.

            Every user of the machine can read command lines, so URLs must not have a password: use a password file \
            (PGPASSFILE) or PGPASSWORD.

            Exit status: 0 the copy is complete and equals the database; 1 it failed; 130 it was interrupted.
            """)

    @Argument(help: "The database to copy: a file or a URL.")
    var from: DatabaseLocation

    @Argument(help: "The database to create: a file or a URL.")
    var to: DatabaseLocation

    @OptionGroup var locking: LockOptions
    @OptionGroup var quietness: QuietOption

    func run() throws {
        let cancellation = ImportCancellation()
        // The first Ctrl-C ends the copy after the batch that is under way, a second one at once.
        let signals = onTermination { number in
            if cancellation.isCancelled { _exit(128 + number) }
            cancellation.cancel()
        }
        defer { for signal in signals { signal.cancel() } }
        let source = try openExistingStore(from, lockTimeout: locking.lockTimeout)
        let target = try openStore(to, for: .copying, lockTimeout: locking.lockTimeout)
        let lock = try takeLock(of: target, cancellation)
        let report = CopyReport()
        do {
            let copy = StoreCopy(
                from: source, to: target, isCancelled: { cancellation.isCancelled }, observe: report.show)
            let summary = try withExtendedLifetime(lock) {
                defer { report.clear() }
                return try copy.run()
            }
            report.finish(summary, to)
        } catch is CancellationError {
            StandardStreams.write("interrupted; run the same command again to complete the copy\n")
            throw ExitCode(130)
        }
    }

    /// Waits until no other process copies into the same database.
    private func takeLock(
        of target: any Store, _ cancellation: ImportCancellation
    ) throws -> any StoreLock {
        try cancellation.lock(
            for: "copy", within: locking.lockTimeout,
            attempt: { try target.attemptImportLock(of: Slug(literal: "copy"), name: $0) },
            isWaiting: { StandardStreams.note("waiting for another copy into \(to): \($0)\n") },
            busy: { ValidationError("another process is copying into \(to) (\($0)); try again when it has finished") })
    }
}
