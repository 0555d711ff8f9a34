import ArgumentParser
import Base
import Foundation
import HTTPClient
import Importers
import People

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fill a directory with people.",
        discussion: """
            rollcall import file people.csv --directory team

            Running the same import again adds new people and updates those that have changed. An import can be \
            interrupted at any moment and run again, and it may run while the directory is served.

            Exit status: 0 everything was imported; 1 the import failed; 2 some records were rejected and the others \
            were saved; 75 run the import again later, because the service asked for that, another import is filling the \
            directory, or the only server of the database accepts no changes; 130 the import was interrupted.
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
            GitHub, Stack Exchange or the Rick and Morty API), vCards and CSV with commas, semicolons or tabs, each \
            plain or gzipped, entries of LDAP servers (LDIF), and workbooks of Excel (.xlsx) and OpenDocument (.ods), \
            from a disk or an https URL. Infers the meaning of columns from headings and values, in 19 languages, \
            and saves it as settings of the directory. Columns that look personal, such as e-mail addresses and \
            salaries, are not stored unless --publish or --keep names them. --dry-run shows what an import would do.

            People are known by --key, or else by a column of ids, e-mail addresses or numbers, or else by their names; \
            by their names, too, where the key is empty.
            """)

    @Argument(help: "The file, or its https URL; - is standard input.", completion: .file())
    var path: String

    @OptionGroup(title: "File") var layout: FileOptions
    @OptionGroup var options: ImportOptions
    @OptionGroup(title: "Import") var batches: BatchOptions

    func validate() throws {
        try expect(
            path != "-" || options.repetition.interval.every == nil,
            "--every: standard input can be read only once; expected a file")
        try expect(
            layout.headerFile == nil || Self.isAddress(path),
            "--header-file: expected a URL to send the header fields to, found a file")
    }

    func run() throws {
        let source = try NamedSource(path, layout)
        try ImportJob(
            options: options, kind: "file", target: options.importTarget(defaultName: source.directoryName),
            newTitle: source.title, batchSize: batches.batchSize
        ) { request, input, _ in source.file(request, input) }.run()
    }
}

extension ImportFile: FileOpening {
    var openedPaths: [String?] { [path, layout.photos] }

    /// Whether `path` is a URL and no file has that name.
    static func isAddress(_ path: String) -> Bool {
        path.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\//) != nil && path.fileType == nil
    }

    /// Returns the name of the file in a URL, or `people` for the URL of an export: `/export?format=csv`.
    static func name(of remote: RemoteFile) -> String {
        let path = remote.address.target.prefix { $0 != "?" }
        let name = path.split(separator: "/").last.flatMap { String($0).removingPercentEncoding } ?? ""
        return name.isEmpty || name.hasPrefix("export") || Slug(importName: name) == nil ? "people" : name
    }
}

struct FileOptions: ParsableArguments {
    @Option(value: "ndjson|json|csv|tsv|vcard|xlsx|ods|ldif", help: "The format of the file; detected by default.")
    var format: ImportFormat?

    @Option(value: "name", help: "The encoding of the file, such as Windows-1252 or CP949; detected by default.")
    var encoding: String?

    @Option(
        in: 1...Int.max, value: "line",
        help: """
            The number of the line, or of the row of a sheet, with a table's column names; by default the one that says \
            most about the columns.
            """)
    var header: Int?

    @Option(
        value: "name",
        help: "The sheet of a workbook; by default the visible one with the best header and the most people.")
    var sheet: String?

    @Flag(help: "Read the hidden rows of a sheet, too.")
    var hiddenRows = false

    @Flag(help: "Import all rows below the header, also totals, headings of sections and notes.")
    var allRows = false

    @Flag(help: "Print what each column was taken for, and why.")
    var explain = false

    @Option(
        value: "file",
        help: "A file of header fields to send to a URL's host, one per line, such as Authorization: Bearer …",
        completion: .file())
    var headerFile: String?

    @Option(
        value: "folder",
        help: "The folder with photos that the file names or that are named after people; by default the file's.",
        completion: .directory)
    var photos: String?

    func validate() throws {
        guard let encoding else { return }
        try expect(
            TextEncoding(named: encoding) != nil,
            "--encoding: expected the name of an encoding, such as Windows-1252 or CP949, found \"\(encoding)\"")
    }

    var fileOptions: FileSource.Options {
        FileSource.Options(
            format: format, encoding: encoding.flatMap(TextEncoding.init(named:)), headerLine: header, photos: photos,
            sheet: sheet, readsHiddenRows: hiddenRows, readsAllRows: allRows, isExplained: explain)
    }

    /// Returns the file at `url`. Errors do not repeat the URL, which may hold a password.
    func remoteFile(_ url: String) throws -> RemoteFile {
        let headers = try headerFile.map { try text(of: $0, for: "--header-file") }
        let address = try checked("the URL cannot be used: ") { try RemoteFile.address(url) }
        return try RemoteFile(address, headers: headers ?? "", userAgent: "rollcall/\(Rollcall.version)")
    }
}

extension ImportFormat: ExpressibleByArgument {}

extension MissingColumns: ExpressibleByArgument {}

/// The directory that an import fills.
struct ImportTarget {
    /// The slug in a database without directories.
    let slug: Slug
    /// The name of the source that the directory is named after; `nil` if `--directory` names it.
    var sourceName: String?

    /// Returns the slug of the directory to fill in a database with `directories`, and what to tell the publisher if it
    /// is not the slug of a new one. Throws an ``RollcallError`` if `--directory` names a directory by a former slug.
    func resolved(among directories: [Directory]) throws -> (slug: Slug, note: String?) {
        let renamed = { (slug: Slug) in directories.first { $0.formerSlugs.contains(slug) }?.slug }
        let exists = { (slug: Slug) in directories.contains { $0.slug == slug } }
        if exists(slug) { return (slug, nil) }
        guard let name = sourceName else {
            if let new = renamed(slug) { throw RollcallError("\(slug) was renamed to \(new): --directory \(new)") }
            return (slug, nil)
        }
        let earlier = Slug(earlierImportName: name)
        if let earlier, exists(earlier) {
            let advice = "rollcall directories rename \(earlier) \(slug) gives it the present one"
            return (earlier, "\(earlier): the slug that an earlier version made of \(name); \(advice)")
        }
        for former in [slug, earlier].compactMap(\.self) {
            if let new = renamed(former) { return (new, "\(new): \(name) fills it, because \(former) was renamed") }
        }
        return (slug, nil)
    }
}
