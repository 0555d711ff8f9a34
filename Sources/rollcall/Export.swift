import ArgumentParser
import Bytes
import Directories
import Exports
import Foundation

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a directory to standard output.",
        discussion: """
            Everyone in the order by id, with all that is known of them; `rollcall import file -` gives the same directory back. \
            It may run while people are imported: whoever was there all the time is in it once.

            Exit status: 0 everyone was written; 1 it failed, and what was written is not everyone.
            """)

    @Option(help: "How: ndjson, a line a person; csv, for spreadsheets; json, one array.")
    var format = Environment.value("FORMAT") ?? ExportFormat.ndjson

    @Option(help: ArgumentHelp("Which directory; the first one by default.", valueName: "slug"))
    var directory: String?

    @Option(help: "The database file.")
    var database = Environment.string("DATABASE") ?? "rollcall.sqlite"

    func validate() throws {
        try Environment.check()
        if let directory = chosenDirectory, Slug(directory) == nil {
            throw ValidationError("\"\(directory)\" is no name of a directory")
        }
    }

    private var chosenDirectory: String? { directory ?? Environment.string("DIRECTORY") }

    func run() throws {
        let store = try openExistingStore(database)
        let directory = try store.directory(named: chosenDirectory)
        let everyone = UserQuery(directory: directory.id, limit: DirectoryExport.pageLimit)
        var export = DirectoryExport(of: everyone, as: format)
        let reader = try store.makeReader()
        let buffer = ByteBuffer(capacity: 64 * 1024)
        while try export.appendMore(from: reader, to: buffer) { try write(buffer) }
    }

    private func write(_ buffer: ByteBuffer) throws {
        var rest = buffer.bytes
        while !rest.isEmpty {
            let count = Glibc.write(STDOUT_FILENO, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            // Who reads it has enough: it ends as the signal for that would have ended it.
            if count < 0, errno == EPIPE { throw ExitCode(128 + SIGPIPE) }
            guard count >= 0 else {
                throw ValidationError("standard output takes nothing more: \(String(cString: strerror(errno)))")
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        buffer.removeAll()
    }
}

extension ExportFormat: ExpressibleByArgument {}
