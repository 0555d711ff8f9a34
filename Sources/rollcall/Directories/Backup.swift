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

            rollcall backup --keep 7 /var/backups/rollcall

            With --keep, the copy is a new file in a folder, named after the time in UTC, such as \
            rollcall-20261123T031500Z.sqlite. Once it is complete and checked, the oldest files of such names beyond \
            that number are removed, with their pictures. Other files stay, and a failure removes nothing.

            This copies files. `rollcall copy` copies a database on a PostgreSQL server to a file.

            Exit status: 0 the copy is complete; 1 no copy was made, or an old one could not be removed; 130 the \
            backup was interrupted.
            """)

    @Argument(help: "The file to create; an existing file is never replaced. With --keep, the folder.")
    var file: String

    @Option(in: 1...Int.max, value: "number", help: "Keep this many copies in the folder, the new one included.")
    var keep: Int?

    @OptionGroup var storage: DatabaseOption

    @Flag(help: "Copy the fetched pictures, too. They can take more space than the database.")
    var withPictures = false

    @OptionGroup var locking: LockOptions
    @OptionGroup var quietness: QuietOption

    func run() throws {
        var folder = try keep.map { _ in try BackupFolder(path: file) }
        try expect(
            keep != nil || !BackupFolder.isThere(file),
            "\(file) is a folder; with --keep and a number, the copy is a new file in it")
        try backUp(to: folder?.newFile(at: Date()) ?? file)
        if let folder, let keep { try folder.removeOldest(keeping: keep) }
    }

    private func backUp(to file: String) throws {
        let cancellation = ImportCancellation()
        // Handles every signal, so that no partial copy of personal data stays behind.
        let signals = onTermination { _ in cancellation.cancel() }
        defer { for signal in signals { signal.cancel() } }
        do {
            try storage.database.backUp(
                to: file, withPictures: withPictures,
                lockTimeout: locking.lockTimeout
            ) { cancellation.isCancelled }
        } catch is CancellationError {
            StandardStreams.write("interrupted; there is no copy\n")
            throw ExitCode(130)
        }
        let size = (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
        StandardStreams.note("copied to \(file.printable), \(grouped(size)) bytes\n")
    }
}
