/// A row of a table that says which values are whose.
protocol PersonRow {
    associatedtype Value: Hashable
    /// The value by which the row is looked up.
    var value: Value { get }
    /// The person.
    var id: Int64 { get }
    /// Whether `other` is the same row of the table, maybe of somebody else.
    func isSame(as other: Self) -> Bool
    static func hash(_ value: Value) -> UInt64
}

/// What is known of such a table without asking: the rows that were read for a batch, that a new person has none, and
/// which values cannot be there. Belongs to one transaction.
struct KnownRows<Row: PersonRow> {
    private var byValue: [Row.Value: [Row]] = [:]
    private var byPerson: [Int64: [Row]] = [:]
    /// A person who is new and has no row yet.
    private var newest: Int64?
    private var absence = AbsenceFilter()

    /// Begins a transaction. `isUnchanged` says whether the directory is as this writer's last one left it.
    mutating func begin(isUnchanged: Bool, isEmpty: @autoclosure () throws -> Bool) rethrows {
        forget()
        newest = nil
        try absence.begin(isUnchanged: isUnchanged, isEmpty: try isEmpty())
    }

    /// Forgets the rows that were read.
    mutating func forget() { (byValue, byPerson) = ([:], [:]) }

    /// Returns the rows with a value; `nil` if they are not known.
    func rows(_ value: Row.Value) -> [Row]? {
        byValue[value] ?? (absence.rulesOut(Row.hash(value)) ? [] : nil)
    }

    /// Returns the rows of a person; `nil` if they are not known.
    func rows(of id: Int64) -> [Row]? { id == newest ? [] : byPerson[id] }

    /// Notes that a person is new and has no row.
    mutating func noteNew(_ id: Int64) { newest = id }

    /// Notes that all rows with these values are read next, each with ``noteRead(byValue:)``.
    mutating func expect(_ values: some Sequence<Row.Value>) { for value in values { byValue[value] = [] } }

    mutating func noteRead(byValue row: Row) { byValue[row.value]?.append(row) }

    /// Notes that all rows of these people are read next, each with ``noteRead(byPerson:)``.
    mutating func expect(of ids: Set<Int64>) { for id in ids { byPerson[id] = [] } }

    mutating func noteRead(byPerson row: Row) { byPerson[row.id]?.append(row) }

    /// Notes a row that was saved, in place of the same row of somebody else.
    mutating func noteSaved(_ row: Row) {
        noteRows(of: row.id)
        absence.insert(Row.hash(row.value))
        remove(row)
        byValue[row.value]?.append(row)
        byPerson[row.id]?.append(row)
    }

    /// Notes that a person may have rows.
    mutating func noteRows(of id: Int64) { if id == newest { newest = nil } }

    mutating func remove(_ row: Row) {
        for other in byValue[row.value]?.filter(row.isSame) ?? [] { byPerson[other.id]?.removeAll(where: row.isSame) }
        byPerson[row.id]?.removeAll(where: row.isSame)
        byValue[row.value]?.removeAll(where: row.isSame)
    }

    mutating func removeRows(of id: Int64) {
        guard let known = byPerson[id] else { return forget() }
        for row in known { remove(row) }
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
