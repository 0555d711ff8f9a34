import Base
import People
import SortIndex

/// Finds the ids of people without one in the source, and makes handles for those without a login.
final class PeopleFinder {
    let identities: IdentityTable
    private let handles: HandleTable
    /// Unowned, because the tables own this.
    private unowned let tables: UserTables
    private let connection: any StoreConnection
    private let orders: OrderReader
    /// The next free id; `nil` if it is not known.
    private var nextID: Int64?
    /// The next number to try for each slug that several people have.
    private var nextNumbers: [String: Int] = [:]
    /// Whether some users have logins from the source, which no handle may equal; `nil` if not known.
    private var hasSourceLogins: Bool?
    /// The hashes of the logins that the transaction added and the sort index does not have yet, and the number of
    /// logins hashed so far.
    private var addedLogins: Set<UInt64> = []
    private var seenLogins = 0
    /// The ids that the source has given in this transaction.
    private var givenIDs: Set<Int64> = []
    /// The people that addresses of this import identify, each with the first address: other people may have had some
    /// of their addresses.
    private var claims: [Int64: IdentityTable.Hash] = [:]
    /// The people that this import has found, if others may be taken for them by their names.
    private var found: Set<Int64> = []
    /// Whether people may be known by their names or whole rows; `nil` if not known.
    private var hasKeyless: Bool?
    /// The hidden people by folded name, who are in no order; `nil` if they have not been read in this transaction.
    private var hiddenNames: [String: [Int64]]?

    /// Ids beyond 15 digits are not exact in spreadsheets. Those that are made of logins may have 16.
    private static let maxID: Int64 = 999_999_999_999_999

    init(_ tables: UserTables) throws {
        self.tables = tables
        connection = tables.connection
        handles = tables.handles
        identities = try IdentityTable(of: tables.directory, on: connection)
        orders = OrderReader(connection, SharedState())
        try begin(isUnchanged: false)
    }

    /// Discards the state of a transaction, which may have been rolled back. If the directory `isUnchanged` since this
    /// writer saved its last one, what takes long to find out is kept: counting all handles, and looking for the next
    /// free number of a frequent name.
    func begin(isUnchanged: Bool) throws {
        nextID = nil
        if !isUnchanged {
            nextNumbers.removeAll(keepingCapacity: true)
            hasSourceLogins = nil
        }
        addedLogins.removeAll(keepingCapacity: true)
        seenLogins = 0
        hiddenNames = nil
        givenIDs.removeAll(keepingCapacity: true)
        try identities.begin(isUnchanged: isUnchanged)
        try handles.begin(isUnchanged: isUnchanged)
    }

    /// Notes that a transaction, which is about to be saved, has users with logins from the source.
    func noteSourceLogins() { hasSourceLogins = true }

    /// Notes the ids and logins that the source gives in a batch, so that none made for others equals one. Those of
    /// hidden people do not count: a gap would tell of them.
    func note(_ batch: UserBatch) throws {
        let bytes = batch.buffer.bytes
        for user in batch.records where !user.isHidden {
            if user.id > 0 { givenIDs.insert(user.id) }
            if !user.login.isEmpty, !user.generated.contains(.login) {
                addedLogins.insert(Self.hash(bytes[user.foldedLogin]))
            }
        }
        if connection.rowsAtOnce > 1 { try prepare(batch) }
    }

    /// Reads what is known of the people in a batch, so that they are not looked up one by one.
    private func prepare(_ batch: UserBatch) throws {
        let bytes = batch.buffer.bytes
        let former = batch.records.map(\.formerIdentity).filter { !$0.isEmpty }.map { identities.hash(bytes[$0]) }
        var ids = try identities.prepare(batch.records.flatMap { hashes(of: $0, bytes) } + former)
        let given = batch.records.filter { !$0.handle.isEmpty }.map {
            String(decoding: bytes[$0.handle], as: UTF8.self)
        }
        let slugs = batch.records.filter { $0.login.isEmpty && !$0.name.isEmpty }.map { user in
            let slug = Handle.slug(
                String(decoding: bytes[user.name], as: UTF8.self), language: batch.settings.language)
            return slug.isEmpty ? "user" : slug
        }
        ids += try handles.prepare(Set(given.map(\.folded) + slugs))
        ids += batch.records.map { $0.id }.filter { $0 > 0 }
        let known = Set(ids)
        try tables.rows.prepare(known.sorted())
        try identities.prepare(of: known)
        try handles.prepare(of: known)
    }

    // MARK: - Ids

    /// Returns the hashes of the identities of a user in the file.
    func hashes(of user: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer) -> [IdentityTable.Hash] {
        if user.identity.isEmpty { return [] }
        var hashes = [identities.hash(bytes[user.identity])]
        var index = 0
        while let further = bytes[user.furtherIdentities].counted(at: &index) {
            hashes.append(identities.hash(further))
        }
        return hashes
    }

    /// Whether the source gives `id` to somebody who is shown in this transaction.
    func isGiven(_ id: Int64) -> Bool { givenIDs.contains(id) }

