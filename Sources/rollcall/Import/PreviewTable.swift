import Base
import Importers

extension ImportSummary {
    /// The table that a dry run prints: the file, its columns and the first people; empty if nothing could be read, or
    /// if the source is not a file.
    var previewLines: [String] {
        guard let schema, let layout else { return [] }
        return [heading(schema, layout)] + (schema.isLearned ? schema.columnTable : []) + people
    }

    private func heading(_ schema: ImportSchema, _ layout: FileLayout) -> String {
        var parts = [layout.encoding.name, layout.formatName]
        if let line = layout.headerLine { parts.append("header in line \(line)") }
        let count = progress.users
        var people = counted(count, "person", "people")
        if layout.emptyRows > 0 { people += " (\(counted(layout.emptyRows, "empty row")) skipped)" }
        parts.append(people)
        parts.append("language \(schema.resolved.language)")
        return "\(layout.name): \(parts.joined(separator: ", "))"
    }

    private var people: [String] {
        aligned(
            preview.people.map { person in
                [
                    "\(person.place) \(person.name)", person.facts.joined(separator: " · "), person.location,
                    "/users/\(person.handle)", person.hasPhoto ? "photo" : "",
                ]
            }, gap: 3)
    }

    /// The findings of a dry run, for programs; `nil` if nothing could be read, or if the source is not a file.
    var previewJSON: JSONObject? {
        guard let schema, let layout else { return nil }
        let columns = schema.columnPreviews.map { column -> JSONObject in
            [
                "column": column.heading, "becomes": column.key, "shown": column.shown, "type": column.type,
                "example": column.example, "searched": column.isSearched, "filterValues": column.filterValues,
            ]
        }
        let people = preview.people.map { person -> JSONObject in
            [
                "place": person.place, "name": person.name, "location": person.location, "handle": person.handle,
                "facts": person.facts, "photo": person.hasPhoto,
            ]
        }
        return [
            "file": layout.name, "encoding": layout.encoding.name, "format": layout.format.rawValue,
            "language": schema.resolved.language, "identity": schema.isLearned ? "known by \(schema.knownBy)" : nil,
            "headerLine": layout.headerLine, "emptyRows": layout.emptyRows, "columns": columns, "people": people,
        ]
    }
}

extension FileLayout {
    fileprivate var formatName: String {
        guard let separator else { return format.rawValue }
        return [";": "semicolons", ",": "commas", "\t": "tabs"][separator] ?? "separator \(separator)"
    }
}

extension ImportSchema {
    fileprivate var columnTable: [String] {
        var rows = [["column", "becomes", "shown", "searched", "filter", "example"]]
        for column in columnPreviews {
            if column.isLeftOut {
                rows.append([column.heading, column.key])
                continue
            }
            let filter = column.filterValues.map { counted($0, "value") } ?? "-"
            rows.append([
                column.heading, column.key, column.shown, column.isSearched ? "yes" : "-",
                column.type.isEmpty ? filter : "\(filter)  \(column.type)", String(column.example.prefix(40)),
            ])
        }
        // These widths make most tables look alike.
        return aligned(rows, least: [12, 12, 11, 10, 14], gap: 1) + ["people are known by \(knownBy)"]
    }
}

/// Returns the rows with aligned cells. Only the last cell of a row may be wider than its column.
func aligned(_ rows: [[String]], least: [Int] = [], gap: Int) -> [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
        let cells = rows.filter { $0.count > column + 1 }.map { $0[column].columns }
        let widest = cells.max() ?? 0
        return max(widest == 0 ? 0 : widest + gap, least.dropFirst(column).first ?? 0)
    }
    return rows.map { row in
        var line = ""
        for (column, cell) in row.enumerated() {
            line += cell.printable + String(repeating: " ", count: max(0, widths[column] - cell.printable.columns))
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}

extension String {
    /// The number of terminal columns that the text takes: two for each Korean, Japanese and Chinese character.
    fileprivate var columns: Int {
        unicodeScalars.reduce(0) { columns, scalar in
            switch scalar.value {
            case 0x300...0x36F: columns
            case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
                0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
                columns + 2
            default: columns + 1
            }
        }
    }
}
