import Base
import People
import Publishing

/// Writes pictures into ``PictureTables``, and their keys into the rows of people.
final class StoredPictureWriter: PictureWriter {
    let store: any EngineStore
    let tables: PictureTables
    let secret: PictureSecret
    /// For reading rows of people outside of transactions.
    let users: any StoreConnection
    /// The people with each address that was returned and is not saved yet, by its hash.
    private var waiting: [Int64: [PictureHolder]] = [:]
    /// Pictures that people get because their address was fetched for others.
    private var assignments: [PictureAssignment] = []

    /// The number of rows that one call of `due` looks at: a fraction of a second.
    private static let rowsACall = 20_000
    private static let rowsAtOnce = 1024
    private static let assignmentsAtOnce = 1000

    init(_ store: any EngineStore) throws {
        self.store = store
        tables = PictureTables(try store.openPictures())
        users = try store.makeReadingConnection()
        secret = try PictureSecret(from: users)
    }

    func due(
        in slug: Slug?, at now: Int64, after position: (directory: Int64, user: Int64)?, limit: Int
    ) throws -> DuePictures {
        var due = DuePictures()
        var rows = 0
        let start = position ?? (0, 0)
        let directories = try users.directories().chosen(slug, in: store.name).filter(\.settings.storesPictures)
        for directory in directories.sorted(by: { $0.id < $1.id }) where directory.id >= start.directory {
            var last = directory.id == start.directory ? start.user : 0
            while case let people = try people(of: directory.id, after: last), !people.isEmpty {
                for person in people {
                    if due.sources.count >= limit || rows >= Self.rowsACall {
                        if assignments.count >= Self.assignmentsAtOnce { _ = try assign() }
                        due.position = (directory.id, last)
                        return due
                    }
                    try add(person, to: &due, at: now)
                    (rows, last) = (rows + 1, person.id)
                }
            }
        }
        _ = try assign()
        return due
    }

    private func people(of directory: Int64, after id: Int64) throws -> [PictureHolder] {
        try users.all(
            """
            SELECT id, avatarURL, coalesce(picture, 0) FROM user\(directory)
            WHERE id > ? AND lower(avatarURL) LIKE 'http%' AND hasOwnPicture = 0
                AND coalesce(picture, 1) <> 0
            ORDER BY id LIMIT \(Self.rowsAtOnce)
            """, id
        ) { (directory, $0.number(0), $0.text(1), PictureKey($0.number(2))) }
    }

    /// Adds the address of a person if it is due. Notes the person otherwise, if the picture is known or will be.
    private func add(_ person: PictureHolder, to due: inout DuePictures, at now: Int64) throws {
        let hash = secret.hash(person.address)
        if waiting[hash]?.append(person) != nil { return }
        let fetched = try tables.fetched(hash) ?? PictureTables.Fetched()
        guard fetched.dueAt <= now else {
            if person.picture != fetched.key { assignments.append(PictureAssignment(person, fetched.key)) }
            let isResting = fetched.key == nil && fetched.failures > 0
            if isResting { due.resting += RestingPictures(people: 1, next: fetched.dueAt) }
            return
        }
        waiting[hash] = [person]
        due.sources.append(
            PictureSource(
                address: person.address, etag: fetched.etag, lastModified: fetched.lastModified,
                failures: fetched.failures, key: fetched.key))
    }

    func save(_ results: [PictureResult], at now: Int64) throws -> PictureSaveCounts {
        var counts = PictureSaveCounts()
        var added: [Int64: PictureKey] = [:]
        try tables.connection.transaction {
            for result in results {
                let hash = secret.hash(result.source.address)
                var fetched = try tables.fetched(hash) ?? PictureTables.Fetched()
                if case .made(let picture, _, _) = result.outcome {
                    let key = secret.key(of: picture)
                    fetched.key = key
                    if try tables.add(picture, key, isOwn: false, at: now) { added[hash] = key }
                }
                fetched.note(result)
                try tables.save(fetched, hash, at: now)
                for person in waiting.removeValue(forKey: hash) ?? [] {
                    assignments.append(PictureAssignment(person, fetched.key, of: hash))
                }
            }
        }
        counts.added = added.count
        let assigned = try assign()
        counts.people = assigned.changed
        try erase(added.filter { !assigned.addresses.contains($0.key) })
        return counts
    }

