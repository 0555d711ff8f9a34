import Base
import People
import Publishing

// Users without an id or a login in the source.

extension UserTables {
    /// Gives the users of a batch the ids and handles that they lack, and applies changes of some columns.
    /// Counts those that are skipped because they were forgotten.
    func resolve(_ batch: UserBatch, counting counts: inout WriteCounts) throws {
        // Somebody who has always been hidden may be shown now.
        let all = !hidden.neverShown.isEmpty
        guard batch.isUnresolved || all else { return }
        let people = try finder()
        try people.note(batch)
        // In a new directory, a record can only be that of somebody of the same import.
        let mayBeHere = batch.directoryHadPeople || batch.adoptsByName
        let known = try mayBeHere ? people.recognize(batch, without: forgotten()) : nil
        counts.skipped += try batch.resolve(all: all) { index, user in
            try resolve(&user, known?[index], batch, people)
        }
    }

    func finder() throws -> PeopleFinder {
        let finder = try people ?? PeopleFinder(self)
        people = finder
        return finder
    }

    /// Returns `false` if the user was forgotten.
    ///
    /// - Parameter record: Who it is, unless the batch itself has added that person.
    private func resolve(
        _ user: inout UserToWrite, _ record: PeopleFinder.Recognized?, _ batch: UserBatch, _ people: PeopleFinder
    ) throws -> Bool {
        let (bytes, forgotten) = (batch.buffer.bytes, try forgotten())
        var hashes = record?.hashes ?? people.hashes(of: user, bytes)
        if hashes.contains(where: forgotten.hasIdentity) { return false }
        let (given, hash) = (user.id, hashes.first)
        let kind = batch.identityKind(of: user)
        // Earlier records decide whose address it is.
        let found = kind == .address ? nil : record?.id
        let known = try found ?? people.id(of: user, hashes, bytes)
        if known == nil, user.login.isEmpty, user.name.isEmpty, !user.handle.isEmpty {
            let handle = batch.buffer.bytes.text(user.handle)
            throw StoreError(
                .invalidUser,
                """
                nobody has the handle "\(handle)" in the first column, and the row has no name to add somebody by; \
                correct the handle, or leave it empty and give a name
                """)
        }
        // Nothing identifies the user: an error of the importer.
        if known == nil, given == 0, hash == nil { return true }
        if known == nil, user.generated.contains(.id) || given == 0, user.login.isEmpty,
            forgotten.hasName(of: user, bytes, key: batch.keyColumns(of: user))
        {
            return false
        }
        // Whether the person stays hidden may be known only now.
        user.id = known ?? 0
        if batch.changedColumns != nil {
            try patch(&user, batch)
            // The file may lack the name.
            hashes = people.hashes(of: user, batch.buffer.bytes)
        }
        let isNew = try !people.setID(of: &user, known, given: given, hash, in: batch)
        if given == 0 {
            let flags = isNew ? nil : try self.flags(of: user.id)
            if flags?.contains(.generatedID) != false {
                user.generated.insert(.id)
            } else if kind == .login {
                user.generated.remove(.id)
            }
            if batch.extent.isExport, let flags, try hasLogin(of: user, in: batch) {
                user.generated.formUnion(flags.generated)
            }
        }
        let merges = given > 0 || hashes.count > 1 || known.map(people.isChosen) == true
        try identify(user, by: hashes, merges: merges, isNew: isNew, people, batch)
        guard user.login.isEmpty, !user.name.isEmpty || !hashes.isEmpty else { return true }
        batch.set(handle: try people.handle(of: user, named: batch.buffer.bytes.text(user.name)), of: &user)
        return true
    }

    /// Makes `hashes` identify a user. If the user has an id from the source or several identities, or the publisher
    /// named the user, whoever they identified so far is this user.
    private func identify(
        _ user: UserToWrite, by hashes: [IdentityTable.Hash], merges: Bool, isNew: Bool, _ people: PeopleFinder,
        _ batch: UserBatch
    ) throws {
        guard let hash = hashes.first else { return }
        for hash in hashes {
            // Nobody has the identity of a new user.
            let owner = isNew && hashes.count == 1 ? nil : try identities.id(hash)
            if owner == user.id { continue }
            if let owner, merges, people.isUnclaimed(owner, by: hashes) {
                batch.merges.append((from: owner, into: user.id))
                try identities.rows.move(owner, to: user.id)
            }
            try identities.add(hash, of: user.id)
        }
        people.claim(user, hash, in: batch)
    }

    /// Whether a user was identified by a handle, a key or a name rather than by an id or a login of the source.
    func isIdentified(_ id: Int64) throws -> Bool { try !identities.hashes(of: id).isEmpty }

