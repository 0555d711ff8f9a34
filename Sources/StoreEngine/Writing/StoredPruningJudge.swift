import People
import Publishing

/// Looks for people of a source as a ``UserWriter`` does, and writes nothing.
final class StoredPruningJudge: PruningJudge {
    let directory: StoredDirectory
    let total: Int
    private let tables: UserTables
    private let people: PeopleFinder
    private var ids: Set<Int64> = []

    init(_ directory: StoredDirectory, in store: any EngineStore) throws {
        self.directory = directory
        tables = try UserTables(reading: directory, on: try store.makeReadingConnection())
        people = try PeopleFinder(tables)
        total = try directory.total + tables.hidden.count()
    }

    var found: Int { ids.count }

    func adopt(_ settings: DirectorySettings) {
        people.hasOtherKey = settings.hasOtherKey(than: directory.settings.stored)
    }

    func note(_ batch: UserBatch) throws {
        try people.note(batch)
        let known = try people.recognize(batch)
        for (user, person) in zip(batch.records, known) where user.fate != .gone {
            if let id = person.id, try tables.has(id) { ids.insert(id) }
        }
    }
}

extension EngineStore {
    public func makePruningJudge(of slug: Slug) throws -> (any PruningJudge)? {
        refresh()
        return try storedDirectories.first { $0.slug == slug }.map { try StoredPruningJudge($0, in: self) }
    }
}