    /// Erases new pictures whose people are gone since their addresses were read: they may have been forgotten.
    private func erase(_ pictures: [Int64: PictureKey]) throws {
        if pictures.isEmpty { return }
        try tables.connection.transaction { for hash in pictures.keys { try tables.removeFetched(hash) } }
        try eraseUnused(pictures.values)
        try store.overwriteRemovedPictures(tables)
    }

    /// Writes the keys of pictures into the rows of people who still have the address. Returns how many rows have
    /// changed, and the hashes of addresses that somebody has.
    private func assign() throws -> (changed: Int, addresses: Set<Int64>) {
        if assignments.isEmpty { return (0, []) }
        defer { assignments.removeAll(keepingCapacity: true) }
        var (changed, addresses) = (0, Set<Int64>())
        try changeDirectories(Set(assignments.map(\.person.directory))) { directory, connection in
            let before = changed
            for assignment in assignments where assignment.person.directory == directory.id {
                guard let present = try assignment.present(on: connection) else { continue }
                if let address = assignment.address { addresses.insert(address) }
                if present == assignment.key { continue }
                try assignment.apply(on: connection)
                changed += 1
            }
            return changed > before
        }
        return (changed, addresses)
    }

    /// Calls `body` with each of the directories that still exist, in one transaction. Those for which it returns
    /// `true` get a new generation.
    func changeDirectories(_ ids: Set<Int64>, _ body: (StoredDirectory, any StoreConnection) throws -> Bool) throws {
        let changed = try store.transaction { connection in
            var changed: [StoredDirectory] = []
            for id in ids.sorted() {
                try store.lock(id, on: connection)
                guard var directory = try connection.directory(id), try body(directory, connection) else { continue }
                try connection.save(&directory, as: store.nextGeneration(on: connection))
                changed.append(directory)
            }
            return changed
        }
        for directory in changed { store.state.note(directory) }
    }

    @discardableResult func eraseUnused(_ keys: some Sequence<PictureKey>) throws -> [PictureKey] {
        try store.transaction { try PictureEraser(tables, $0).erase(keys) }
    }
}

/// A person who has the address of a picture, and the picture that the person had when the row was read.
private typealias PictureHolder = (directory: Int64, id: Int64, address: String, picture: PictureKey?)

/// A picture that a person gets, if the person still has the address.
private struct PictureAssignment {
    var person: PictureHolder
    var key: PictureKey?
    /// The hash of the address, if it was just saved.
    var address: Int64?

    init(_ person: PictureHolder, _ key: PictureKey?, of address: Int64? = nil) {
        (self.person, self.key, self.address) = (person, key, address)
    }

    /// Returns the picture that the person has now, `.some(nil)` without one; `nil` if the person does not have the
    /// address any more, or has another picture for good.
    func present(on connection: any StoreConnection) throws -> PictureKey?? {
        try connection.first(
            """
            SELECT coalesce(picture, 0) FROM user\(person.directory)
            WHERE id = ? AND avatarURL = ? AND hasOwnPicture = 0 AND coalesce(picture, 1) <> 0
            """, person.id, person.address
        ) { PictureKey($0.number(0)) }
    }

    func apply(on connection: any StoreConnection) throws {
        try connection.run("UPDATE user\(person.directory) SET picture = ? WHERE id = ?", key?.number, person.id)
    }
}

extension PictureTables.Fetched {
    /// Notes the outcome of a request. The picture that was made is set already.
    fileprivate mutating func note(_ result: PictureResult) {
        dueAt = result.dueAt
        switch result.outcome {
        case .made(_, let etag, let lastModified): (self.etag, self.lastModified, failures) = (etag, lastModified, 0)
        case .unchanged:
            failures = 0
            // The picture was lost since the request was made.
            if key == nil { (etag, lastModified, dueAt) = ("", "", 0) }
        case .missing: (key, etag, lastModified, failures) = (nil, "", "", 0)
        case .failed: failures += 1
        case .refused: (key, etag, lastModified, failures) = (nil, "", "", failures + 1)
        }
    }
}
