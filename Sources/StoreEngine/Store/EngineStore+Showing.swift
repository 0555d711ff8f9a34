import People
import Publishing

extension EngineStore {
    public func people(
        _ clues: PersonClues, in slug: Slug?
    ) throws -> (people: [StoredPerson], reserved: [Slug]) {
        let reader = try makeStoreReader(for: .publisher)
        let connection = try makeReadingConnection()
        var found = (people: [StoredPerson](), reserved: [Slug]())
        for directory in try directories(slug) {
            var ids = try clues.handles.flatMap { try reader.ids(login: $0, directory: directory.id, limit: .max) }
            _ = try connection.withSnapshot(of: directory.id) { _ -> Void? in
                let people = try UserTables(directory, on: connection)
                ids += try people.ids(clues)
                found.people += try Set(ids).sorted().compactMap { try people.person($0, pictures: self) }
                if try people.isReserved(clues.handles) { found.reserved.append(directory.slug) }
                return ()
            }
        }
        return found
    }
}

// Everything that one directory has of people. Confined to a transaction.

extension UserTables {
    /// Returns the ids of people who are in no order: hidden ones, those who had a handle, those found by id or key.
    fileprivate func ids(_ clues: PersonClues) throws -> [Int64] {
        var ids = clues.ids.filter { $0 > 0 }
        ids += ids.map(identities.hiddenID)
        for handle in clues.handles {
            ids += try hidden.ids(login: handle)
            if let row = try handles.row(handle.folded) { ids.append(row.id) }
        }
        if !clues.hiddenNames.isEmpty {
            let names = Set(clues.hiddenNames.map(\.folded))
            ids += try hidden.names().filter { _, name in
                names.contains(name.folded) || names.contains(Handle.slug(name, language: stored.settings.language))
            }.map(\.id)
        }
        for key in clues.keys {
            ids += try identities.owners(identities.hash(key: key)).map(\.id)
        }
        return ids
    }

    /// Whether one of `handles` belonged to a person who is forgotten.
    fileprivate func isReserved(_ handles: [String]) throws -> Bool {
        let forgotten = try forgotten()
        return handles.contains { forgotten.hasHandle($0.folded) || forgotten.hasLogin($0) }
    }

    /// Returns the person with `id`, or `nil` if nothing is kept of anybody with that id.
    fileprivate func person(_ id: Int64, pictures: any EngineStore) throws -> StoredPerson? {
        var person = StoredPerson(stored, id: id)
        let handles = try handles.all(of: id)
        let hashes = try identities.hashes(of: id)
        let current = try row(of: id, into: &person, pictures)
        if hashes.contains(where: \.isOfKey) {
            person.identity = .key
        } else if !hashes.isEmpty, current.map({ hashes.contains(identities.hash(login: $0)) }) != true {
            person.identity = .name
        }
        person.formerHandles = handles.filter { $0 != current?.folded }.sorted()
        return person.user == nil && handles.isEmpty && hashes.isEmpty ? nil : person
    }

    private func row(of id: Int64, into person: inout StoredPerson, _ pictures: any EngineStore) throws -> String? {
        let others = "addedAt, changedAt, picture, hasOwnPicture"
        let picture = try connection.first(
            """
            SELECT \(SavedUser.columnNames), \(others) FROM user\(directory) WHERE id = ?1
            UNION ALL SELECT \(SavedUser.columnNamesOfHidden), \(others) FROM userHidden\(directory) WHERE id = ?1
            """, id
        ) { row in
            let rest = SavedUser.columnCount
            (person.user, person.flags) = (User(row.userColumns()), row.userFlags())
            let (added, changed) = (row.number(rest), row.number(rest + 1))
            person.addedAt = added > 0 ? added : nil
            person.changedAt = changed == 0 ? person.addedAt : changed
            return (key: row.optionalNumber(rest + 2), isOwn: row.number(rest + 3) != 0)
        }
        if let picture, let key = picture.key {
            person.picture = try self.picture(key, isOwn: picture.isOwn, person.user?.avatarURL, pictures)
        }
        return person.user?.login
    }

    private func picture(
        _ key: Int64, isOwn: Bool, _ address: String?, _ pictures: any EngineStore
    ) throws -> StoredPerson.Picture {
        if key == 0 { return .objection }
        let hash = try address.map { try PictureSecret(from: connection).hash($0) }
        var (stored, askedAt) = (StoredPerson.Picture.Stored(), Int64?.none)
        let reader = try pictures.makePictureFileReader()
        if let connection = try reader.current() {
            let size = "CAST(length(small) + length(medium) + length(large) AS bigint)"
            _ = try connection.first("SELECT savedAt, \(size) FROM picture WHERE key = ?", key) {
                (stored.savedAt, stored.bytes) = ($0.number(0), $0.number(1))
            }
            askedAt = try connection.first("SELECT fetchedAt FROM fetched WHERE address = ?", hash) { $0.number(0) }
        }
        return isOwn ? .own(stored) : .fetched(stored, address: address ?? "", askedAt: askedAt)
    }
}
