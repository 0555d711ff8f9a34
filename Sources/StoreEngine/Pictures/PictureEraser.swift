import People
import Publishing

/// Erases pictures of people, unless others have the same ones. Used inside a write transaction of the database, so
/// that nobody gets one of these pictures meanwhile.
struct PictureEraser {
    private let tables: PictureTables
    private let database: any StoreConnection
    private let directories: [Int64]

    init(_ tables: PictureTables, _ database: any StoreConnection) throws {
        self.tables = tables
        self.database = database
        directories = try database.directoryIDs()
    }

    /// Erases the pictures of the people with `ids`, and what is known of their addresses. Returns the erased pictures.
    func erase(of ids: Set<Int64>, in directory: Int64) throws -> [PictureKey] {
        let secret = try PictureSecret(from: database)
        var keys: Set<PictureKey> = []
        var addresses: Set<String> = []
        for table in Table.ofPeople(in: directory) {
            for id in ids {
                try database.forEach("SELECT picture, avatarURL FROM \(table) WHERE id = ?", id) { row in
                    if let key = PictureKey(row.number(0)) { keys.insert(key) }
                    if !row.isNull(1) { addresses.insert(row.text(1)) }
                }
            }
        }
        return try tables.connection.transaction {
            for address in addresses {
                let hash = secret.hash(address)
                guard let fetched = try tables.fetched(hash),
                    try !isUsed("avatarURL = ?", address, except: ids, in: directory)
                else { continue }
                // The picture of the address is not the person's if they have another one of their own.
                if let key = fetched.key { keys.insert(key) }
                try tables.removeFetched(hash)
            }
            return try keys.sorted { $0.number < $1.number }.filter { key in
                try !isUsed(key, except: ids, in: directory) && tables.remove(key)
            }
        }
    }

    @discardableResult func erase(_ keys: some Sequence<PictureKey>) throws -> [PictureKey] {
        try tables.connection.transaction { try keys.filter { try !isUsed($0) && tables.remove($0) } }
    }

    private func isUsed(_ key: PictureKey, except ids: Set<Int64> = [], in directory: Int64 = 0) throws -> Bool {
        // The index of pictures has only positive ones.
        try isUsed("picture = ? AND picture > 0", key.number, except: ids, in: directory)
    }

    private func isUsed(
        _ condition: String, _ value: any Bindable, except ids: Set<Int64>, in directory: Int64
    ) throws -> Bool {
        try directories.contains { other in
            let exempt = other == directory ? ids : []
            return try Table.ofPeople(in: other).contains { table in
                // One more than those who do not count.
                try database.all(
                    "SELECT id FROM \(table) WHERE \(condition) LIMIT ?", value, Int64(exempt.count + 1)
                ) { $0.number(0) }.contains { !exempt.contains($0) }
            }
        }
    }
}

extension EngineStore {
    /// Erases pictures and addresses that nobody has, however new they are.
    func eraseUnusedPictures() throws {
        guard try openExistingPictures() != nil else { return }
        let writer = try StoredPictureWriter(self)
        _ = try writer.collectGarbage(at: .max)
        try overwriteRemovedPictures(writer.tables)
    }

    func overwriteRemovedPictures(_ pictures: PictureTables) throws {
        if try overwriteRemovedPictures(pictures.connection, within: nil) { return }
        throw StoreError(
            .busy,
            """
            no page shows the pictures any more, but another process has been reading them in \(name) all the time: they \
            are still in it; run this again
            """)
    }

    public func makePictureWriter() throws -> any PictureWriter { try StoredPictureWriter(self) }

    public func pictureCounts() throws -> [Int64: PictureCounts] {
        try reading { connection in
            try directories.reduce(into: [:]) { counts, directory in
                let condition = "FROM user\(directory.id) WHERE picture > 0"
                let pictures = try connection.number("SELECT count(*) \(condition)")
                if pictures == 0 { return }
                let own = try connection.number("SELECT count(*) \(condition) AND hasOwnPicture <> 0")
                counts[directory.id] = PictureCounts(pictures: Int(pictures), own: Int(own))
            }
        }
    }
}
