import People
import Publishing

extension EngineStore {
    public func rename(_ slug: Slug, to new: Slug) throws {
        if slug == new { throw StoreError(.exists, "the directory is already called \(new)") }
        try change(slug) { directory, connection in
            if try connection.directory(new) != nil {
                throw StoreError(.exists, "directory \(new) exists already; remove or rename it first")
            }
            try free(new, on: connection)
            if directory.title == slug.text { directory.title = new.text }
            directory.formerSlugs = directory.formerSlugs.filter { $0 != new } + [slug]
            directory.slug = new
            try SuppressionList.Keys.rename(slug, to: new, in: connection)
        }
    }

    /// Takes a former slug from the directory that had it, so that another one can get it.
    func free(_ slug: Slug, on connection: any StoreConnection) throws {
        for var directory in try connection.directories() where directory.formerSlugs.contains(slug) {
            try lock(directory.id, on: connection)
            directory.formerSlugs.removeAll { $0 == slug }
            try connection.save(&directory, as: nextGeneration(on: connection))
        }
    }

    public func describe(_ slug: Slug, as description: DirectoryDescription) throws {
        try change(slug) { directory, connection in
            description.apply(to: &directory)
            guard description.hasTerms else { return }
            try connection.execute("UPDATE directory SET hasOwnTerms = 1 WHERE id = \(directory.id)")
        }
    }

    public func set(_ settings: DirectorySettings, of slug: Slug) throws {
        try UserWriter(store: self, expectedDirectory(slug)).adopt(settings)
    }

    public func reindex(_ slug: Slug, progress: (Int) -> Void) throws {
        try UserWriter(store: self, expectedDirectory(slug)).reindex(progress)
    }

    private func expectedDirectory(_ slug: Slug) throws -> StoredDirectory {
        try transaction { try $0.expectedDirectory(slug, name) }
    }

    public func set(_ logo: Logo?, of slug: Slug) throws {
        try change(slug) { directory, connection in
            try connection.run("DELETE FROM logo WHERE directory = ?", directory.id)
            guard let logo else { return }
            try logo.bytes.withUnsafeBytes { bytes in
                try connection.run(
                    "INSERT INTO logo (directory, name, type, bytes) VALUES (?, ?, ?, ?)", directory.id, logo.name,
                    logo.type, SQLValue.blob(bytes))
            }
        }
    }

    public func makeDefault(_ slug: Slug) throws {
        try transaction { connection in
            let chosen = try connection.expectedDirectory(slug, name)
            // All directories get a new generation, because a URL without a slug may have shown any of them.
            for var directory in try connection.directories().sorted(by: { $0.id < $1.id }) {
                try lock(directory.id, on: connection)
                directory.isDefault = directory.id == chosen.id
                try connection.save(&directory, as: nextGeneration(on: connection))
            }
        }
    }

    @discardableResult public func remove(_ slug: Slug) throws -> (bytes: Int64, isGivenBack: Bool) {
        let size = try transaction { connection in
            let directory = try connection.expectedDirectory(slug, name)
            try lock(directory.id, on: connection)
            let size = try dropTables(of: directory.id, on: connection)
            try connection.execute("DELETE FROM directory WHERE id = \(directory.id)")
            return size
        }
        let space = try giveBackSpace(of: slug, size)
        do { try eraseUnusedPictures() } catch let error as StoreError {
            // This error does not count as an interruption: the command cannot be repeated, because the directory is
            // gone.
            throw StoreError(
                .database(0),
                """
                \(slug) is removed, but pictures of its people may still be in the database; a later run of rollcall \
                pictures removes them (\(error))
                """)
        }
        return space
    }

    private func change(_ slug: Slug, _ body: (inout StoredDirectory, any StoreConnection) throws -> Void) throws {
        try transaction { connection in
            var directory = try connection.expectedDirectory(slug, name)
            try lock(directory.id, on: connection)
            try body(&directory, connection)
            try connection.save(&directory, as: nextGeneration(on: connection))
        }
    }
}

extension StoreConnection {
    /// Returns all directories in the order in which they are shown. Returns none while another database is being
    /// copied into this one.
    package func directories() throws -> [StoredDirectory] {
        try all(
            """
            SELECT \(StoredDirectory.columns) FROM directory WHERE NOT \(exists(table: IncompleteCopy.table))
            ORDER BY isDefault DESC, id
            """
        ) { try directory($0) }
    }

    func expectedDirectory(_ slug: Slug, _ path: String) throws -> StoredDirectory {
        try directory(slug) ?? directories().named(slug, in: path)
    }
}

extension [StoredDirectory] {
    /// Returns the directory called `slug`, or all for `nil`. Throws if there is none: `path` is the path of the
    /// database, for the message.
    func chosen(_ slug: Slug?, in path: String) throws -> [StoredDirectory] {
        try slug.map { [try named($0, in: path)] } ?? self
    }

    /// Returns the directory called `slug`. Throws if there is none, as ``chosen(_:in:)`` does.
    public func named(_ slug: Slug, in path: String) throws -> StoredDirectory {
        if let directory = first(where: { $0.slug == slug }) { return directory }
        let slugs = map(\.slug.text).joined(separator: ", ")
        let renamed = first { $0.formerSlugs.contains(slug) }
        let advice = renamed.map { "it was renamed to \($0.slug)" } ?? (slugs.isEmpty ? nil : "it has \(slugs)")
        throw StoreError(.noDirectory, "\(path) has no directory \(slug)\(advice.map { "; \($0)" } ?? "")")
    }
}
