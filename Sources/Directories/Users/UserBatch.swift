import Bytes

/// Users to be written into a directory: all of their text in one buffer, with the values prepared that comparing,
/// searching and sorting need.
///
/// The reading thread fills a batch while another thread writes the previous one; then the batch is emptied and reused.
/// So an import of any size takes the memory of a few batches.
///
/// Unchecked, because a batch belongs to one thread at a time: an import passes it, under a lock, to the reading or the
/// writing thread, and neither keeps a reference.
public final class UserBatch: @unchecked Sendable {
    /// One user. Its text is in ``UserBatch/buffer``; slices are empty for absent values.
    public struct Entry: Sendable {
        public var id: Int64
        /// ``UserBatch/noReputation`` if the user has none.
        public var reputation: Int64
        public var login: ByteSlice
        public var name: ByteSlice
        public var avatarURL: ByteSlice
        public var htmlURL: ByteSlice
        public var type: ByteSlice
        public var more: ByteSlice
        /// The folded login, a line feed, the folded name.
        public var text: ByteSlice
        /// The sort values of the user; both are parts of `text`.
        public var loginKey: ByteSlice
        public var nameKey: ByteSlice
        public var shape: RecordShape
        /// If `id` is 0, the store finds the user by this text, of which it keeps only a keyed hash: the folded values
        /// of the key columns, or of the whole row.
        public var identity: ByteSlice = .empty
        /// The handle in the column `rollcall` of an export, by which the store finds the user; empty if there is none.
        public var handle: ByteSlice = .empty
        /// Whether absent values keep the saved ones, because the file has only some of the columns.
        public var isPatch = false
        public var isHidden = false
        public var isNoIndex = false
        public var generated: GeneratedNames = []
        /// The number of the record in its file, from 1.
        public var place: Int64 = 0
        /// The values of the plan's filters, unless they are read from the record itself (see ``RecordShape``): for each
        /// one its index in ``FieldPlan/filters``, its length, both as varints, and its text.
        public var filters: ByteSlice = .empty
        /// The keys of the plan's orders.
        public var keys: ByteSlice = .empty
        /// Whether the id was generated because the source has none. A changed record may then get another id.
        public var isIDMade: Bool

        public init(
            id: Int64, reputation: Int64 = UserBatch.noReputation, login: ByteSlice = .empty, name: ByteSlice = .empty,
            avatarURL: ByteSlice = .empty, htmlURL: ByteSlice = .empty, type: ByteSlice = .empty,
            more: ByteSlice = .empty, text: ByteSlice = .empty, loginKey: ByteSlice = .empty,
            nameKey: ByteSlice = .empty, shape: RecordShape = .plain, isIDMade: Bool = false
        ) {
            self.id = id
            self.reputation = reputation
            self.login = login
            self.name = name
            self.avatarURL = avatarURL
            self.htmlURL = htmlURL
            self.type = type
            self.more = more
            self.text = text
            self.loginKey = loginKey
            self.nameKey = nameKey
            self.shape = shape
            self.isIDMade = isIDMade
        }
    }

    /// Less than any reputation, so that users without one come first in that order.
    public static let noReputation = Int64.min
    /// 2 MiB of text: 6,144 users with GitHub's data. So no batch reaches 4 GiB, the limit of a ``ByteSlice``.
    public static let maxBytes = 2 << 20

    public let buffer = ByteBuffer(capacity: 1 << 16)
    public private(set) var records: [Entry] = []
    /// The number of users that ``sort()`` dropped because the same id came again later.
    public private(set) var repeated = 0
    private var isSorted = true

    public init() {}

    public var isEmpty: Bool { records.isEmpty }
    /// Whether the batch should be written before more is appended.
    public var isFull: Bool { buffer.count >= Self.maxBytes }

    /// Removes the users and keeps the memory.
    public func removeAll() {
        buffer.removeAll()
        records.removeAll(keepingCapacity: true)
        repeated = 0
        isSorted = true
    }

    /// Appends a user whose text is in ``buffer``. Derives the values for comparing and searching from login and name.
    public func append(_ user: Entry) {
        var user = user
        let login = fold(user.login)
        buffer.append(UInt8(ascii: "\n"))
        let name = user.name.isEmpty ? .empty : fold(user.name)
        user.text = ByteSlice(offset: Int(login.offset), count: buffer.count - Int(login.offset))
        user.loginKey = cut(login)
        user.nameKey = cut(name.isEmpty ? login : name)
        if let last = records.last, last.id >= user.id { isSorted = false }
        records.append(user)
    }

    /// Removes the last user; its text stays until ``removeAll()``.
    public func removeLast() {
        records.removeLast()
    }

    /// Removes users and returns their number. Their text stays until ``removeAll()``.
    public func remove(where isGone: (Entry) throws -> Bool) rethrows -> Int {
        let count = records.count
        try records.removeAll(where: isGone)
        return count - records.count
    }

    /// Sorts the users by id, so that tables are written from one end to the other, and keeps the last user of each id.
    public func sort() {
        if isSorted { return }
        // In two steps, because sorting would move the hundred bytes of each user a dozen times.
        var order = records.indices.map { (id: records[$0].id, index: $0) }
        order.sort { ($0.id, $0.index) < ($1.id, $1.index) }
        let sorted = order.indices.lazy
            .filter { $0 + 1 == order.count || order[$0].id != order[$0 + 1].id }.map { self.records[order[$0].index] }
        let kept = Array(sorted)
        repeated += records.count - kept.count
        records = kept
        isSorted = true
    }

    private func fold(_ text: ByteSlice) -> ByteSlice {
        // The input is in the same buffer as the output. Reserving room for the longest result keeps the buffer from
        // moving.
        buffer.reserve(Int(text.count) * 4 + 8)
        return buffer.append(folding: buffer.bytes[text])
    }

    private func cut(_ text: ByteSlice) -> ByteSlice {
        ByteSlice(offset: Int(text.offset), count: buffer.bytes[text].sortText.count)
    }
}

extension UnsafeRawBufferPointer {
    /// Calls `body` with each value that is encoded in these bytes as ``UserBatch/Entry/filters`` says.
    public func forEachFilterValue(_ body: (_ filter: Int, _ text: UnsafeRawBufferPointer) throws -> Void) rethrows {
        var index = 0
        while let filter = varint(at: &index), let length = varint(at: &index), length <= UInt64(count - index) {
            try body(Int(filter), UnsafeRawBufferPointer(rebasing: self[index..<(index + Int(length))]))
            index += Int(length)
        }
    }
}
