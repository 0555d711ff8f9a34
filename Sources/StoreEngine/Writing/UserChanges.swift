import Base
import Dispatch
import People
import Publishing
import Indexes

/// The users added, changed and removed in a transaction, collected for the sort indexes and the search index, which
/// are updated at its end.
final class UserChanges {
    /// The keys of a user; texts are in ``UserChanges/texts``.
    struct RankedUser {
        var id: Int64
        var loginKey: ByteSlice
        /// Empty if the login is generated, and for users who are not added.
        var foldedLogin = ByteSlice.empty
        var keys: ByteSlice
    }

    /// The number of changed users, and the change of the directory's total.
    private(set) var count = 0
    /// The number of users whose only change is the position in the file.
    private(set) var moved = 0
    private(set) var total = 0
    /// Whether an added or changed user has a login from the source.
    private(set) var hasLogins = false
    /// The texts of keys, and the searched texts of added users.
    let texts = ByteBuffer(capacity: 1 << 16)
    private var added: [RankedUser] = []
    /// The added users who only got another id.
    private var renumbered: Set<Int64> = []
    /// The keys of removed and changed users, by order.
    private var moves: [[SortChange]]
    let orders: [IndexedOrder]
    private let end: ContinuousClock.Instant

    private let capacity: Int

    /// 131,072 users: with a million users in the directory, about 25 of them then change each block of an order
    /// that is rewritten. Fewer if the block directories take `size` bytes of memory, so that an import takes the
    /// same memory in directories of any size: each user takes three hundred bytes or more until the transaction ends.
    init(
        _ orders: [IndexedOrder] = IndexedOrder.common, besideDirectoriesOf size: Int,
        within duration: Duration = .seconds(1)
    ) {
        self.orders = orders
        end = .now + duration
        moves = orders.map { _ in [] }
        capacity = max(131_072 - size / 300, 16_384)
    }

    /// Whether the transaction should end: it has many users, 48 MiB of texts, or is old. Its users are not visible
    /// before.
    var isFull: Bool {
        count + moved >= capacity || texts.count >= 48 << 20 || ContinuousClock.now >= end
    }

    /// Notes an added user. Returns where the searched text is kept.
    func add(_ record: UserToWrite, from bytes: UnsafeRawBufferPointer) -> ByteSlice {
        count += 1
        total += 1
        let (user, text) = keep(record, from: bytes)
        added.append(user)
        return text
    }

    /// Notes that an added user is an old one with another id.
    func noteRenumbered(_ id: Int64) { renumbered.insert(id) }

    var newIDs: [Int64] { added.lazy.map(\.id).filter { !self.renumbered.contains($0) } }

    /// Notes a changed user with the old keys. Returns where the new searched text is kept.
    func replace(_ old: RankedUser, by record: UserToWrite, from bytes: UnsafeRawBufferPointer) -> ByteSlice {
        count += 1
        return exchange(old, for: record, from: bytes)
    }

    /// Notes a user who has moved in an order, because earlier rows were added to or removed from the file, and does
    /// not count as changed.
    func move(_ old: RankedUser, to record: UserToWrite, from bytes: UnsafeRawBufferPointer) {
        moved += 1
        _ = exchange(old, for: record, from: bytes)
    }

    private func exchange(
        _ old: RankedUser, for record: UserToWrite, from bytes: UnsafeRawBufferPointer
    ) -> ByteSlice {
        let (new, text) = keep(record, from: bytes)
        for order in orders {
            let (from, to) = (key(of: old, in: order), key(of: new, in: order))
            if from.compare(in: texts.bytes, to: to, in: texts.bytes) == 0 { continue }
            moves[order.index].append(SortChange(key: from, delta: -1))
            moves[order.index].append(SortChange(key: to, delta: 1))
        }
        return text
    }

    func remove(_ old: RankedUser) {
        count += 1
        total -= 1
        for order in orders {
            moves[order.index].append(SortChange(key: key(of: old, in: order), delta: -1))
        }
    }

    /// Notes a user who has been hidden, or changed or removed while hidden.
    func noteHidden() { count += 1 }

