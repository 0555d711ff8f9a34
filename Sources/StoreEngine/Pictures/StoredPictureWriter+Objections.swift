import Base
import People
import Publishing

// People who object to their picture.

extension StoredPictureWriter {
    func removePicture(
        of person: PersonSelector, in slug: Slug?
    ) throws -> [(directory: Slug, erased: [PictureKey])] {
        if slug == nil { try store.checkLogin(of: person) }
        var removals: [(Slug, [PictureKey])] = []
        for directory in try store.directories(slug) {
            try changeDirectories([directory.id]) { directory, connection in
                let ids = try UserTables(reading: directory, on: connection).ids(of: person)
                if ids.isEmpty { return false }
                let erased = try PictureEraser(tables, connection).erase(of: ids, in: directory.id)
                let keys = try SuppressionList.Keys(directory.slug, from: connection)
                let hash = try hash(person, keys, everywhere: slug == nil, connection)
                for id in ids {
                    try connection.run(
                        "INSERT INTO pictureObjection (hash, id) VALUES (?, ?) ON CONFLICT DO NOTHING", hash,
                        keys.id(id))
                    try Self.set(0, isOwn: false, of: id, directory, connection)
                }
                removals.append((directory.slug, erased))
                return true
            }
        }
        try store.overwriteRemovedPictures(tables)
        return removals
    }

    /// Returns the hash by which later imports recognize a person.
    private func hash(
        _ person: PersonSelector, _ keys: SuppressionList.Keys, everywhere: Bool, _ connection: any StoreConnection
    ) throws -> Int64 {
        switch person {
        case .login(let login): keys.login(folding: login, everywhere: everywhere)
        case .id(let id): keys.id(id)
        // The directory makes no difference for the hash of a value.
        case .key(let value): keys.identity(try IdentityTable(of: 0, on: connection).hash(key: value))
        }
    }

    func allowPicture(of person: PersonSelector, in slug: Slug?) throws -> Bool {
        var isFound = false
        for directory in try store.directories(slug) {
            try changeDirectories([directory.id]) { directory, connection in
                let keys = try SuppressionList.Keys(directory.slug, from: connection)
                let hash = try hash(person, keys, everywhere: slug == nil, connection)
                try connection.run("DELETE FROM pictureObjection WHERE hash = ?", hash)
                let isRemoved = try connection.changes > 0
                isFound = isFound || isRemoved
                guard isRemoved || slug == nil && isFound else { return false }
                let remaining = Set(try connection.all("SELECT id FROM pictureObjection") { $0.number(0) })
                for id in try UserTables(reading: directory, on: connection).ids(of: person)
                where !remaining.contains(keys.id(id)) {
                    guard try Self.picture(of: id, directory, connection)?.key == 0 else { continue }
                    try Self.set(nil, isOwn: false, of: id, directory, connection)
                }
                return true
            }
        }
        return isFound
    }
}