    /// Sets which names of people were generated if their records come from an export. Otherwise an unedited export
    /// would change them.
    func keepGenerated(in batch: UserBatch) throws {
        guard batch.extent.isExport else { return }
        try forEachSaved(in: batch) { index, row in
            let saved = row.userColumns()
            guard saved.login.equals(batch.buffer.bytes[batch.records[index].login]) else { return }
            batch.update(userAt: index) { $0.generated = saved.generated }
        }
    }

    /// Calls `body` with the saved row of each user of a batch who has one: see ``withPerson(_:_:)``.
    func forEachSaved(in batch: UserBatch, _ body: (_ index: Int, _ row: any StoreRow) throws -> Void) throws {
        let indices = batch.records.indices.filter { batch.records[$0].id > 0 }
        // One question to a server for all of them.
        try rows.prepare(indices.map { batch.records[$0].id })
        for index in indices { _ = try withPerson(batch.records[index].id) { try body(index, $0) } }
    }

    private func hasLogin(of user: UserToWrite, in batch: UserBatch) throws -> Bool {
        try login(of: user.id)?.utf8.elementsEqual(batch.buffer.bytes[user.login]) == true
    }

    /// Gives people without ids another id if the source gives theirs to somebody else: files may have ids in some rows
    /// only. A record with the id and the handle of such a person is that person's. Returns the old and the new ids.
    func reassignTakenIDs(for batch: UserBatch) throws -> [(old: Int64, new: Int64)] {
        if try identities.rows.isEmpty() { return [] }
        let people = try finder()
        try people.note(batch)
        var moved: [(Int64, Int64)] = []
        try rows.prepare(batch.records.map { $0.id }.filter { $0 > 0 })
        for (index, user) in batch.records.enumerated()
        where people.isGiven(user.id) && !user.generated.contains(.id) {
            guard let flags = try flags(of: user.id), flags.contains(.generatedID), try isIdentified(user.id) else {
                continue
            }
            if try hasLogin(of: user, in: batch) {
                // A record of our own export: it does not say which names were generated.
                batch.update(userAt: index) { $0.generated = flags.generated }
                continue
            }
            let new = try people.makeID()
            try move(user.id, to: new)
            moved.append((user.id, new))
        }
        return moved
    }

    private func move(_ id: Int64, to new: Int64) throws {
        let batch = UserBatch(settings: stored.settings)
        try readRow(of: id, as: new, into: batch)
        let removed = try remove(id)
        try identities.rows.move(id, to: new)
        try handles.rows.move(id, to: new)
        _ = try save(batch)
        if let removed { try keepLastingValues(of: removed, as: new) }
    }

    /// Merges a duplicate into another user, and redirects its addresses. Does nothing unless both exist.
    func merge(_ id: Int64, into other: Int64) throws {
        guard id != other, try has(other), let login = try login(of: id) else { return }
        try remove(id)
        try identities.rows.remove(of: id)
        try handles.endCurrent(of: id)
        try handles.rows.move(id, to: other)
        try handles.saveFormer(login.folded, of: other)
    }

    func flags(of id: Int64) throws -> UserFlags? { try withPerson(id) { $0.userFlags() } }

    func name(of id: Int64) throws -> String? { try withPerson(id) { $0.text(2) } }

    func login(of id: Int64) throws -> String? { try withPerson(id) { $0.text(1) } }

    /// Calls `body` with ``SavedUser/columnNames`` and `filters` of a user, whose flags have ``UserFlags/hidden`` if
    /// the user is hidden. Returns `nil` if the user does not exist.
    func withPerson<Result>(_ id: Int64, _ body: (any StoreRow) throws -> Result) throws -> Result? {
        try rows.withUser(id, body) ?? hidden.withPerson(id, body)
    }

    /// Returns the greatest id below `limit` that somebody has or that an identity leads to, or 0.
    func maxID(below limit: Int64) throws -> Int64 {
        try connection.number(
            """
            SELECT max(id) FROM (
                SELECT max(id) AS id FROM user\(directory) WHERE id < ?1
                UNION ALL SELECT max(id) FROM userHidden\(directory) WHERE id < ?1
                UNION ALL SELECT max(id) FROM identity WHERE directory = ?2 AND id < ?1) AS people
            """, limit, directory)
    }
}

extension PeopleFinder {
    /// Whether somebody new with an identity of this kind is the person of the same name, if there is only one: in an
    /// import that adopts people, and with a key where one of the two has no value in it. Several people with the same
    /// name may have logins.
    func matchesByName(_ kind: IdentityKind?, in batch: UserBatch) throws -> Bool {
        if kind == .login || kind == .address { return false }
        if batch.adoptsByName { return true }
        guard batch.directoryHadPeople else { return false }
        return try kind == .name || kind == .key && hasPeopleWithoutKey()
    }
}
