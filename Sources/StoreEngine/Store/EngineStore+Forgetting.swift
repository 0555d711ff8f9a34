import Base
import People
import Publishing

extension EngineStore {
    public func forget(_ person: PersonSelector, in slug: Slug?) throws -> [Forgetting] {
        let reader = try makeStoreReader()
        if slug == nil { try checkLogin(of: person, with: reader) }
        let pictures = try openExistingPictures().map(PictureTables.init)
        let found: [Forgetting]
        do {
            found = try directories(slug).compactMap { directory -> Forgetting? in
                var forgotten = Forgetting(directory: directory.slug, count: 0)
                let writer = try UserWriter(store: self, directory)
                // Repeated for users that an import added between the two steps; the import skips later ones.
                var seen: Set<Int64> = []
                while case let ids = try writer.ids(of: person, reader), !ids.isEmpty {
                    // The sort index of a damaged database may contain users who cannot be removed.
                    if seen.isSuperset(of: ids) { throw StoreError.damagedOrder }
                    try writer.forget(ids, as: person, everywhere: slug == nil, erasing: pictures, &forgotten)
                    seen.formUnion(ids)
                }
                return forgotten.count == 0 ? nil : forgotten
            }
        } catch let error as StoreError where error.reason == .noRoom {
            throw StoreError(
                error.reason, "the disk is full, so some users are not forgotten yet; make room and run this again")
        }
        try overwriteWhatIsGone(
            from: try directories(slug).map(\.id), "the directory no longer shows them",
            "their data is still in the database; run this again")
        try pictures.map(overwriteRemovedPictures)
        return found
    }

    /// Throws if a user has a handle that Rollcall made: another person may have the same one in another directory.
    func checkLogin(of person: PersonSelector, with reader: StoreReader) throws {
        guard case .login(let login) = person else { return }
        for directory in directories {
            let ids = try reader.ids(login: login, directory: directory.id, limit: .max)
            let users = try reader.users(ids: ids, sort: Sort(), directory: directory.id)?.users.rows ?? []
            if users.contains(where: { $0.generated.contains(.login) }) {
                throw StoreError(
                    .notPermitted,
                    """
                    Rollcall made the handle \(login) in \(directory.slug), and somebody else may have the same in \
                    another directory: add --directory \(directory.slug)
                    """)
            }
        }
    }

    public func forget(formerHandle handle: String, in slug: Slug?) throws -> [Forgetting] {
        let found = try directories(slug).compactMap { directory -> Forgetting? in
            let isForgotten = try UserWriter(store: self, directory).forget(formerHandle: handle.folded)
            return isForgotten ? Forgetting(directory: directory.slug, count: 1) : nil
        }
        try overwriteWhatIsGone(
            from: try directories(slug).map(\.id), "nobody is redirected from it",
            "it is still in the database; run this again")
        return found
    }

    public func isForgotten(_ person: PersonSelector, in slug: Slug?) throws -> Bool {
        // Each directory has hashes of its own for keys.
        if slug == nil, case .key = person {
            return try directories.contains { try isForgotten(person, in: $0.slug) }
        }
        return try transaction { connection in
            let marks = try Marks(of: person, in: slug, on: connection)
            return try marks.count("\(marks.column) = ?1") > 0
        }
    }

    public func remember(_ person: PersonSelector, in slug: Slug?) throws -> Remembering {
        if slug == nil, case .key = person {
            let all = try directories.map { try remember(person, in: $0.slug) }
            return [.remembered, .forgottenByLogin].first(where: all.contains) ?? .unknown
        }
        return try transaction { connection in
            let marks = try Marks(of: person, in: slug, on: connection)
            let others =
                switch person {
                case .id: "id <> ?1 AND login IN (SELECT login FROM forgotten WHERE id = ?1)"
                case .login, .key:
                    """
                    login = ?2 OR id NOT IN \(Marks.idsOfLogin)
                    AND login IN (SELECT login FROM forgotten WHERE id IN \(Marks.idsOfLogin))
                    """
                }
            let isHeld = try marks.count(others) > 0
            if try marks.delete() {
                // Services do not send unchanged pages again, so the user would stay away if these were still noted as
                // visited.
                try connection.execute("DELETE FROM visitedPage")
            } else if !isHeld {
                return .unknown
            }
            return isHeld ? .forgottenByLogin : .remembered
        }
    }

    func directories(_ slug: Slug?) throws -> [StoredDirectory] {
        try storedDirectories.chosen(slug, in: name)
    }
}

/// The rows of a forgotten user: those with `hash` in `column`, and, for a login in one directory, those of the login
/// in all directories.
private struct Marks {
    let column: String
    private let connection: any StoreConnection
    private let hash: Int64
    private let everywhere: Int64?

    init(of person: PersonSelector, in slug: Slug?, on connection: any StoreConnection) throws {
        let keys = try SuppressionList.Keys(slug, from: connection)
        self.connection = connection
        switch person {
        case .id(let id): (column, hash, everywhere) = ("id", keys.id(id), nil)
        case .login(let login):
            (column, hash) = ("login", keys.login(folding: login, everywhere: slug == nil))
            everywhere = slug == nil ? nil : keys.login(folding: login, everywhere: true)
        case .key(let value):
            // The directory makes no difference for the hash of a value, and what was noted for all directories is also
            // noted for those that had the person.
            let identity = try IdentityTable(of: 0, on: connection).hash(key: value)
            (column, hash, everywhere) = ("login", keys.identity(identity), nil)
        }
    }

    /// Returns the number of rows that meet `condition`, in which `?1` is the hash and `?2` the hash for all
    /// directories.
    func count(_ condition: String) throws -> Int64 {
        try connection.number("SELECT count(*) FROM forgotten WHERE \(condition)", hash, everywhere)
    }

