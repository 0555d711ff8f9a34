import Base
import People
import Publishing
import Indexes

/// Finds the ids of people without one in the source, and makes handles for those without a login.
final class PeopleFinder {
    private let (identities, handles): (IdentityTable, HandleTable)
    /// Unowned, because the tables own this.
    unowned let tables: UserTables
    private let connection: any StoreConnection
    private var directory: Int64 { tables.directory }
    private let orders: OrderReader
    private var transaction = Transaction()
    /// The next number to try for each slug that several people have.
    private var nextNumbers: [String: Int] = [:]
    /// Whether some users have logins from the source, which no handle may equal; `nil` if not known.
    private var hasSourceLogins: Bool?
    /// The people that addresses of this import identify, each with the first address: other people may have had some
    /// of their addresses.
    private var claims: [Int64: IdentityTable.Hash] = [:]
    /// The people that this import has found, if the directory had people before.
    private var found: Set<Int64> = []
    /// Stored people that a record of the same name updates, although something else identifies them (`--adopt
    /// HANDLE`), by folded name; `nil` if they are not known yet.
    private var chosen: [String: Int64]?
    /// New people whose name others have who were here before, with the others: see ``goneNamesakes``.
    private var doubtful: [(new: Int64, others: [Int64])] = []
    private static let maxDoubtful = 1_000
    /// Whether people may be known by their names or whole rows; `nil` if not known.
    private var hasKeyless: Bool?
    /// Whether the stored keys are those of other columns than the batches'. They then protect nobody from being found
    /// by name.
    var hasOtherKey = false

    /// What is known in one transaction, which may be rolled back.
    private struct Transaction {
        var nextID: Int64?
        /// The hashes of the logins that were added and the sort index does not have yet, and the number of logins
        /// hashed so far.
        var addedLogins: Set<UInt64> = []
        var seenLogins = 0
        var givenIDs: Set<Int64> = []
    }

    /// Ids beyond 15 digits are not exact in spreadsheets. Those that are made of logins may have 16.
    private static let maxID: Int64 = 999_999_999_999_999

    init(_ tables: UserTables) throws {
        self.tables = tables
        connection = tables.connection
        (identities, handles) = (tables.identities, tables.handles)
        orders = OrderReader(connection, SharedState())
        try noteChanges()
    }

    func begin() {
        transaction = Transaction()
        identities.rows.begin()
        handles.rows.begin()
    }

    /// Notes that others may have changed the directory. Otherwise what takes long to find out is kept from one
    /// transaction to the next: counting all handles, and looking for the next free number of a frequent name.
    func noteChanges() throws {
        nextNumbers = [:]
        hasSourceLogins = nil
        try identities.rows.noteChanges()
        try handles.rows.noteChanges()
    }

    func noteSourceLogins() { hasSourceLogins = true }

    /// Notes the id and the login that the source gives to somebody, so that none made for others equals one.
    func note(_ user: UserToWrite, _ bytes: UnsafeRawBufferPointer) {
        if user.id > 0 { transaction.givenIDs.insert(user.id) }
        if !user.login.isEmpty, !user.generated.contains(.login) {
            transaction.addedLogins.insert(Self.hash(bytes[user.foldedLogin]))
        }
    }

    /// Reads what is known of the people in a batch, so that they are not looked up one by one.
    func prepare(_ batch: UserBatch) throws {
        guard connection.rowsAtOnce > 1 else { return }
        let bytes = batch.buffer.bytes
        var ids = try identities.rows.prepare(Set(batch.records.flatMap { hashes(of: $0, bytes).map(\.value) }))
        let given = batch.records.filter { !$0.handle.isEmpty }.map { bytes.text($0.handle) }
        let slugs = batch.records.filter { $0.login.isEmpty && !$0.name.isEmpty }.map { slug(of: bytes.text($0.name)) }
        ids += try handles.rows.prepare(Set(given.map(\.folded) + slugs))
        ids += batch.records.map { $0.id }.filter { $0 > 0 }
        let known = Set(ids)
        try tables.rows.prepare(known.sorted())
        try identities.rows.prepare(of: known)
        try handles.rows.prepare(of: known)
    }

    // MARK: - Who is this?

