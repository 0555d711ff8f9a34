import ArgumentParser
import Directories
import Foundation
import Importers

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fill a directory with people.",
        discussion: """
            Running the same import again adds who is new and updates who has changed. It can be interrupted at any moment \
            and run again, and may run while the directory is served.

            Exit status: 0 all in; 2 some records were rejected, the rest are saved; 1 failed; 75 to be run again later, \
            because a service wants that, at the time that is told, or another import fills the directory; 130 interrupted.
            """,
        subcommands: [
            ImportFile.self, ImportGit.self, ImportGitHub.self, ImportStackExchange.self, ImportRickAndMorty.self,
        ])
}

struct ImportFile: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file", abstract: "Import people from a file.",
        discussion: """
            Reads NDJSON, JSON (an array, or an object that holds one as GitHub's, Stack Exchange's and Rick and Morty's \
            answers and .all-contributorsrc do), and CSV with commas, semicolons or tabs, each plain or gzipped. Common \
            names of columns are understood. Columns that are none of Rollcall's are kept as they are; e-mail addresses are not.

            People without an id get one made from their login, or from their whole row.
            """)

    @Argument(help: "The file; - is standard input.", completion: .file())
    var path: String

    @Option(
        help: ArgumentHelp("How the file is laid out, if its content does not tell.", valueName: "ndjson|json|csv|tsv"))
    var format: ImportFormat?

    @Option(
        help: ArgumentHelp(
            "Take a column of the file for one of id, login, name, avatar_url, html_url, type, reputation; repeatable.",
            valueName: "login=Column"))
    var map: [String] = Environment.string("MAP").map { $0.split(separator: ",").map(String.init) } ?? []

    @OptionGroup var batches: BatchOptions
    @OptionGroup var options: ImportOptions

    func validate() throws {
        if path == "-", options.repetition != nil {
            throw ValidationError("--every: standard input can be read only once; give it a file")
        }
    }

    func run() throws {
        var names = ColumnNames()
        for mapping in map {
            do { try names.map(mapping) } catch { throw ValidationError("--map: \(error)") }
        }
        let source = FileSource(path: path, format: format ?? Environment.value("FORMAT"), names: names)
        let name = path == "-" ? "people" : URL(fileURLWithPath: path).lastPathComponent
        try options.run(kind: "file", defaultName: name, batchSize: batches.batchSize) { _ in source }
    }
}

struct ImportGit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "git", abstract: "Import the authors of a git repository.",
        discussion: """
            Everybody who wrote a commit that HEAD can reach becomes a person, with the commits as reputation; .mailmap is \
            honoured. E-mail addresses tell people apart and are neither stored nor shown.
            """)

    @Argument(help: "The repository, bare or not.", completion: .directory)
    var path: String

    @OptionGroup var batches: BatchOptions
    @OptionGroup var options: ImportOptions

    func run() throws {
        var folder = URL(fileURLWithPath: path).standardizedFileURL
        if folder.lastPathComponent == ".git" { folder.deleteLastPathComponent() }
        let source = GitSource(path: path)
        try options.run(kind: "git", defaultName: folder.lastPathComponent, batchSize: batches.batchSize) { _ in source
        }
    }
}

extension ImportFormat: ExpressibleByArgument {}
