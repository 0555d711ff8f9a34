import People
import Publishing

// Photos of the publisher's own.

extension StoredPictureWriter {
    func set(_ pictures: [Int64: MadePicture], in slug: Slug) throws -> Set<Int64> {
        let directory = try users.expectedDirectory(slug, store.name)
        let keyed = pictures.mapValues { (key: secret.key(of: $0), picture: $0) }
        try tables.connection.transaction {
            for (key, picture) in keyed.values { _ = try tables.add(picture, key, isOwn: true, at: now) }
        }
        var (done, old) = (Set<Int64>(), Set(keyed.values.map(\.key)))
        try changeDirectories([directory.id]) { directory, connection in
            if Erasure(to: directory.settings).roles.contains(.photo) { return false }
            for (id, (key, _)) in keyed {
                let before = try Self.picture(of: id, directory, connection)
                guard let before, before.key != 0 else { continue }
                done.insert(id)
                if let key = PictureKey(before.key ?? 0) { old.insert(key) }
                if before.key == key.number, before.isOwn { continue }
                try Self.set(key.number, isOwn: true, of: id, directory, connection)
            }
            return !done.isEmpty
        }
        try eraseUnused(old)
        return done
    }

    func removeOwnPicture(of user: Int64, in slug: Slug) throws -> Bool {
        let directory = try users.expectedDirectory(slug, store.name)
        var removed: PictureKey?
        try changeDirectories([directory.id]) { directory, connection in
            guard let before = try Self.picture(of: user, directory, connection), before.isOwn else { return false }
            removed = PictureKey(before.key ?? 0)
            try Self.set(nil, isOwn: false, of: user, directory, connection)
            return true
        }
        guard let removed else { return false }
        try eraseUnused([removed])
        try store.overwriteRemovedPictures(tables)
        return true
    }

    /// Returns the picture of a user, hidden or not: `nil` for no such user, 0 for an objection.
    static func picture(
        of id: Int64, _ directory: StoredDirectory, _ connection: any StoreConnection
    ) throws -> (key: Int64?, isOwn: Bool)? {
        try connection.first(
            """
            SELECT picture, hasOwnPicture FROM user\(directory.id) WHERE id = ?1
            UNION ALL SELECT picture, hasOwnPicture FROM userHidden\(directory.id) WHERE id = ?1
            """, id
        ) { ($0.optionalNumber(0), $0.number(1) != 0) }
    }

    static func set(
        _ key: Int64?, isOwn: Bool, of id: Int64, _ directory: StoredDirectory, _ connection: any StoreConnection
    ) throws {
        for table in Table.ofPeople(in: directory.id) {
            try connection.run("UPDATE \(table) SET picture = ?, hasOwnPicture = ? WHERE id = ?", key, isOwn, id)
        }
    }
}