    func hashes(of user: UserToWrite, _ bytes: UnsafeRawBufferPointer) -> [IdentityTable.Hash] {
        if user.identity.isEmpty { return [] }
        // The name distinguishes those who share a key.
        let isKey = bytes[user.identity].first == IdentityKind.key.rawValue
        let apart = isKey ? SearchedText(bytes[user.text], exact: bytes[user.exact]).name : bytes[user.apart]
        var hashes = [identities.hash(bytes[user.identity], apart: apart)]
        var index = 0
        while let further = bytes[user.furtherIdentities].counted(at: &index) {
            hashes.append(identities.hash(further, apart: bytes[user.apart]))
        }
        return hashes
    }

    /// Calls `body`, and forgets the people that it has found: others may be taken for them.
    func peek<Result>(_ body: (PeopleFinder) throws -> Result) rethrows -> Result {
        let before = found
        defer { found = before }
        return try body(self)
    }

    /// Whether the source gives `id` to somebody who is shown in this transaction.
    func isGiven(_ id: Int64) -> Bool { transaction.givenIDs.contains(id) }

    /// The person that a record is: the stored one, or `nil` for somebody new.
    typealias Recognized = (id: Int64?, hashes: [IdentityTable.Hash])

    /// Returns who the records of a batch are: for each the id of the stored person, or `nil` for somebody new.
    ///
    /// First come the people that a handle, an id or an identity names exactly. Then those who alone have the value of
    /// the key, under another name; and those of one name, if as many rows as people are left. At last whoever is the
    /// only one with a name, where names may stand for a key: see ``matchesByName(_:in:)``.
    ///
    /// - Parameter forgotten: The people whose name stands for nobody else.
    func recognize(_ batch: UserBatch, without forgotten: SuppressionList? = nil) throws -> [Recognized] {
        let (records, bytes) = (batch.records, batch.buffer.bytes)
        let chosen = try chosenPeople(batch)
        var people: [Recognized] = []
        people.reserveCapacity(records.count)
        var open: [(index: Int, hash: IdentityTable.Hash)] = []
        for (index, user) in records.enumerated() {
            let hashes = hashes(of: user, bytes)
            people.append((nil, hashes))
            let known = hasOtherKey && hashes.first?.isOfKey == true ? [] : hashes
            if user.id == 0, !chosen.isEmpty, let id = chosen[bytes.text(user.name).folded], !found.contains(id) {
                people[index].id = id
            } else {
                people[index].id = try id(of: user, known, bytes)
            }
            if let id = people[index].id {
                found.insert(id)
            } else if let hash = hashes.first, hash.isOfKey || forgotten?.hasName(of: user, bytes, key: nil) != true {
                open.append((index, hash))
            }
        }
        if open.isEmpty { return people }
        if !hasOtherKey {
            for group in Dictionary(grouping: open, by: \.hash.value).values.sorted(by: { $0[0].index < $1[0].index }) {
                for (index, id) in try matches(group) { people[index].id = id }
            }
        }
        var rows: [String: [Int]] = [:]
        for (index, _) in open where people[index].id == nil {
            guard forgotten?.hasName(of: records[index], bytes, key: nil) != true,
                try matchesByName(batch.identityKind(of: records[index]), in: batch)
            else { continue }
            rows[bytes.text(records[index].name).folded, default: []].append(index)
        }
        for (_, indexes) in rows where Set(indexes.map { people[$0].hashes[0] }).count == 1 {
            let user = records[indexes[0]]
            let ignoringKeys = hasOtherKey || batch.identityKind(of: user) == .name
            guard let id = try onlyID(of: user, in: batch, ignoringKeys: ignoringKeys) else { continue }
            for index in indexes { people[index].id = id }
            found.insert(id)
        }
        return people
    }

    /// Returns the people of rows that share a value, and are not known exactly.
    private func matches(_ rows: [(index: Int, hash: IdentityTable.Hash)]) throws -> [(Int, Int64)] {
        let owners = try identities.owners(rows[0].hash)
        let left = owners.filter { !found.contains($0.id) }
        if left.isEmpty { return [] }
        var different: [IdentityTable.Hash] = []
        for row in rows where !different.contains(row.hash) { different.append(row.hash) }
        // An address may be a group's: nobody is taken for somebody of another name who shares it.
        let isClear = rows[0].hash.isOfKey ? owners.count == 1 && different.count == 1 : left.count == different.count
        guard isClear else { return [] }
        let ids = left.map(\.id).sorted()
        for id in ids { found.insert(id) }
        return rows.compactMap { row in different.firstIndex(of: row.hash).map { (row.index, ids[$0]) } }
    }

    func isChosen(_ id: Int64) -> Bool { chosen?.values.contains(id) == true }

