import ArgumentParser
import Base
import Foundation
import Importers
import People

extension NamedSource {
    /// More would be a collection of something else.
    private static let maxTables = 20
    private static let endings: Set<String> = [
        "csv", "tsv", "xlsx", "xlsm", "ods", "vcf", "json", "ndjson", "jsonl", "ldif", "gz",
    ]

    /// Returns the tables at `path`, which `open` shows as directories: one, or those of a folder.
    static func tables(at path: String, _ layout: FileOptions) throws -> [NamedSource] {
        let source = try NamedSource(path, layout)
        if source.remote != nil || path == "-" { return [source] }
        let type = try required(path.fileType, CommandHints.unknown(path))
        if type == S_IFDIR { return try tables(in: path, layout) }
        let location = DatabaseLocation(argument: path).description.shellWord
        try expect(
            !isDatabase(path), "\(path.printable) is a database; did you mean: rollcall serve --database \(location)")
        return [source]
    }

    private static func tables(in folder: String, _ layout: FileOptions) throws -> [NamedSource] {
        let names = try required(
            SystemFile.names(inFolder: folder), "cannot open the folder \(folder.printable): \(SystemFile.reason)")
        let tables = names.filter { name in
            let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
            // Files that editors keep beside an open file begin with these.
            return endings.contains(ending) && ![".", "~"].contains(name.first)
                && "\(folder)/\(name)".fileType != S_IFDIR
        }
        let nothing = "\(folder.printable) has no table: expected .csv, .xlsx, .ods, .json or .vcf in it"
        let git = "did you mean: rollcall import git \(folder.shellWord)"
        try expect(!tables.isEmpty, names.contains(".git") ? git : nothing)
        try expect(
            tables.count <= maxTables, "\(folder.printable) has \(tables.count) tables; expected at most \(maxTables)")
        var taken: Set<Slug> = []
        return try tables.map { name in
            var table = try NamedSource(folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)", layout)
            table.options.photos = table.options.photos ?? folder
            if taken.contains(table.slug) { table.slug = Slug("\(table.slug)-\(taken.count)") ?? table.slug }
            try expect(
                taken.insert(table.slug).inserted, "two files of \(folder.printable) are called \(table.slug)")
            return table
        }
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
}
