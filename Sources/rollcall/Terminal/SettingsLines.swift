import Directories
import Fields
import Importers

/// The lines about the settings by which an import reads its source: what was inferred, and what is withheld.
enum SettingsLines {
    static func lines(of settled: SettledSettings, _ directory: Slug) -> [String] {
        if !settled.isTable { return [] }
        var lines: [String] = []
        if settled.isFirst { lines.append(inferred(settled, directory)) }
        lines += newColumns(settled) + missingColumns(settled)
        if !settled.withheld.isEmpty {
            lines.append(Inference.Note.withheld(columns: settled.withheld).description)
        }
        return lines + settled.advice
    }

    /// Returns lines about the columns that only this file has: those that are published, and the others.
    private static func newColumns(_ settled: SettledSettings) -> [String] {
        [FieldVisibility.public, .private, .never].compactMap { visibility in
            let columns = settled.newColumns.filter { settled.plan.visibility(ofColumn: $0) == visibility }
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
    private static func missingColumns(_ settled: SettledSettings) -> [String] {
        let columns = settled.missingColumns.map { column in
            let field = settled.plan.fields.first { field in
                field.source.columns.contains { $0.lowercased() == column.lowercased() }
            }
            return field.map { "\(column) (\($0.key))" } ?? column
        }
        if columns.isEmpty { return [] }
        let pronoun = columns.count == 1 ? "it" : "them"
        let outcome =
            settled.keepsMissing
            ? "people keep what they have in \(pronoun)"
            : "the people of this file have nothing in \(pronoun) now; --map FIELD=COLUMN names another column"
        return [
            "\(counted(columns.count, "column")) of the last import missing: \(columns.joined(separator: ", ")); \(outcome)"
        ]
    }

    /// Returns a line about how people are shown.
    private static func inferred(_ settled: SettledSettings, _ directory: Slug) -> String {
        let plan = settled.plan
        func keys(_ name: String, _ indexes: [Int]) -> String? {
            indexes.isEmpty ? nil : "\(name) \(indexes.map { plan.fields[$0].key }.joined(separator: ", "))"
        }
        let name = plan.fields.first { $0.role == .name }.map { "name \($0.source.description)" }
        let order = plan.defaultOrder
        let parts = [
            name, keys("rows", plan.rows), keys("filters", plan.filters),
            "order \(order.key)\(order.isDescending ? ":desc" : "")", "language \(plan.language)",
        ]
        return "settings: " + parts.compactMap(\.self).joined(separator: "; ")
            + " (rollcall directories settings \(directory) shows all)"
    }
}
