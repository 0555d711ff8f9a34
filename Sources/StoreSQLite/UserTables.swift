import Bytes
import Directories

/// The tables of one directory, as its writer changes them: a user in all of them at once.
///
/// By statements of the C interface on GRDB's connection: for a user this takes a fifth of what records would.
final class UserTables {
    let connection: Connection
    let ranks: RunTable
    private let directory: Int64
    /// Whose grams come and go in a transaction, for the index when it ends; the texts are in the batch.
    private var added: [(id: Int64, text: Slice)] = []
    private var removedGrams = GramBatch()
    /// The grams of the batch that is written; `nil` where nobody comes.
    private var preparation: GramPreparation?

    enum Outcome { case added, changed, unchanged }

    /// What a transaction has changed so far, for what hangs on it.
    struct Changes {
        var count = 0
        var total = 0
        var ranks: [[RankChange]] = RankOrder.allCases.map { _ in [] }
    }

    init(directory: Int64, connection: Connection) {
        self.directory = directory
        self.connection = connection
        ranks = RunTable(directory: directory, connection: connection)
    }

    /// Before anything of a transaction; `preparation` is of the batch that it writes.
    func begin(_ preparation: GramPreparation?) {
        self.preparation = preparation
        added.removeAll(keepingCapacity: true)
        removedGrams.removeAll()
    }

    /// Adds or updates a user whose text is in `buffer`. Old values that ranks have to forget are kept there, too.
    func save(_ record: UserBatch.Record, from buffer: ByteBuffer, noting changes: inout Changes) throws -> Outcome {
        if try insert(record, buffer.bytes) {
            try addText(record, buffer.bytes)
            for order in RankOrder.allCases { changes.note(record, 1, in: order, buffer.bytes) }
            changes.total += 1
            changes.count += 1
            return .added
        }
        // From here on text is appended to what the preparation reads.
        preparation?.wait()
        guard let old = try difference(record, buffer) else { return .unchanged }
        try update(record, buffer.bytes)
        for order in old.orders {
            changes.note(old.record, -1, in: order, buffer.bytes)
            changes.note(record, 1, in: order, buffer.bytes)
        }
        if old.textDiffers {
            try removeText(record.id)
            try addText(record, buffer.bytes)
        } else if old.orders.contains(.reputation) {
            let statement = try connection.statement("UPDATE userText\(directory) SET reputation = ? WHERE id = ?")
            statement.bind(record.reputation, at: 1)
            statement.bind(record.id, at: 2)
            try statement.run()
        }
        changes.count += 1
        return .changed
    }

    /// Removes a user.
    func remove(_ id: Int64, keepingTextIn buffer: ByteBuffer, noting changes: inout Changes) throws {
        guard let old = try ranked(id, keepingTextIn: buffer) else { return }
        for order in RankOrder.allCases { changes.note(old, -1, in: order, buffer.bytes) }
        try removeText(id)
        let delete = try connection.statement("DELETE FROM user\(directory) WHERE id = ?")
        delete.bind(id, at: 1)
        try delete.run()
        changes.total -= 1
        changes.count += 1
    }

    func ids(notIn table: String, limit: Int) throws -> [Int64] {
        let statement = try connection.statement(
            "SELECT id FROM userText\(directory) WHERE id NOT IN (SELECT id FROM \(table)) LIMIT ?")
        statement.bind(Int64(limit), at: 1)
        defer { statement.reset() }
        var ids: [Int64] = []
        while try statement.step() { ids.append(statement.number(0)) }
        return ids
    }

    /// Brings the search index and the ranks up to what has changed.
    func apply(_ changes: inout Changes, texts: ByteBuffer) throws {
        let table = GramTable(directory: directory, connection: connection)
        if let preparation, preparation.users == added.count {
            try preparation.withGrams { try table.apply(added: $0, removed: removedGrams) }
        } else {
            // Some of the batch were there already.
            var grams = GramBatch()
            for (id, text) in added { grams.add(id, texts.bytes[text]) }
            try table.apply(added: grams, removed: removedGrams)
        }
        for order in RankOrder.allCases { try ranks.apply(changes.ranks[Int(order.rawValue)], to: order, texts: texts) }
    }
}

// MARK: - The row

extension UserTables {
    /// Whether the user was not there.
    private func insert(_ record: UserBatch.Record, _ bytes: UnsafeRawBufferPointer) throws -> Bool {
        // Not OR IGNORE, which would skip rows that break a constraint, too.
        let statement = try connection.statement(
            .insertUser,
            """
            INSERT INTO user\(directory) (login, name, avatarURL, htmlURL, type, more, reputation, id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
            """)
        bind(record, bytes, to: statement)
        try statement.run()
        return connection.changes == 1
    }

