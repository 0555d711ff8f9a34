import Directories
import GRDB

extension SQLiteStore {
    /// Derives the texts, orders and search index of directories again whose searched texts have the form of another
    /// version: see ``SearchedText/form(ofLanguage:)``. Each directory takes one transaction, during which servers go
    /// on reading. `progress` is called with each directory and the number of users done so far, from 0.
    static func rebuildSearchedTexts(in queue: DatabaseQueue, _ progress: (Directory, Int) -> Void) throws {
        for id in try withConnection(of: queue, { try $0.directoriesWithOtherTexts() }) {
            try withConnection(of: queue) { connection in
                try connection.execute("BEGIN IMMEDIATE")
                do {
                    // Another process may have done it meanwhile.
                    if try connection.directoriesWithOtherTexts().contains(id),
                        var directory = try connection.directory(id)
                    {
                        progress(directory, 0)
                        let tables = UserTables(directory: id, connection: connection)
                        try tables.orders.load(directory)
                        try tables.facets.load(directory)
                        try tables.reindex(from: directory.plan, to: directory.plan, erases: false) {
                            progress(directory, $0)
                        }
                        try connection.save(&directory)
                    }
                    connection.removeStatements()
                    try connection.execute("COMMIT")
                } catch {
                    connection.removeStatements()
                    try? connection.execute("ROLLBACK")
                    throw error
                }
            }
        }
    }

    private static func withConnection<Result>(
        of queue: DatabaseQueue, _ body: (Connection) throws -> Result
    ) throws -> Result {
        try queue.inDatabase { db in
            guard let handle = db.sqliteConnection else { throw StoreError(.gone, "the database is closed") }
            let connection = Connection(borrowing: handle)
            defer { connection.removeStatements() }
            return try body(connection)
        }
    }
}

extension Connection {
    /// Returns the directories whose searched texts have another form than this version makes.
    fileprivate func directoriesWithOtherTexts() throws -> [Int64] {
        let rows = try statement("SELECT id, settings, textForm FROM directory ORDER BY id")
        defer { rows.reset() }
        var ids: [Int64] = []
        while try rows.step() {
            let plan = try PlanCache.shared.plan(rows.bytes(1))
            if rows.text(2) != SearchedText.form(ofLanguage: plan.language) { ids.append(rows.number(0)) }
        }
        return ids
    }
}
