import Directories
import GRDB
import GRDBSQLite

extension SQLiteStore: DirectoryRegister {
    public func rename(_ slug: Slug, to new: Slug) throws {
        if slug == new { throw StoreError(.exists, "the directory is called \(new) already") }
        try change(slug) { directory, connection in
            if try connection.directory(new) != nil {
                throw StoreError(.exists, "there is a directory \(new) already; remove or rename that one first")
            }
            if directory.title == slug.text { directory.title = new.text }
            directory.slug = new
            try SuppressionList.Keys.rename(slug, to: new, in: connection)
        }
    }

    public func describe(_ slug: Slug, as description: DirectoryDescription) throws {
        try change(slug) { directory, connection in
            directory = description.applied(to: directory)
            guard description.hasTerms else { return }
            try connection.execute("UPDATE directory SET hasOwnTerms = 1 WHERE id = \(directory.id)")
        }
    }

    public func makeDefault(_ slug: Slug) throws {
        try transaction { _, connection in
            let chosen = try connection.expectedDirectory(slug, path)
            // All of them, because what was shown at an address without a slug may be of any.
            for var directory in try connection.directories() {
                directory.isDefault = directory.id == chosen.id
                try connection.save(&directory)
            }
        }
    }

    @discardableResult public func remove(_ slug: Slug) throws -> FreedSpace {
        let space = try transaction { db, connection in
            let directory = try connection.expectedDirectory(slug, path)
            connection.removeStatements()
            try Schema.dropPartition(directory.id, in: db)
            try db.execute(sql: "DELETE FROM directory WHERE id = ?", arguments: [directory.id])
            return try Space(connection)
        }
        // Where at least half of the file is free, what stays is written anew, and takes as much room again meanwhile. That it
        // cannot be done, because an import goes on or there is no room, is no harm.
        let isRewritten = space.free >= space.all / 2 && (try? writing?.vacuum()) != nil
        try overwriteWhatIsGone(
            "\(slug) is removed",
            "what was written of its users still stands in the file, until something is changed again"
        )
        return FreedSpace(bytes: space.free, isGivenBack: isRewritten)
    }

    /// How much of the file there is, in bytes, and how much of it nothing uses.
    private struct Space {
        let all, free: Int64

        init(_ connection: Connection) throws {
            let page = try connection.number("PRAGMA page_size")
            all = try connection.number("PRAGMA page_count") * page
            free = try connection.number("PRAGMA freelist_count") * page
        }
    }

    /// Changes what is said of a directory, in one transaction.
    private func change(_ slug: Slug, _ body: (inout Directory, Connection) throws -> Void) throws {
        try transaction { _, connection in
            var directory = try connection.expectedDirectory(slug, path)
            try body(&directory, connection)
            try connection.save(&directory)
        }
    }
}

extension Connection {
    /// In the order that they are shown in.
    func directories(origin: UInt64 = 0) throws -> [Directory] {
        let statement = try statement("SELECT \(Directory.columns) FROM directory ORDER BY isDefault DESC, id")
        defer { statement.reset() }
        var directories: [Directory] = []
        while try statement.step() {
            directories.append(try directory(statement, origin: origin))
        }
        return directories
    }

    /// Throws where there is no such directory; `path` is the database's, for the message.
    fileprivate func expectedDirectory(_ slug: Slug, _ path: String) throws -> Directory {
        guard let directory = try directory(slug) else {
            throw StoreError(.noDirectory, missing: slug, in: path, of: try directories())
        }
        return directory
    }
}

extension StoreError {
    init(_ reason: Reason, missing slug: Slug, in path: String, of directories: [Directory]) {
        let slugs = directories.map(\.slug.text).joined(separator: ", ")
        self.init(reason, "\(path) has no directory \(slug)\(slugs.isEmpty ? "" : "; it has \(slugs)")")
    }
}