    /// Calls `body` with the folded form of each login that was added since number `start`, unless it was made by
    /// Rollcall. Returns the number to continue from.
    func forEachAddedLogin(from start: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Int {
        for user in added[start...] where !user.foldedLogin.isEmpty { body(texts.bytes[user.foldedLogin]) }
        return added.count
    }

    /// Calls `body` with each order and all its changes, sorted by their keys.
    func forEachOrder(_ body: (IndexedOrder, [SortChange]) throws -> Void) rethrows {
        // A few at a time: a directory may have many orders, and a change takes 32 bytes in each.
        for start in stride(from: 0, to: orders.count, by: 4) {
            let some = orders[start...].prefix(4)
            for (order, changes) in zip(some, sortedChanges(in: some)) { try body(order, changes) }
        }
    }

    private func sortedChanges(in orders: ArraySlice<IndexedOrder>) -> [[SortChange]] {
        var sorted = orders.map(changes)
        let count = sorted.reduce(0) { $0 + $1.count }
        let bytes = texts.bytes
        sorted.withUnsafeMutableBufferPointer { sorted in
            // Unchecked: each index of `sorted` belongs to one thread, and all threads only read the bytes. The
            // pointers are valid until this closure ends, which waits for all of them.
            nonisolated(unsafe) let (sorted, bytes) = (sorted, bytes)
            let sort = { @Sendable (index: Int) in sorted[index].sort(in: bytes) }
            // A few milliseconds are not worth a thread.
            if count < 100_000 { return sorted.indices.forEach(sort) }
            DispatchQueue.concurrentPerform(iterations: sorted.count, execute: sort)
        }
        return sorted
    }

    private func changes(in order: IndexedOrder) -> [SortChange] {
        var changes = moves[order.index]
        changes.reserveCapacity(changes.count + added.count)
        for user in added { changes.append(SortChange(key: key(of: user, in: order), delta: 1)) }
        return changes
    }

    private func keep(_ record: UserToWrite, from bytes: UnsafeRawBufferPointer) -> (RankedUser, ByteSlice) {
        let text = texts.keep(bytes[record.text])
        // The login is a slice of the text, unless it was generated.
        let kept = { (key: ByteSlice) in
            ByteSlice(offset: Int(key.offset) - Int(record.text.offset) + Int(text.offset), count: Int(key.count))
        }
        let isGenerated = record.generated.contains(.login)
        var user = RankedUser(
            id: record.id,
            loginKey: isGenerated ? texts.keep(bytes[record.loginKey]) : kept(record.loginKey),
            keys: texts.keep(bytes[record.keys]))
        if !isGenerated {
            hasLogins = true
            user.foldedLogin =
                record.exact.isEmpty ? kept(record.foldedLogin) : texts.keep(bytes[record.foldedLogin])
        }
        return (user, text)
    }

    private func key(of user: RankedUser, in order: IndexedOrder) -> SortKey {
        let bytes = texts.bytes
        return order.withKey(of: bytes[user.keys], login: bytes[user.loginKey]) { key in
            switch key {
            case .number(let number): SortKey(number: number, id: user.id)
            case .text(let text): SortKey(text: place(of: text), in: texts.bytes, id: user.id)
            }
        }
    }

    /// Returns where `text` is in ``texts``. A text from elsewhere is kept there.
    private func place(of text: UnsafeRawBufferPointer) -> ByteSlice {
        guard let start = text.baseAddress, let first = texts.bytes.baseAddress,
            start >= first, start < first + texts.bytes.count
        else { return texts.keep(text) }
        return ByteSlice(offset: start - first, count: text.count)
    }
}

/// The sort indexes of one directory as its writer changes them: the blocks in `userBlock`, the block directories in
/// memory and in `userBlockDirectory`.
final class OrderWriter {
    /// The sizes of blocks. Tests make them small.
    var limits = SortIndexWriter.Limits()
    private(set) var orders = IndexedOrder.common
    private var indexes: [SortIndexWriter] = []
    private let directory: Int64
    private let connection: any StoreConnection

    init(of directory: Int64, on connection: any StoreConnection) {
        self.directory = directory
        self.connection = connection
    }

    private var table: BlockDirectoryTable { BlockDirectoryTable(of: directory, on: connection) }

    func load(_ directory: StoredDirectory) throws {
        orders = IndexedOrder.all(directory.settings.shown)
        try loadIndexes(total: directory.total)
    }

    /// Removes all orders, and creates those of `settings` without users.
    func clear(_ settings: ShownSettings) throws {
        try connection.execute("DELETE FROM userBlock\(directory); DELETE FROM userBlockDirectory\(directory)")
        orders = IndexedOrder.all(settings)
        let storage = connection.blobs(.userBlock, of: directory)
        for order in orders {
            let number = try SortBlock.empty.withUnsafeBytes { try storage.add($0) }
            try table.insertFirstBlock(number, of: order)
        }
        try loadIndexes(total: 0)
    }

    private func loadIndexes(total: Int) throws {
        indexes = try zip(orders, table.load(orders, total: total)).map { SortIndexWriter($1, kind: $0.kind) }
    }

    var size: Int { indexes.reduce(0) { $0 + $1.size } }

    /// Applies sorted `changes`, whose texts are in `texts`, to the index of an order.
    func apply(_ changes: [SortChange], to order: IndexedOrder, texts: ByteBuffer) throws {
        let (table, index) = (table, indexes[order.index])
        index.limits = limits
        try StoreError.readingBlocks {
            try index.apply(changes, texts: texts, storage: connection.blobs(.userBlock, of: directory)) {
                try table.save($0, $1, in: order)
            }
        }
    }
}
