import ArgumentParser
import Directories
import Foundation
import Importers

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fill a directory with people.",
        discussion: """
            rollcall import file people.csv --directory team

            Running the same import again adds new people and updates those that have changed. An import can be \
            interrupted at any moment and run again, and it may run while the directory is served.

            Exit status: 0 everything was imported; 1 the import failed; 2 some records were rejected and the others \
            were saved; 75 run the import again later, because the service asked for that or another import is filling \
            the directory; 130 the import was interrupted.
            """,
        subcommands: [
            ImportFile.self, ImportGit.self, ImportGitHub.self, ImportStackExchange.self, ImportRickAndMorty.self,
        ])
}

struct ImportFile: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file", abstract: "Import people from a file.",
        discussion: """
            Reads NDJSON, JSON (an array, or an object that holds one, such as .all-contributorsrc or a response of \
            GitHub, Stack Exchange or the Rick and Morty API) and CSV with commas, semicolons or tabs, each plain or \
            gzipped. Common column names are understood. Other columns are kept as they are; e-mail addresses are not \
            kept.

            People without an id get one that is made from their login, or from the whole row.
            """)

    @Argument(help: "The file; - is standard input.", completion: .file())
    var path: String

    @OptionGroup(title: "File") var layout: FileOptions
    @OptionGroup var options: ImportOptions
    @OptionGroup(title: "Import") var batches: BatchOptions

    func validate() throws {
        if Self.isAddress(path) { throw ValidationError(Self.advice(for: path)) }
        if path == "-", options.repetition != nil {
            throw ValidationError("--every: standard input can be read only once; expected a file")
        }
    }

    func run() throws {
        let name = path == "-" ? "people" : URL(fileURLWithPath: path).lastPathComponent
        try options.run(kind: "file", defaultName: name, batchSize: batches.batchSize) {
            FileSource(path: path, options: layout.fileOptions, settings: $0.settings)
        }
    }
}

extension ImportFile {
    /// Whether `path` is a URL and no file has that name.
    static func isAddress(_ path: String) -> Bool {
        path.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\//) != nil && !FileManager.default.fileExists(atPath: path)
    }

    /// Says how to import from a URL. Does not repeat the URL, which may hold a password.
    static func advice(for url: String) -> String {
        let isExport = url.contains(/\/export\.(?:ndjson|csv)/)
        let proof =
            isExport && !url.contains("proof=1")
            ? "; add proof=1 to the query of the URL, so that an import notices an export that was cut off" : ""
        return "cannot read from a URL; pass on what curl reads: "
            + "curl -sf URL | rollcall import file - --directory NAME\(proof)"
    }
}

/// The options that say how to read a file.
struct FileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The format of the file; by default its content decides.", valueName: "ndjson|json|csv|tsv"))
    var format: ImportFormat?

    @Option(
        help: ArgumentHelp(
            "The encoding of the file, such as Windows-1252 or CP949; by default its content decides.",
            valueName: "name"))
    var encoding: String?

    @Option(
        help: ArgumentHelp(
            "The line with the names of a table's columns; by default the first one that names a login or a name.",
            valueName: "line"))
    var header: Int?

    func validate() throws {
        let line = fileOptions.headerLine
        try Environment.check()
        if let line, line < 1 { throw ValidationError("--header: expected the number of a line, found \(line)") }
        if let encoding = chosenEncoding, TextEncoding(named: encoding) == nil {
            throw ValidationError(
                "--encoding: expected the name of an encoding, such as Windows-1252 or CP949, found \"\(encoding)\"")
        }
    }

    private var chosenEncoding: String? { encoding ?? Environment.string("ENCODING") }

    var fileOptions: FileSource.Options {
        FileSource.Options(
            format: format ?? Environment.value("FORMAT"), encoding: chosenEncoding.flatMap(TextEncoding.init(named:)),
            headerLine: header ?? Environment.int("HEADER"))
    }
}

struct ImportGit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "git", abstract: "Import the authors of a git repository.",
        discussion: """
            Every author and co-author of a commit that HEAD can reach becomes a person, with the number of commits as \
            reputation. A .mailmap is applied. E-mail addresses tell authors apart; they are neither stored nor shown. \
            Authors of one name of two words or more are one person. No-reply addresses of GitHub and GitLab name \
            accounts, which people's pages link to.
            """)

    @Argument(help: "The repository, bare or not.", completion: .directory)
    var path: String

    @OptionGroup(title: "Authors") var authors: AuthorOptions

    @OptionGroup var options: ImportOptions
    @OptionGroup(title: "Import") var batches: BatchOptions

    func run() throws {
        var folder = URL(fileURLWithPath: path).standardizedFileURL
        if folder.lastPathComponent == ".git" { folder.deleteLastPathComponent() }
        try options.run(kind: "git", defaultName: folder.lastPathComponent, batchSize: batches.batchSize) {
            GitSource(path: path, options: authors.chosen, settings: $0.settings)
        }
    }
}

/// The options that say who counts as an author.
struct AuthorOptions: ParsableArguments {
    @Flag(help: "Do not count the people in Co-authored-by trailers.")
    var noCoAuthors = false

    @Flag(help: "Keep authors of one name apart if they have several addresses.")
    var noJoin = false

    @Option(
        help: ArgumentHelp(
            "The domain of further no-reply addresses that name accounts, as of a GitHub of your own; repeatable.",
            valueName: "users.noreply.git.example.org"))
    var accountDomain: [String] =
        Environment.string("ACCOUNT_DOMAIN").map { $0.split(separator: ",").map(String.init) } ?? []

    var chosen: GitSource.Options {
        var options = GitSource.Options()
        options.countsCoAuthors = !(noCoAuthors || Environment.bool("NO_CO_AUTHORS") == true)
        options.joinsNames = !(noJoin || Environment.bool("NO_JOIN") == true)
        options.accountDomains = accountDomain
        return options
    }
}

extension ImportFormat: ExpressibleByArgument {}