    /// Returns the people that the publisher has named, by folded name. Throws if a handle is nobody's.
    private func chosenPeople(_ batch: UserBatch) throws -> [String: Int64] {
        if let chosen { return chosen }
        var people: [String: Int64] = [:]
        for handle in batch.adoptedHandles {
            guard let id = try id(handle: handle), let name = try tables.name(of: id) else {
                throw StoreError(.invalidUser, "--adopt: nobody in \(tables.stored.slug) has the handle \"\(handle)\"")
            }
            people[name.folded] = id
        }
        chosen = people
        return people
    }

    /// Returns the stored person that a handle, the id of the source or an identity names exactly; `nil` for a new one.
    func id(of user: UserToWrite, _ hashes: [IdentityTable.Hash], _ bytes: UnsafeRawBufferPointer) throws -> Int64? {
        let handle = bytes.text(user.handle)
        if !handle.isEmpty, let id = try id(handle: handle) { return id }
        if user.id > 0 { return tables.hidden.id(ofNeverShown: user.id) ?? user.id }
        var known: Int64?
        for hash in hashes {
            if let id = try identities.id(hash), isUnclaimed(id, by: hashes) { known = min(id, known ?? id) }
        }
        return known
    }

    /// Returns the user who has a handle, or else the one who had it.
    private func id(handle: String) throws -> Int64? {
        let row = try handles.row(handle.folded)
        let owner = try row.flatMap { try tables.has($0.id) ? $0.id : nil }
        if let owner, row?.isCurrent == true { return owner }
        return try id(login: handle.folded) ?? owner
    }

    /// Returns the newest user with a folded login, from the state before the transaction.
    private func id(login: String) throws -> Int64? {
        let buffer = ByteBuffer()
        let loose = buffer.append(loose: login)
        let key = Array(buffer.bytes[loose].sortText)
        var found: Int64?
        // After all keys with this text, and before those with a greater one.
        let seek = SeekKey(text: key + [0], id: 0)
        let scan = IndexScan(order: .login, isDescending: true, from: seek)
        try orders.scanKeys(scan, in: tables.shown) { other, text in
            guard text[other.text].elementsEqual(key) else { return false }
            // Different logins may have the same loose form. The transaction may have changed this one.
            if try tables.login(of: other.id)?.folded ?? login == login { found = other.id }
            return found == nil
        }
        return found
    }

    /// Whether no other record of the import has the person with `id`.
    func isUnclaimed(_ id: Int64, by hashes: [IdentityTable.Hash]) -> Bool {
        claims[id].map { $0 == hashes.first } ?? true
    }

    /// Notes that a record identifies a user, so that no other record is taken for the same person's.
    func claim(_ user: UserToWrite, _ hash: IdentityTable.Hash, in batch: UserBatch) {
        if batch.identityKind(of: user) == .address { claims[user.id] = hash }
        if batch.directoryHadPeople || batch.adoptsByName || user.id >= IdentityTable.firstHiddenID {
            found.insert(user.id)
        }
    }

    func hasFound(_ id: Int64) -> Bool { found.contains(id) }

    /// Notes that the source has a person, whose row it leaves out.
    func noteLeftOut(_ id: Int64) { found.insert(id) }

    /// Notes a new person if others who were here before have the name: one of them may be the same person.
    func noteNew(_ user: UserToWrite, in batch: UserBatch) throws {
        let kind = batch.identityKind(of: user)
        guard batch.directoryHadPeople, kind == .key || kind == .name, doubtful.count < Self.maxDoubtful else { return }
        let named = try ids(named: user, batch.buffer.bytes).first ?? []
        let others = named.filter { !found.contains($0) && $0 != user.id }
        if others.isEmpty { return }
        doubtful.append((user.id, others.sorted()))
    }

