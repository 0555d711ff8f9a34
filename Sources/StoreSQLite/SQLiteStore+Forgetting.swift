import Bytes
import Directories

extension SQLiteStore {
    public func forget(_ person: Person, in slug: Slug?) throws -> [Forgetting] {
        let reader = try SQLiteReader(opening)
        return try directories(slug).compactMap { directory in
            var count = 0
            let writer = try SQLiteWriter(store: self, directory)
            // Once more for whom an import brought between the two steps; after the second one it knows them.
            while case let ids = try reader.ids(of: person, in: directory.id), !ids.isEmpty {
                count += try writer.forget(ids, everywhere: slug == nil)
            }
            return count == 0 ? nil : Forgetting(directory: directory.slug, count: count)
        }
    }

    public func isForgotten(_ person: Person, in slug: Slug?) throws -> Bool {
        try marks(of: person, in: slug, "SELECT 1 FROM forgotten") { statement, _ in try statement.step() }
    }

    public func remember(_ person: Person, in slug: Slug?) throws -> Bool {
        try marks(of: person, in: slug, "DELETE FROM forgotten") { statement, connection in
            _ = try statement.step()
            guard connection.changes > 0 else { return false }
            // Pages that are not sent again, because they have not changed, would not bring the person.
            try connection.execute("DELETE FROM visitedPage")
            return true
        }
    }

    /// Calls `body` with a statement for the hashes that a person would have.
    private func marks(
        of person: Person, in slug: Slug?, _ sql: String, _ body: (Statement, Connection) throws -> Bool
    ) throws -> Bool {
        try transaction { _, connection in
            defer { connection.removeStatements() }
            let keys = try Forgotten.Keys(slug, from: connection)
            let (column, hash) =
                switch person {
                case .id(let id): ("id", keys.id(id))
                case .login(let login): ("login", keys.login(folding: login, everywhere: slug == nil))
                }
            let statement = try connection.statement("\(sql) WHERE \(column) = ?")
            statement.bind(hash, at: 1)
            defer { statement.reset() }
            return try body(statement, connection)
        }
    }

    private func directories(_ slug: Slug?) throws -> [Directory] {
        guard let slug else { return directories }
        if let directory = directories.first(where: { $0.slug == slug }) { return [directory] }
        let slugs = directories.map(\.slug.text).joined(separator: ", ")
        throw StoreError(
            .noDirectory, "\(path) has no directory \(slug.text)\(slugs.isEmpty ? "" : "; it has \(slugs)")")
    }
}

extension SQLiteWriter {
    /// Removes users and notes that they are not to come again; answers how many were there.
    fileprivate func forget(_ ids: [Int64], everywhere: Bool) throws -> Int {
        try change { db, changes in
            let keys = try Forgotten.Keys(directory.slug, from: tables.connection)
            let note = try tables.connection.statement("INSERT OR IGNORE INTO forgotten (login, id) VALUES (?, ?)")
            var count = 0
            for id in ids {
                guard let text = try tables.remove(id, noting: changes) else { continue }
                let login = SearchedText(changes.texts.bytes[text]).login
                note.bind(keys.login(login, everywhere: everywhere), at: 1)
                note.bind(keys.id(id), at: 2)
                try note.run()
                try SQLiteLedger.forget(login: String(decoding: login, as: UTF8.self), directory.id, in: db)
                count += 1
            }
            return count
        }
    }
}

extension SQLiteReader {
    /// Who a person is in a directory.
    fileprivate func ids(of person: Person, in directory: Int64) throws -> [Int64] {
        switch person {
        case .id(let id):
            try page(UserQuery(directory: directory, start: .after(.id(id - 1)), limit: 1))
                .map { $0.users.rows.map(\.id).filter { $0 == id } } ?? []
        case .login(let login): try ids(login: login, directory: directory)
        }
    }
}
