import ArgumentParser
import Base
import Foundation
import Importers
import People

/// A file that `open` shows as a directory.
struct OpenedSource {
    /// As it was named, or in the folder that was.
    let path: String
    let slug: Slug
    let options: FileSource.Options
    /// The file on a web server, if it is one.
    var remote: RemoteFile?

    /// More would be a collection of something else.
    private static let maxTables = 20
    private static let endings: Set<String> = [
        "csv", "tsv", "xlsx", "xlsm", "ods", "vcf", "json", "ndjson", "jsonl", "ldif", "gz",
    ]

    /// Returns the tables at `path`: one, or those of a folder.
    static func all(at path: String, _ layout: FileOptions) throws -> [OpenedSource] {
        if ImportFile.isAddress(path) {
            let remote = try layout.remoteFile(path)
            let slug = slug(ImportFile.name(of: remote))
            return [OpenedSource(path: path, slug: slug, options: layout.fileOptions, remote: remote)]
        }
        if path == "-" { return [OpenedSource(path: path, slug: slug("people"), options: layout.fileOptions)] }
        guard let type = path.fileType else { throw ValidationError(CommandHints.unknown(path)) }
        if type == S_IFDIR { return try tables(in: path, layout) }
        if isDatabase(path) {
            let location = DatabaseLocation(argument: path).description
            throw ValidationError(
                "\(path.printable) is a database; did you mean: rollcall serve --database \(location.shellWord)")
        }
        return [OpenedSource(path: path, slug: slug(name(path)), options: layout.fileOptions)]
    }

    private static func tables(in folder: String, _ layout: FileOptions) throws -> [OpenedSource] {
        let names = try names(in: folder)
        let tables = names.filter { name in
            let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
            // Files that editors keep beside an open file begin with these.
            return endings.contains(ending) && ![".", "~"].contains(name.first)
                && "\(folder)/\(name)".fileType != S_IFDIR
        }
        if tables.isEmpty {
            let path = folder.shellWord
            if names.contains(".git") { throw ValidationError("did you mean: rollcall import git \(path)") }
            throw ValidationError("\(folder.printable) has no table: expected .csv, .xlsx, .ods, .json or .vcf in it")
        }
        guard tables.count <= maxTables else {
            throw ValidationError("\(folder.printable) has \(tables.count) tables; expected at most \(maxTables)")
        }
        var options = layout.fileOptions
        if options.photos == nil { options.photos = folder }
        var taken: Set<Slug> = []
        return try tables.map { name in
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            var slug = slug(name)
            if taken.contains(slug) { slug = Slug("\(slug)-\(taken.count)") ?? slug }
            guard taken.insert(slug).inserted else {
                throw ValidationError("two files of \(folder.printable) are called \(slug)")
            }
            return OpenedSource(path: path, slug: slug, options: options)
        }
    }

    private static func names(in folder: String) throws -> [String] {
        let descriptor = SystemFile.open(folder, O_RDONLY | O_DIRECTORY)
        defer { if descriptor >= 0 { close(descriptor) } }
        var names: [String] = []
        guard descriptor >= 0, FolderEntries.forEach(in: descriptor, { name, _ in names.append(name) }) else {
            throw ValidationError("cannot open the folder \(folder.printable): \(SystemFile.reason)")
        }
        return names.sorted()
    }

    /// SQLite begins its files with its name.
    private static func isDatabase(_ path: String) -> Bool {
        // A pipe can be read only once.
        guard path.fileType == S_IFREG else { return false }
        let file = SystemFile.open(path, O_RDONLY)
        guard file >= 0 else { return false }
        defer { close(file) }
        return SystemFile.read(upTo: 15, from: file) == Array("SQLite format 3".utf8)
    }

    private static func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

    private static func slug(_ name: String) -> Slug { Slug(importName: name) ?? Slug(literal: "people") }

    /// The name without its folders.
    var name: String {
        path == "-" ? "standard input" : remote.map(ImportFile.name) ?? Self.name(path)
    }

    /// What its directory is called.
    var title: String? { path == "-" ? nil : Slug.title(ofFile: name) }

    /// - Parameter isReadTwice: Whether it is read more than once.
    func source(_ request: ImportRequest, isReadTwice: Bool) -> FileSource {
        let kept = KeptInput(keepsStreams: isReadTwice)
        if let remote { return FileSource(remote, options: options, request: request, kept: kept) }
        return FileSource(path: path, options: options, request: request, kept: kept)
    }
}
