/// A table of the database. Each store creates it from this description, and `rollcall copy` copies its rows as they
/// are: see ``Table/ofDatabase``, ``Table/ofDirectory(_:)`` and ``Table/ofPictures``.
package struct Table: Sendable {
    package struct Column: Sendable {
        package enum Kind: Hashable, Sendable {
            /// 64 bits, also for truth values.
            case number
            /// In UTF-8, ordered by its bytes.
            case text
            case blob
            /// The column `key` of `userBlockDirectory`, which each store encodes in a way of its own.
            case blockKey
        }

        let name: String
        let kind: Kind
        var allowsNull = false
        /// The default and the conditions, which all databases write alike.
        var rules = ""
    }

    /// An index beside that of the primary key.
    struct Index {
        /// The end of the index's name, after the name of the table.
        let name: String
        let columns: String
        /// Which rows it has, if not all.
        var condition: String?
    }

    /// The name without the id of the directory.
    package let kind: String
    /// The directory that the table is for, whose id is the end of the name.
    package let directory: Int64?
    /// The columns of the primary key come first.
    let columns: [Column]
    let keyCount: Int
    var indexes: [Index] = []
    /// The orders of the directory whose blocks the table lists.
    var orders: [IndexedOrder]?

    init(_ kind: String, of directory: Int64? = nil, key: [Column], _ others: [Column] = []) {
        (self.kind, self.directory) = (kind, directory)
        columns = key + others
        keyCount = key.count
    }

    package var name: String { kind + (directory.map(String.init) ?? "") }

    var key: ArraySlice<Column> { columns.prefix(keyCount) }

    /// Whether rows are found by one number.
    package var hasNumberAsKey: Bool { keyCount == 1 && columns[0].kind == .number }

    /// The names of the columns with blobs.
    package var blobs: [String] { columns.filter { $0.kind == .blob }.map(\.name) }
}

extension Table {
    /// How a database writes what databases write differently.
    package struct Dialect: Sendable {
        let types: [Column.Kind: String]
        /// The words after the type of a number that the database gives to new rows.
        let numbering: String
        /// The words after the columns of a table.
        let options: @Sendable (Table) -> String

        package init(
            types: [Column.Kind: String], numbering: String, options: @escaping @Sendable (Table) -> String
        ) {
            (self.types, self.numbering, self.options) = (types, numbering, options)
        }
    }

    /// The statements that create the table and its indexes.
    package func creation(in dialect: Dialect) -> String {
        var parts = columns.map { column in definition(of: column, dialect) }
        if keyCount > 1 { parts.append("PRIMARY KEY (\(key.map(\.name).joined(separator: ", ")))") }
        let table = "CREATE TABLE \(name) (\n    \(parts.joined(separator: ",\n    "))\n)\(dialect.options(self))"
        return ([table] + indexes.map(creation)).map { $0 + ";\n" }.joined()
    }

    private func definition(of column: Column, _ dialect: Dialect) -> String {
        let isKey = keyCount == 1 && column.name == columns[0].name
        let isNumbered = isKey && kind == Table.directory.kind
        let parts = [
            column.name, dialect.types[column.kind] ?? "",
            isKey ? "PRIMARY KEY" : column.allowsNull ? "" : "NOT NULL",
            isNumbered ? dialect.numbering : "",
            column.name == "directory" ? "REFERENCES directory (id) ON DELETE CASCADE" : "", column.rules,
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func creation(of index: Index) -> String {
        "CREATE INDEX \(name)\(index.name) ON \(name) (\(index.columns))"
            + (index.condition.map { " WHERE \($0)" } ?? "")
    }
}

/// The version of the tables of a database.
package enum TableFormat {
    /// The version that this program reads and writes, and no other.
    package static let current: Int64 = 5

    /// Throws if another version made the tables of the database called `name`.
    package static func check(_ format: Int64, of name: String) throws(StoreError) {
        if format == current { return }
        if format > current {
            throw StoreError(.newer, "\(name) was made by a newer Rollcall (format \(format)); use that one")
        }
        throw StoreError(
            .older,
            """
            \(name) was made by an earlier Rollcall, in another format (\(format) instead of \(current)); import again \
            into a new database, or write the people out with rollcall export of the version that made it, and import \
            those files
            """)
    }
}
