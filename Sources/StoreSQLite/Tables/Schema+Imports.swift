import GRDB

extension Schema {
    /// The column of users that "addLastImport" added: when an import last changed the row, in seconds since 1970. 0 if
    /// none has since it was added, which takes no space; -1 if that is not known, in rows of earlier versions.
    static let changedAt = "changedAt INTEGER NOT NULL"

    static func addLastImport(_ db: Database) throws {
        try db.execute(
            sql: """
                -- How the last import of each directory ended: see LastImport.
                CREATE TABLE lastImport (
                    directory INTEGER PRIMARY KEY REFERENCES directory (id) ON DELETE CASCADE,
                    endedAt INTEGER NOT NULL,
                    milliseconds INTEGER NOT NULL,
                    status INTEGER NOT NULL,
                    added INTEGER NOT NULL,
                    changed INTEGER NOT NULL,
                    removed INTEGER NOT NULL,
                    rejected INTEGER NOT NULL
                ) STRICT;
                """)
        for directory in try Int64.fetchAll(db, sql: "SELECT id FROM directory") {
            for table in ["user", "userHidden"] {
                try db.execute(sql: "ALTER TABLE \(table)\(directory) ADD COLUMN \(changedAt) DEFAULT -1")
            }
        }
    }
}
