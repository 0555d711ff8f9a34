import Base
import People
import Publishing

extension EngineStore {
    public func people(
        _ selectors: [PersonSelector], in slug: Slug?
    ) throws -> (people: [StoredPerson], reserved: [Slug]) {
        let connection = try makeReadingConnection()
        var found = (people: [StoredPerson](), reserved: [Slug]())
        for directory in try directories(slug) {
            _ = try connection.withSnapshot(of: directory.id) { _ -> Void? in
                let people = try UserTables(reading: directory, on: connection)
                let ids = try selectors.flatMap { try people.ids(of: $0, orFormerly: true) }
                found.people += try Set(ids).sorted().compactMap { try people.person($0, pictures: self) }
                if try selectors.contains(where: people.isReserved) { found.reserved.append(directory.slug) }
                return ()
            }
        }
        return found
    }

    public func hiddenPeople(of directory: Int64) throws -> UserRows {
        let scratch = ByteBuffer()
        var people = UserRows()
        _ = try makeReadingConnection().all("SELECT \(UserRowReader.columns) FROM userHidden\(directory)") { row in
            try people.append(row, hiding: nil, scratch)
        }
        return people
    }

    public func hiddenPeople(named name: String, in slug: Slug?) throws -> [(handle: String, directory: Slug)] {
        let connection = try makeReadingConnection()
        return try directories(slug).flatMap { directory in
            let people = try UserTables(directory, on: connection).hidden.people()
            let language = directory.settings.language
            return people.filter { [$0.name.folded, Handle.slug($0.name, language: language)].contains(name.folded) }
                .map { ($0.login, directory.slug) }
        }
    }
}

// Everything that one directory has of people. Confined to a transaction.

extension UserTables {
    /// Returns the ids of those who fit `person`: people who are shown, who are hidden, or of whom only handles and
    /// identities are left. With `orFormerly`, also somebody who is here and had the login before.
    func ids(of person: PersonSelector, orFormerly: Bool = false) throws -> Set<Int64> {
        switch person {
        case .id(let id):
            // The second one is that of somebody who has been hidden since the first import.
            let ids = [id, identities.hiddenID(ofGiven: id)]
            return Set(try ids.filter { try has($0) || isIdentified($0) || !handles.all(of: $0).isEmpty })
        case .login(let login):
            let reader = PageReader(connection, OrderReader(connection, SharedState()), UserRowReader(connection))
            var ids = try Set(reader.ids(login: login, limit: .max, in: shown))
            for person in try hidden.people() where person.login.folded == login.folded { ids.insert(person.id) }
            if let row = try handles.row(login.folded), try orFormerly || !has(row.id) { ids.insert(row.id) }
            return ids
        case .key(let value):
            return try Set(identities.owners(identities.hash(key: value)).map(\.id))
        }
    }

    /// Whether a login belonged to a person who is forgotten.
    fileprivate func isReserved(_ person: PersonSelector) throws -> Bool {
        guard case .login(let login) = person else { return false }
        return try forgotten().hasHandle(login.folded) || forgotten().hasLogin(login)
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