    /// Returns the stored person for a user in the file, found by the handle or else by an identity; `nil` for a new
    /// one.
    func id(
        of user: UserBatch.Entry, _ hashes: [IdentityTable.Hash], _ bytes: UnsafeRawBufferPointer,
        in directory: Directory
    ) throws -> Int64? {
        if !user.handle.isEmpty, let id = try id(handle: bytes[user.handle], in: directory) { return id }
        if user.id > 0 { return tables.neverShown(given: user.id, identities) ?? user.id }
        var known: Int64?
        for hash in hashes {
            if let id = try identities.id(hash), isUnclaimed(id, by: hashes) { known = min(id, known ?? id) }
        }
        if let known { return known }
        if !user.formerIdentity.isEmpty, let id = try identities.id(identities.hash(bytes[user.formerIdentity])),
            !found.contains(id)
        {
            return id
        }
        return nil
    }

    /// Returns the user who has a handle, or else the one who had it.
    private func id(handle: UnsafeRawBufferPointer, in directory: Directory) throws -> Int64? {
        let buffer = ByteBuffer()
        let folded = buffer.append(folding: String(decoding: handle, as: UTF8.self))
        let row = try handles.row(String(decoding: buffer.bytes[folded], as: UTF8.self))
        if let row, row.isCurrent, try tables.has(row.id) { return row.id }
        if let id = try id(login: String(decoding: buffer.bytes[folded], as: UTF8.self), in: directory) { return id }
        return try row.flatMap { try tables.has($0.id) ? $0.id : nil }
    }

    /// Returns the newest user with a folded login, from the state before the transaction.
    private func id(login: String, in directory: Directory) throws -> Int64? {
        let buffer = ByteBuffer()
        let loose = buffer.append(loose: login)
        let key = Array(buffer.bytes[loose].sortText)
        var found: Int64?
        // After all keys with this text, and before those with a greater one.
        let seek = SeekKey(text: key + [0], id: 0)
        try orders.scanKeys(IndexScan(order: .login, isDescending: true), from: seek, in: directory) { other, text in
            guard text[other.text].elementsEqual(key) else { return false }
            // Different logins may have the same loose form. The transaction may have changed this one.
            if try tables.login(of: other.id)?.folded ?? login == login { found = other.id }
            return found == nil
        }
        return found
    }

    /// Whether no other record of the import has the person with `id`.
    func isUnclaimed(_ id: Int64, by hashes: [IdentityTable.Hash]) -> Bool {
        claims.isEmpty || claims[id].map { $0 == hashes.first } ?? true
    }

    /// Notes that a record identifies a user, so that no other record is taken for the same person's, if several could
    /// be.
    func claim(_ user: UserBatch.Entry, _ hash: IdentityTable.Hash, in batch: UserBatch) {
        let kind = batch.identityKind(of: user)
        if kind == .address { claims[user.id] = hash }
        let mayMatch = batch.adoptsByName || batch.directoryHadPeople && (kind == .key || kind == .name)
        if mayMatch || !hash.isOfKey && !user.formerIdentity.isEmpty { noteFound(user.id) }
    }

    /// Notes that this import has found the person with `id`, so that no other row is taken for the same person's.
    func noteFound(_ id: Int64) { found.insert(id) }

    /// Whether somebody in the directory is known without a key.
    func hasPeopleWithoutKey() throws -> Bool {
        if let hasKeyless { return hasKeyless }
        let has = try identities.hasAnyWithoutKey()
        hasKeyless = has
        return has
    }

    /// Whether somebody, hidden or not, has the name of `user`.
    func hasNamesake(of user: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer, in directory: Directory) throws -> Bool
    {
        try ids(named: user, bytes, in: directory).contains { !$0.isEmpty }
    }

    /// Returns the only person with the name of `user`, hidden or not, whom this import has not found and whom no key
    /// identifies. `nil` if there are several or none.
    ///
    /// - Parameter ignoringKeys: Whether people with a key count, because the import has another key, or `user` none.
    func onlyID(
        of user: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer, in directory: Directory, ignoringKeys: Bool = false
    ) throws -> Int64? {
        for group in try ids(named: user, bytes, in: directory) {
            let ids = try group.filter { id in
                try !found.contains(id) && (ignoringKeys || !identities.hashes(of: id).contains(where: \.isOfKey))
            }
            if !ids.isEmpty { return ids.count == 1 ? ids.first : nil }
        }
        return nil
    }

    /// Returns the people with the name of `user` from the state before the transaction: those who are shown and those
    /// who are hidden, whichever `user` is first. Whether hidden people have the name must make no difference for those
    /// who are shown.
    private func ids(
        named user: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer, in directory: Directory
    ) throws -> [Set<Int64>] {
        guard !user.name.isEmpty, case .text(let text) = bytes[user.keys].orderKey(at: OrderKeys.namePosition) else {
            return []
        }
        let (key, name) = (Array(text), String(decoding: bytes[user.name], as: UTF8.self).folded)
        var shown: Set<Int64> = []
        let scan = IndexScan(order: .name, isDescending: false)
        try orders.scanKeys(scan, from: SeekKey(text: key, id: 0), in: directory) { other, text in
            guard text[other.text].elementsEqual(key) else { return false }
            shown.insert(other.id)
            return shown.count < 100
        }
        let groups = try [shown, Set(hiddenIDs(name: name))].map {
            try $0.filter { try tables.name(of: $0)?.folded == name }
        }
        return user.isHidden ? groups.reversed() : groups
    }

