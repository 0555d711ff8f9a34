import Foundation
import People
import Publishing
import TestSupport

@testable import Importers

/// A folder of a test's own, and imports of files in it into a directory in memory. Suites inherit it.
class FileImport: TestFolder {
    let writer = MemoryWriter()

    func run(
        _ bytes: [UInt8], as name: String = "staff.csv", _ options: FileSource.Options = .init(),
        edit: (inout SettingsEdits) -> Void = { _ in }
    ) throws -> Imported {
        var settings = ImportRequest()
        edit(&settings.edits)
        return imported(FileSource(path: try write(name, bytes), options: options, request: settings), into: writer)
    }

    func run(
        _ text: String, as name: String = "staff.csv", _ options: FileSource.Options = .init(),
        edit: (inout SettingsEdits) -> Void = { _ in }
    ) throws -> Imported {
        try run(Array(text.utf8), as: name, options, edit: edit)
    }

    /// Returns the names and texts of the cells of a sheet, by rows.
    func rows(
        of path: String, sheet: Int = 0, tick: @escaping () throws -> Void = {}
    ) throws -> [[(name: String, text: String)]] {
        let file = open(path, O_RDONLY)
        defer { close(file) }
        var rows: [[(name: String, text: String)]] = []
        let book = try WorkbookFile.open(file, tick: tick)
        try book.forEachRow(of: book.sheets[sheet]) { row in
            rows.append(
                row.cells.map { (row.name($0.column), String(decoding: row.bytes.bytes[$0.text], as: UTF8.self)) })
        }
        return rows
    }

    /// The people in the order of their names, each with the values that are not columns of users.
    var people: [String] { writer.sorted.map { "\($0.name ?? $0.login) \($0.more ?? "")".trimmed }.sorted() }
}