    /// Selects the users that were forgotten with the login `?1`.
    static let idsOfLogin = "(SELECT id FROM forgotten WHERE login = ?1)"

    func delete() throws -> Bool {
        try connection.run("DELETE FROM forgotten WHERE id IN (SELECT id FROM forgotten WHERE \(column) = ?1)", hash)
        return try connection.changes > 0
    }
}

extension UserWriter {
    /// Removes users, notes that imports must skip them, and counts them in `result`. If a user is forgotten by id, the
    /// hash of the id is also stored in place of the login's: others who have or get the same login are not affected.
    fileprivate func forget(
        _ ids: [Int64], as person: PersonSelector, everywhere: Bool, erasing pictures: PictureTables?,
        _ result: inout Forgetting
    ) throws {
        result = try change { connection in
            var result = result
            // Before the rows are gone: if this is interrupted, the next run finds the people again.
            if let pictures {
                result.pictures += try PictureEraser(pictures, connection).erase(of: Set(ids), in: directory.id)
            }
            let keys = try SuppressionList.Keys(directory.slug, from: tables.connection)
            for id in Set(ids) {
                guard let user = try tables.remove(id) else {
                    result.count += try forgetTraces(of: id, keys)
                    continue
                }
                if !user.name.isEmpty {
                    result.names.append(user.name)
                    if try !tables.finder().hasPerson(named: user.name) {
                        try note(keys.relation(to: user.name), keys.id(id))
                    }
                }
                // A key names somebody in all directories; the person's handle may be another one's elsewhere.
                let isLogin = if case .login = person { true } else { false }
                let login = keys.login(folding: user.login, everywhere: everywhere && isLogin)
                try note(person == .id(id) ? keys.id(id) : login, keys.id(id))
                if everywhere, case .key(let value) = person {
                    try note(keys.identityEverywhere(tables.identities.hash(key: value)), keys.id(id))
                }
                if user.generated.contains(.login), !user.name.isEmpty {
                    let buffer = ByteBuffer()
                    let name = buffer.append(folding: user.name)
                    try note(keys.name(buffer.bytes[name]), keys.id(id))
                    if try tables.identities.hashes(of: id).contains(where: \.isOfKey) {
                        let key = directory.settings.stored.key
                        try note(keys.name(buffer.bytes[name], knownBy: key), keys.id(id))
                    }
                }
                _ = try forgetTraces(of: id, keys)
                try StoredLedger.forget(login: user.login, directory.id, in: connection)
                result.count += 1
            }
            // The lists contain the ids of people who were added lately.
            try AdditionTable(of: directory.id, on: tables.connection).forget(upTo: directory.generation)
            return result
        }
    }

    /// Removes the identities and handles of a user, and keeps the handles from others. Returns 1 if there were any.
    private func forgetTraces(of id: Int64, _ keys: SuppressionList.Keys) throws -> Int {
        let (hashes, handles) = (try tables.identities.hashes(of: id), try tables.handles.all(of: id))
        for hash in hashes {
            let isShared = try tables.identities.owners(hash).count > 1
            try note(isShared ? keys.identity(exactly: hash) : keys.identity(hash), keys.id(id))
        }
        for handle in handles { try note(keys.handle(handle), keys.id(id)) }
        try tables.identities.rows.remove(of: id)
        try tables.handles.rows.remove(of: id)
        return hashes.isEmpty && handles.isEmpty ? 0 : 1
    }

    /// Removes a former handle, which no other user gets. Returns `false` if it does not exist.
    fileprivate func forget(formerHandle handle: String) throws -> Bool {
        try change { _ in
            guard let row = try tables.handles.row(handle), !row.isCurrent else { return false }
            let hash = try SuppressionList.Keys(directory.slug, from: tables.connection).handle(handle)
            // The user stays, so the hash replaces the id.
            try note(hash, hash)
            try tables.handles.remove(handle)
            // Redirects in caches belong to the previous generation.
            tables.changes.noteHidden()
            return true
        }
    }

    private func note(_ login: Int64, _ id: Int64) throws {
        try tables.connection.run("INSERT INTO forgotten (login, id) VALUES (?, ?) ON CONFLICT DO NOTHING", login, id)
    }

    func ids(of person: PersonSelector, _ reader: StoreReader) throws -> [Int64] {
        try reader.ids(of: person, in: directory.id) + hiddenIDs(of: person)
    }

    /// Returns the ids of a person who is hidden, who has left only handles and identities, or who has the value as a
    /// key.
    private func hiddenIDs(of person: PersonSelector) throws -> [Int64] {
        try change { _ in
            switch person {
            case .id(let given):
                let id = tables.hidden.id(ofNeverShown: given) ?? given
                let hasTraces = try tables.isIdentified(id) || !tables.handles.all(of: id).isEmpty
                return try tables.flags(of: id)?.contains(.hidden) ?? hasTraces ? [id] : []
            case .login(let login):
                let hidden = try tables.hidden.ids(login: login)
                guard let row = try tables.handles.row(login.folded), try !tables.has(row.id) else { return hidden }
                return hidden + [row.id]
            case .key(let value):
                return try tables.identities.owners(tables.identities.hash(key: value)).map(\.id)
            }
        }
    }
}

extension StoreReader {
    /// Returns the ids of a person in a directory, unless the person is hidden.
    fileprivate func ids(of person: PersonSelector, in directory: Int64) throws -> [Int64] {
        switch person {
        case .id(let id) where id <= 0: []
        case .id(let id):
            try page(UserQuery(directory: directory, start: .after(.id(id - 1)), limit: 1))
                .map { $0.users.rows.map { $0.id }.filter { $0 == id } } ?? []
        case .login(let login): try ids(login: login, directory: directory, limit: .max)
        case .key: []
        }
    }
}
