import Bytes
import Directories
import SortIndex

/// Who came, moved and went in a transaction: what the orders and the search index are brought up to at its end.
final class UserChanges {
    /// As much of a user as orders compare; the keys are in ``UserChanges/texts``.
    struct RankedUser {
        var id: Int64
        var reputation: Int64
        var loginKey: Slice
        var nameKey: Slice
    }

    /// How many users were written, and how many more there are now.
    private(set) var count = 0
    private(set) var total = 0
    /// What the keys are in, and the folded texts of those who came.
    let texts = ByteBuffer(capacity: 1 << 16)
    private var came: [RankedUser] = []
    /// By order, who went or moved.
    private var moves: [[SortChange]] = IndexedOrder.allCases.map { _ in [] }
    private let start = ContinuousClock.now

    /// How many users it takes.
    private let capacity: Int

    /// 98,304 users: at a million, every run of an order then takes some twenty of them when it is rewritten. Fewer beside runs
    /// that take `runsSize` bytes of memory, so that an import takes the same for a directory of any size: each user takes three
    /// hundred bytes or more until the transaction ends.
    init(besideRuns runsSize: Int) {
        capacity = max(98_304 - runsSize / 300, 16_384)
    }

    /// Those who read wait for the transaction, so it takes nothing more after a while.
    var isFull: Bool {
        count >= capacity || texts.count >= 16 << 20 || ContinuousClock.now - start >= .milliseconds(400)
    }

    /// Takes a user who was not there, with the folded text; answers where the text is kept.
    func add(_ record: UserBatch.Entry, from bytes: UnsafeRawBufferPointer) -> Slice {
        count += 1
        total += 1
        let (user, text) = keep(record, from: bytes)
        came.append(user)
        return text
    }

    /// Takes a user who has changed, and what orders compared of the user until now; answers where the folded text is kept.
    func replace(_ old: RankedUser, by record: UserBatch.Entry, from bytes: UnsafeRawBufferPointer) -> Slice {
        count += 1
        let (new, text) = keep(record, from: bytes)
        for order in IndexedOrder.allCases {
            let (from, to) = (key(of: old, in: order), key(of: new, in: order))
            if from.compare(in: texts.bytes, to: to, in: texts.bytes) == 0 { continue }
            moves[order.index].append(SortChange(key: from, delta: -1))
            moves[order.index].append(SortChange(key: to, delta: 1))
        }
        return text
    }

    /// Takes a user who went.
    func remove(_ old: RankedUser) {
        count += 1
        total -= 1
        for order in IndexedOrder.allCases {
            moves[order.index].append(SortChange(key: key(of: old, in: order), delta: -1))
        }
    }

    /// All that changes in an order, unsorted.
    func changes(in order: IndexedOrder) -> [SortChange] {
        var changes = moves[order.index]
        changes.reserveCapacity(changes.count + came.count)
        for user in came { changes.append(SortChange(key: key(of: user, in: order), delta: 1)) }
        return changes
    }

    private func keep(_ record: UserBatch.Entry, from bytes: UnsafeRawBufferPointer) -> (RankedUser, Slice) {
        let text = texts.keep(bytes[record.text])
        // The keys are parts of the text.
        let kept = { (key: Slice) in
            Slice(offset: Int(key.offset) - Int(record.text.offset) + Int(text.offset), count: Int(key.count))
        }
        let user = RankedUser(
            id: record.id, reputation: record.reputation, loginKey: kept(record.loginKey), nameKey: kept(record.nameKey)
        )
        return (user, text)
    }

    private func key(of user: RankedUser, in order: IndexedOrder) -> SortKey {
        switch order {
        case .id: SortKey(number: .min, id: user.id)
        case .login: SortKey(text: user.loginKey, in: texts.bytes, id: user.id)
        case .name: SortKey(text: user.nameKey, in: texts.bytes, id: user.id)
        case .reputation: SortKey(number: user.reputation, id: user.id)
        }
    }
}
