import Base
import Importers
import People
import Publishing

extension ImportSchema {
    /// The lines about how the columns of the source differ from those of the last one, and advice.
    var columnLines: [String] { newColumnLines + missingColumnLines + advice }

    /// Lines about the columns that only this file has: those that are published, and the others.
    private var newColumnLines: [String] {
        let new = resolved.split(newColumns)
        let pronoun = new.shown.count == 1 ? "it" : "them"
        let lists = [
            (new.shown, "public; --keep hides \(pronoun), --drop leaves \(pronoun) out"),
            (new.restricted, "private"), (new.leftOut, "not stored"),
        ]
        return lists.filter { !$0.0.isEmpty }.map { columns, meaning in
            "\(counted(columns.count, "new column")): \(columns.joined(separator: ", ")) (\(meaning))"
        }
    }

    /// A line about the columns of the last import that this file lacks, with the fields that are read from them.
    var missingColumnLines: [String] {
        let columns = missingColumns.map { column in
            let field = resolved.fields.first { $0.source.reads(column) }
            return field.map { "\(column) (\($0.key))" } ?? column
        }
        if columns.isEmpty { return [] }
        let pronoun = columns.count == 1 ? "it" : "them"
        let outcome =
            keepsMissing
            ? "people keep what they have in \(pronoun)"
            : "the people of this file have nothing in \(pronoun) now; --map FIELD=COLUMN names another column"
        return [
            "\(counted(columns.count, "column")) of the last import missing: \(columns.joined(separator: ", ")); \(outcome)"
        ]
    }
}
