import ArgumentParser
import Directories
import Foundation
import Importers
import StoreEngine

struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a database between a file and a PostgreSQL server.",
        discussion: """
            rollcall copy rollcall.sqlite postgres://host/people

            Copies everything: directories with their settings and people, private and hidden ones included, former \
            handles, people who were forgotten, checkpoints of imports, and pictures. The copy is that of one moment; \
            servers and imports may go on meanwhile, but stop imports first if none of their changes may be missing \
            in the copy. At the end the rows of both sides are compared.

            An interrupted copy goes on when the same command is run again. If the database has changed meanwhile, it \
            begins again. Until it is complete, no other command opens the copy. A database that has directories is \
            never copied into.

            The command line of a process can be read by every user of the machine, so URLs must not have a password: \
            use a password file (PGPASSFILE) or PGPASSWORD.

            Exit status: 0 the copy is complete and was compared; 1 it failed; 130 it was interrupted.
            """)

    @Argument(help: "The database to copy: a file or a URL.")
    var from: DatabaseLocation

    @Argument(help: "The database to create: a file or a URL.")
    var to: DatabaseLocation

    @OptionGroup var locking: LockOptions

    func run() throws {
        let cancellation = ImportCancellation()
        // The first Ctrl-C ends the copy after the batch that is under way, a second one at once.
        let signals = onTermination(orHangup: true) { number in
            if cancellation.isCancelled { _exit(128 + number) }
            cancellation.cancel()
        }
        defer { for signal in signals { signal.cancel() } }
        let store = try openExistingStore(from, lockTimeout: locking.lockTimeout)
        guard let source = store as? any CopyableStore else { throw ValidationError("\(from) cannot be copied") }
        let target = try openCopyTarget(to, lockTimeout: locking.lockTimeout)
        let lock = try takeLock(of: target, cancellation)
        let report = CopyReport()
        do {
            let copy = StoreCopy(
                from: source, to: target, isCancelled: { cancellation.isCancelled }, observe: report.show)
            let summary = try withExtendedLifetime(lock) { try copy.run() }
            report.finish(summary, to)
        } catch is CancellationError {
            report.clear()
            StandardStreams.write("interrupted; run the same command again to complete the copy\n")
            throw ExitCode(130)
        } catch {
            report.clear()
            throw error
        }
    }

    /// Waits until no other process copies into the same database.
    private func takeLock(
        of target: any StoreLocking, _ cancellation: ImportCancellation
    ) throws -> any StoreLock {
        let name = "process \(getpid()), copy, since \(Date().ISO8601Format())"
        return try LockWaiting(seconds: locking.lockTimeout, cancellation: cancellation).take(
            attempt: { try target.attemptImportLock(of: Slug(literal: "copy"), name: name) },
            isWaiting: { StandardStreams.write("waiting for another copy into \(to): \($0)\n") },
            busy: { ValidationError("another process is copying into \(to) (\($0)); try again when it has finished") })
    }
}