    private func update(_ record: UserBatch.Record, _ bytes: UnsafeRawBufferPointer) throws {
        let statement = try connection.statement(
            .updateUser,
            """
            UPDATE user\(directory) SET login = ?, name = ?, avatarURL = ?, htmlURL = ?, type = ?, more = ?,
                reputation = ? WHERE id = ?
            """)
        bind(record, bytes, to: statement)
        try statement.run()
    }

    private func bind(_ record: UserBatch.Record, _ bytes: UnsafeRawBufferPointer, to statement: Statement) {
        statement.bind(bytes[record.login], at: 1)
        statement.bind(bytes[record.name], at: 2, emptyIsNull: true)
        statement.bind(bytes[record.avatarURL], at: 3, emptyIsNull: true)
        statement.bind(bytes[record.htmlURL], at: 4, emptyIsNull: true)
        statement.bind(bytes[record.type], at: 5)
        statement.bind(bytes[record.more], at: 6, emptyIsNull: true)
        statement.bind(record.reputation, at: 7)
        statement.bind(record.id, at: 8)
    }

    /// What an update has to take back.
    private struct Old {
        var record: UserBatch.Record
        /// Those in which the user moves.
        var orders: [RankOrder]
        var textDiffers: Bool
    }

    /// How the saved user differs from `record`; `nil` if it does not.
    private func difference(_ record: UserBatch.Record, _ buffer: ByteBuffer) throws -> Old? {
        let statement = try connection.statement(
            .oldUser,
            """
            SELECT login, name, avatarURL, htmlURL, type, more, reputation FROM user\(directory) WHERE id = ?
            """)
        statement.bind(record.id, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let bytes = buffer.bytes  // Valid until the old texts are kept in the buffer.
        let isSame = { (column: Int32, slice: Slice) in statement.bytes(column).isSame(as: bytes[slice]) }
        let isRenamed = !isSame(0, record.login) || !isSame(1, record.name)
        let hasMoved = statement.number(6) != record.reputation
        if !isRenamed, !hasMoved, isSame(2, record.avatarURL), isSame(3, record.htmlURL), isSame(4, record.type),
            isSame(5, record.more)
        {
            return nil
        }
        var orders: [RankOrder] = hasMoved ? [.reputation] : []
        guard let old = try ranked(record.id, keepingTextIn: buffer) else { throw RunBytes.damage }
        let differs = { (one: Slice, other: Slice) in !buffer.bytes[one].isSame(as: buffer.bytes[other]) }
        if isRenamed, differs(old.loginKey, record.loginKey) { orders.append(.login) }
        if isRenamed, differs(old.nameKey, record.nameKey) { orders.append(.name) }
        return Old(record: old, orders: orders, textDiffers: isRenamed)
    }

    /// As much of a saved user as the orders compare; `nil` if there is no such user.
    private func ranked(_ id: Int64, keepingTextIn buffer: ByteBuffer) throws -> UserBatch.Record? {
        let statement = try connection.statement(
            .oldText, "SELECT reputation, text FROM userText\(directory) WHERE id = ?")
        statement.bind(id, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let text = SearchedText(statement.bytes(1))
        return UserBatch.Record(
            id: id, reputation: statement.number(0), loginKey: buffer.keep(text.loginKey),
            nameKey: buffer.keep(text.nameKey))
    }
}

// MARK: - What searches look at

extension UserTables {
    private func addText(_ record: UserBatch.Record, _ bytes: UnsafeRawBufferPointer) throws {
        let text = try connection.statement(
            .insertText, "INSERT INTO userText\(directory) (id, text, reputation) VALUES (?, ?, ?)")
        text.bind(record.id, at: 1)
        text.bind(bytes[record.text], at: 2)
        text.bind(record.reputation, at: 3)
        try text.run()
        added.append((record.id, record.text))
    }

    private func removeText(_ id: Int64) throws {
        let old = try connection.statement("SELECT text FROM userText\(directory) WHERE id = ?")
        old.bind(id, at: 1)
        defer { old.reset() }
        if try old.step() { removedGrams.add(id, old.bytes(0)) }
        old.reset()
        let text = try connection.statement("DELETE FROM userText\(directory) WHERE id = ?")
        text.bind(id, at: 1)
        try text.run()
    }
}

// MARK: - Details

extension UserTables.Changes {
    mutating func note(_ record: UserBatch.Record, _ delta: Int, in order: RankOrder, _ bytes: UnsafeRawBufferPointer) {
        let place =
            switch order {
            case .id: SortKey(number: .min, id: record.id)
            case .login: SortKey(text: record.loginKey, in: bytes, id: record.id)
            case .name: SortKey(text: record.nameKey, in: bytes, id: record.id)
            case .reputation: SortKey(number: record.reputation, id: record.id)
            }
        ranks[Int(order.rawValue)].append(RankChange(place: place, delta: delta))
    }
}

extension UnsafeRawBufferPointer {
    func isSame(as other: UnsafeRawBufferPointer) -> Bool { count == other.count && compareBytes(self, other) == 0 }
}