    /// Returns the hidden people with a folded name.
    private func hiddenIDs(name: String) throws -> [Int64] {
        if let hiddenNames { return hiddenNames[name] ?? [] }
        var names: [String: [Int64]] = [:]
        for (id, name) in try tables.hiddenNames() { names[name.folded, default: []].append(id) }
        hiddenNames = names
        return names[name] ?? []
    }

    /// Returns an id that no user has or had.
    func makeID(_ forgotten: SuppressionList) throws -> Int64 {
        var id = try nextID ?? 1 + max(tables.maxID(below: Self.maxID), identities.maxID(below: Self.maxID))
        // No user has a greater id, except those of this transaction.
        while givenIDs.contains(id) || forgotten.hasID(id) { id += 1 }
        nextID = id + 1
        identities.noteNew(id)
        handles.noteNew(id)
        return id
    }

    // MARK: - Handles

    /// Returns the handle of a person named `name`: the current one, unless the name has changed.
    func handle(
        of id: Int64, name: String, language: String, in directory: Directory, _ forgotten: SuppressionList,
        noting changes: UserChanges
    ) throws -> String {
        let slug = Handle.slug(name, language: language)
        let base = slug.isEmpty ? "user" : slug
        if let current = try handles.current(of: id) {
            if current.isHandle(of: base) { return current }
            if try tables.name(of: id) == name { return current }
        }
        let handle = try freeHandle(base, for: id, in: directory, forgotten, noting: changes)
        try handles.setCurrent(handle, of: id)
        return handle
    }

    private func freeHandle(
        _ base: String, for id: Int64, in directory: Directory, _ forgotten: SuppressionList,
        noting changes: UserChanges
    ) throws -> String {
        // A person who returns to a former name gets its old handle back.
        if let own = try handles.all(of: id).first(where: { $0.isHandle(of: base) }) { return own }
        var number = nextNumbers[base] ?? 1
        while true {
            let handle = number == 1 ? base : "\(base)-\(number)"
            number += 1
            if try isTaken(handle, in: directory, forgotten, noting: changes) { continue }
            if nextNumbers.count >= 10_000 { nextNumbers.removeAll(keepingCapacity: true) }
            nextNumbers[base] = number
            return handle
        }
    }

    private func isTaken(
        _ handle: String, in directory: Directory, _ forgotten: SuppressionList, noting changes: UserChanges
    ) throws -> Bool {
        if try handles.row(handle) != nil || forgotten.hasHandle(handle) { return true }
        let isMixed = try hasSourceLogins ?? (directory.total > handles.currentCount())
        hasSourceLogins = isMixed
        seenLogins = changes.forEachAddedLogin(from: seenLogins) { addedLogins.insert(Self.hash($0)) }
        if !addedLogins.isEmpty, Array(handle.utf8).withUnsafeBytes({ addedLogins.contains(Self.hash($0)) }) {
            return true
        }
        return try isMixed && id(login: handle, in: directory) != nil
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

/// The values that a table has got since it had no rows of a directory, as a
/// [Bloom filter](https://en.wikipedia.org/wiki/Bloom_filter). An import that fills a new directory looks for no value
/// that cannot be there.
///
/// 4 MiB, two bits a value: of a million values that are not there, 3,500 are looked up.
struct AbsenceFilter {
    private static let bits: UInt64 = 25
    /// `nil` if nothing is known.
    private var words: [UInt64]?

    /// Begins a transaction. The filter keeps what it knows if the table `isUnchanged` since this writer's last one.
    mutating func begin(isUnchanged: Bool, isEmpty: @autoclosure () throws -> Bool) rethrows {
        if isUnchanged { return }
        words = try isEmpty() ? [UInt64](repeating: 0, count: 1 << Int(Self.bits - 6)) : nil
    }

    /// Whether no value with `hash` is there.
    func rulesOut(_ hash: UInt64) -> Bool {
        guard let words else { return false }
        let (first, second) = Self.places(hash)
        return words[first.word] & first.bit == 0 || words[second.word] & second.bit == 0
    }

    mutating func insert(_ hash: UInt64) {
        let (first, second) = Self.places(hash)
        words?[first.word] |= first.bit
        words?[second.word] |= second.bit
    }

    private static func places(_ hash: UInt64) -> (first: (word: Int, bit: UInt64), second: (word: Int, bit: UInt64)) {
        (place(hash >> (64 - bits)), place((hash << bits) >> (64 - bits)))
    }

    private static func place(_ bit: UInt64) -> (word: Int, bit: UInt64) { (Int(bit >> 6), 1 << (bit & 63)) }
}
