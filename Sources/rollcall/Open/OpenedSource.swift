import ArgumentParser
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
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ValidationError(CommandHints.unknown(path))
        }
        if isFolder.boolValue { return try tables(in: path, layout) }
        if isDatabase(path) {
            let location = DatabaseLocation(argument: path).description
            throw ValidationError(
                "\(path.printable) is a database; did you mean: rollcall serve --database \(location.shellWord)")
        }
        return [OpenedSource(path: path, slug: slug(name(path)), options: layout.fileOptions)]
    }

    private static func tables(in folder: String, _ layout: FileOptions) throws -> [OpenedSource] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let tables = names.filter { name in
            let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
            // Files that editors keep beside an open file begin with these.
            return endings.contains(ending) && ![".", "~"].contains(name.first)
                && !isDirectory("\(folder)/\(name)")
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

    private static func isDirectory(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Whether `path` is a file on a disk, and not a pipe, which can be read only once.
    static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// SQLite begins its files with its name.
    private static func isDatabase(_ path: String) -> Bool {
        guard isRegularFile(path), let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 15)).map { $0 == Data("SQLite format 3".utf8) } ?? false
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
    func source(_ settings: ImportSettings, isReadTwice: Bool) -> FileSource {
        let kept = KeptInput(keepsStreams: isReadTwice)
        if let remote { return FileSource(remote, options: options, settings: settings, kept: kept) }
        return FileSource(path: path, options: options, settings: settings, kept: kept)
    }
}
