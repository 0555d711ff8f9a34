import People

/// Looks for people of a source as a ``UserWriter`` does, and writes nothing.
final class StoredPruningJudge: PruningJudge {
    let directory: Directory
    let total: Int
    private let tables: UserTables
    private let people: PeopleFinder
    private var ids: Set<Int64> = []
    /// Whether another key will identify people. The present keys then protect nobody from being found by name.
    private var hasOtherKey = false

    init(_ directory: Directory, in store: any EngineStore) throws {
        self.directory = directory
        tables = UserTables(directory: directory.id, connection: try store.makeReadingConnection())
        try tables.begin(at: 0)
        people = try PeopleFinder(tables)
        total = try directory.total + tables.hiddenCount()
    }

    var found: Int { ids.count }

    func adopt(_ settings: DirectorySettings) { hasOtherKey = settings.hasOtherKey(than: directory.settings.stored) }

    func note(_ batch: UserBatch) throws {
        try people.note(batch)
        let bytes = batch.buffer.bytes
        for user in batch.records {
            let hashes = people.hashes(of: user, bytes)
            var id = try people.id(of: user, hashes, bytes, in: directory)
            let kind = batch.identityKind(of: user)
            if id == nil, !hashes.isEmpty, try people.matchesByName(kind, in: batch) {
                id = try people.onlyID(of: user, bytes, in: directory, ignoringKeys: hasOtherKey || kind == .name)
            }
            if let id, try tables.has(id) { ids.insert(id) }
        }
    }
}

extension EngineStore {
    public func makePruningJudge(of slug: Slug) throws -> (any PruningJudge)? {
        refresh()
        return try directories.first { $0.slug == slug }.map { try StoredPruningJudge($0, in: self) }
    }
}
