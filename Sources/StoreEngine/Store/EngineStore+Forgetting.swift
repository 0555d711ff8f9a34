import Base
import People
import Publishing

extension EngineStore {
    public func forget(_ person: PersonSelector, in slug: Slug?) throws -> [Forgetting] {
        if slug == nil { try checkLogin(of: person) }
        let pictures = try openExistingPictures().map(PictureTables.init)
        let found: [Forgetting]
        do {
            found = try directories(slug).compactMap { directory in
                try UserWriter(store: self, directory).forget(person, everywhere: slug == nil, erasing: pictures)
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
    func checkLogin(of person: PersonSelector) throws {
        guard case .login(let login) = person else { return }
        let reader = try makeStoreReader()
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
    /// Removes a person and notes that imports must skip them. Returns `nil` if there is nobody. If a user is forgotten
    /// by id, the hash of the id is also stored in place of the login's: others who have or get the same login are not
    /// affected.
    fileprivate func forget(
        _ person: PersonSelector, everywhere: Bool, erasing pictures: PictureTables?
    ) throws -> Forgetting? {
        try change { connection -> Forgetting? in
            let ids = try tables.ids(of: person)
            if ids.isEmpty { return nil }
            var result = Forgetting(directory: directory.slug, count: ids.count)
            // Before the rows are gone: if this is interrupted, the next run finds the people again.
            if let pictures {
                result.pictures = try PictureEraser(pictures, connection).erase(of: ids, in: directory.id)
            }
            let keys = try SuppressionList.Keys(directory.slug, from: tables.connection)
            for id in ids {
                guard let user = try tables.remove(id) else {
                    // A damaged database may contain users who cannot be removed.
                    if try tables.has(id) { throw StoreError.damagedOrder }
                    try forgetTraces(of: id, keys)
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
                try forgetTraces(of: id, keys)
                try StoredLedger.forget(login: user.login, directory.id, in: connection)
            }
            // The lists contain the ids of people who were added lately.
            try AdditionTable(of: directory.id, on: tables.connection).forget(upTo: directory.generation)
            return result
        }
    }

    /// Removes the identities and handles of a user, and keeps the handles from others.
    private func forgetTraces(of id: Int64, _ keys: SuppressionList.Keys) throws {
        let (hashes, handles) = (try tables.identities.hashes(of: id), try tables.handles.all(of: id))
        for hash in hashes {
            let isShared = try tables.identities.owners(hash).count > 1
            try note(isShared ? keys.identity(exactly: hash) : keys.identity(hash), keys.id(id))
        }
        for handle in handles { try note(keys.handle(handle), keys.id(id)) }
        try tables.identities.rows.remove(of: id)
        try tables.handles.rows.remove(of: id)
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
}
