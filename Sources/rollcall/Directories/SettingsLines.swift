import Importers
import People

/// The lines about the settings by which an import reads its source: what was inferred, and what is withheld.
enum SettingsLines {
    static func lines(of schema: ImportSchema, _ directory: Slug) -> [String] {
        if !schema.isTable { return [] }
        var lines: [String] = []
        if schema.isFirst { lines.append(inferred(schema, directory)) }
        lines += newColumns(schema) + missingColumns(schema)
        let hidden = schema.hiddenInSheet
        let withheld = schema.withheld
        for isHidden in [true, false] {
            let columns = withheld.filter { hidden.contains($0) == isHidden }
            if !columns.isEmpty {
                lines.append(Inference.Note.withheld(columns: columns, isHidden: isHidden).description)
            }
        }
        return lines + schema.advice
    }

    /// Returns lines about the columns that only this file has: those that are published, and the others.
    private static func newColumns(_ schema: ImportSchema) -> [String] {
        [FieldVisibility.public, .private, .never].compactMap { visibility in
            let columns = schema.newColumns.filter { schema.resolved.visibility(ofColumn: $0) == visibility }
            if columns.isEmpty { return nil }
            let pronoun = columns.count == 1 ? "it" : "them"
            let meaning =
                switch visibility {
                case .public: "public; --keep hides \(pronoun), --drop leaves \(pronoun) out"
                case .private: "private"
                case .never: "not stored"
                }
            return "\(counted(columns.count, "new column")): \(columns.joined(separator: ", ")) (\(meaning))"
        }
    }

    /// Returns a line about the columns of the last import that this file lacks, with the fields that are read from
    /// them.
    private static func missingColumns(_ schema: ImportSchema) -> [String] {
        let columns = schema.missingColumns.map { column in
            let field = schema.resolved.fields.first { field in
                field.source.columns.contains { $0.lowercased() == column.lowercased() }
            }
            return field.map { "\(column) (\($0.key))" } ?? column
        }
        if columns.isEmpty { return [] }
        let pronoun = columns.count == 1 ? "it" : "them"
        let outcome =
            schema.keepsMissing
            ? "people keep what they have in \(pronoun)"
            : "the people of this file have nothing in \(pronoun) now; --map FIELD=COLUMN names another column"
        return [
            "\(counted(columns.count, "column")) of the last import missing: \(columns.joined(separator: ", ")); \(outcome)"
        ]
    }

    /// Returns a line about how people are shown.
    private static func inferred(_ schema: ImportSchema, _ directory: Slug) -> String {
        let settings = schema.resolved
        func keys(_ name: String, _ indexes: [Int]) -> String? {
            indexes.isEmpty ? nil : "\(name) \(indexes.map { settings.fields[$0].key }.joined(separator: ", "))"
        }
        let name = settings.fields.first { $0.role == .name }.map { "name \($0.source.description)" }
        let order = settings.defaultOrder
        let parts = [
            name, keys("rows", settings.rows), keys("filters", settings.filters),
            "order \(order.key)\(order.isDescending ? ":desc" : "")", "language \(settings.language)",
        ]
        return "settings: " + parts.compactMap(\.self).joined(separator: "; ")
            + " (rollcall directories settings \(directory) shows all)"
    }
}