    /// The new people who share their name with somebody who is not in the import so far: each may be that person.
    /// Those of earlier imports count as long as nothing has decided about them. Until the publisher has, both stay.
    func goneNamesakes() throws -> [(id: Int64, handle: String, newHandle: String)] {
        for (new, others) in doubtful {
            for gone in others where !found.contains(gone) {
                try connection.run(
                    "INSERT INTO goneNamesake (directory, id, other) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    directory, gone, new)
            }
        }
        doubtful = []
        let pairs = try connection.all(
            "SELECT id, other FROM goneNamesake WHERE directory = ? ORDER BY id", directory
        ) { ($0.number(0), $0.number(1)) }
        return try pairs.compactMap { gone, new in
            guard !found.contains(gone), let handle = try tables.login(of: gone),
                let newHandle = try tables.login(of: new)
            else {
                try connection.run("DELETE FROM goneNamesake WHERE directory = ? AND id = ?", directory, gone)
                return nil
            }
            return (gone, handle, newHandle)
        }
    }

    func hasPeopleWithoutKey() throws -> Bool {
        let has = try hasKeyless ?? identities.hasAnyWithoutKey()
        hasKeyless = has
        return has
    }

    /// Whether somebody, hidden or not, has a name.
    func hasPerson(named name: String) throws -> Bool {
        let batch = UserBatch(settings: tables.stored.settings)
        batch.append(User(id: 1, login: "", name: name))
        return try ids(named: batch.records[0], batch.buffer.bytes).contains { !$0.isEmpty }
    }

    /// Returns the people with the name of `user` from the state before the transaction: those who are shown, and those
    /// who are hidden.
    func ids(named user: UserToWrite, _ bytes: UnsafeRawBufferPointer) throws -> [Set<Int64>] {
        guard !user.name.isEmpty, case .text(let text) = bytes[user.keys].orderKey(at: OrderKeys.namePosition) else {
            return []
        }
        let (key, name) = (Array(text), bytes.text(user.name).folded)
        var shown: Set<Int64> = []
        let scan = IndexScan(order: .name, isDescending: false, from: SeekKey(text: key, id: 0))
        try orders.scanKeys(scan, in: tables.shown) { other, text in
            guard text[other.text].elementsEqual(key) else { return false }
            shown.insert(other.id)
            return shown.count < 100
        }
        return try [shown, Set(tables.hidden.ids(named: name))].map {
            try $0.filter { try tables.name(of: $0)?.folded == name }
        }
    }

    /// Returns an id that no user has or had.
    func makeID() throws -> Int64 {
        let forgotten = try tables.forgotten()
        var id = try transaction.nextID ?? 1 + tables.maxID(below: Self.maxID)
        // No user has a greater id, except those of this transaction.
        while transaction.givenIDs.contains(id) || forgotten.hasID(id) { id += 1 }
        transaction.nextID = id + 1
        identities.rows.noteNew(id)
        handles.rows.noteNew(id)
        return id
    }

    // MARK: - Handles

    /// Returns the handle of a person who is shown: the `current` one, unless the name has changed.
    func handle(of id: Int64, named name: String, insteadOf current: String?) throws -> String {
        let base = slug(of: name)
        if let current, try current.isHandle(of: base) || tables.name(of: id) == name { return current }
        let handle = try freeHandle(base, for: id)
        try handles.setCurrent(handle, of: id)
        return handle
    }

    private func slug(of name: String) -> String {
        let slug = Handle.slug(name, language: tables.stored.settings.language)
        return slug.isEmpty ? "user" : slug
    }

    private func freeHandle(_ base: String, for id: Int64) throws -> String {
        // A person who returns to a former name gets its old handle back.
        if let own = try handles.all(of: id).first(where: { $0.isHandle(of: base) }) { return own }
        var number = nextNumbers[base] ?? 1
        while true {
            let handle = number == 1 ? base : "\(base)-\(number)"
            number += 1
            if try isTaken(handle) { continue }
            if nextNumbers.count >= 10_000 { nextNumbers.removeAll(keepingCapacity: true) }
            nextNumbers[base] = number
            return handle
        }
    }

    private func isTaken(_ handle: String) throws -> Bool {
        if try handles.row(handle) != nil || tables.forgotten().hasHandle(handle) { return true }
        let isMixed = try hasSourceLogins ?? (tables.stored.total > handles.currentCount())
        hasSourceLogins = isMixed
        transaction.seenLogins = tables.changes.forEachAddedLogin(from: transaction.seenLogins) {
            transaction.addedLogins.insert(Self.hash($0))
        }
        let added = transaction.addedLogins
        if !added.isEmpty, handle.withBytes({ added.contains(Self.hash($0)) }) { return true }
        return try isMixed && id(login: handle) != nil
    }

    private static func hash(_ login: UnsafeRawBufferPointer) -> UInt64 { SipHash.hash(login, key: (2, 2)) }
}

extension String {
    /// Whether this handle was made of `slug`: it is the slug, maybe with a number.
    fileprivate func isHandle(of slug: String) -> Bool {
        guard hasPrefix(slug) else { return false }
        let rest = utf8.dropFirst(slug.utf8.count)
        if rest.isEmpty { return true }
        return rest.first == UInt8(ascii: "-") && rest.count > 1
            && rest.dropFirst().allSatisfy { (48...57).contains($0) }
    }
}
