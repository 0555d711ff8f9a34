import Base
import People

/// The part of a user that searches and orders look at. The bytes belong to the row or the import that has them.
///
/// It is one value, the column `content` of `userText`, because searches read hundreds of them: SQLite reads one column
/// of many rows in a third of the time that a statement takes. Encoded, it has
///
/// 1. the reputation: a varint, 0 for a user without one, else its zigzag form plus 1
/// 2. ``keys`` and ``exact``, each after a varint with its length in bytes
/// 3. ``text``, up to the end
package struct SavedText {
    /// Not the least number, for which the encoding has no room.
    package var reputation: Int64?
    /// The keys of orders, as ``OrderKeys`` describes them.
    package var keys: UnsafeRawBufferPointer
    /// The folded login and name, where they differ from the loose ones: see ``SearchedText/exact``.
    package var exact: UnsafeRawBufferPointer
    /// See ``SearchedText``.
    package var text: UnsafeRawBufferPointer
}

extension SavedText {
    /// Reads what ``append(to:)`` wrote. Damaged bytes give a user without a text.
    package init(_ content: UnsafeRawBufferPointer) {
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        self.init(keys: empty, exact: empty, text: empty)
        var index = 0
        guard let number = content.varint(at: &index), let keys = content.counted(at: &index),
            let exact = content.counted(at: &index)
        else { return }
        if number > 0 { reputation = Int64(zigzag: number - 1) }
        (self.keys, self.exact) = (keys, exact)
        text = UnsafeRawBufferPointer(rebasing: content[index...])
    }

    /// The text in the current row of ``KeyedRows/texts``.
    init(_ row: any StoreRow) { self.init(row.blob(1)) }

    var searched: SearchedText { SearchedText(text, exact: exact) }

    /// The key of the order by login. It is among the ``keys`` if the login is generated.
    var loginKey: UnsafeRawBufferPointer {
        let login = searched.login
        if login.isEmpty, case .text(let key) = keys.orderKey(at: OrderKeys.loginPosition) { return key }
        return login.sortText
    }

    /// Appends a copy, encoded. None of the bytes may be in `buffer`.
    func append(to buffer: ByteBuffer) {
        buffer.append(varint: reputation.map { $0.zigzag + 1 } ?? 0)
        buffer.append(counted: keys)
        buffer.append(counted: exact)
        buffer.append(text)
    }
}

// Numbers that a database of Rollcall can contain. They are checked when they are read, so that all other code may
// calculate with them. Other numbers are damage by the disk or by another program.

/// The limits of stored numbers.
enum StoredLimits {
    /// More users than fit a file. Sums and products of a few such numbers still fit 64 bits.
    static let count: Int64 = 1 << 40
    /// No database changes so often.
    static let generation: Int64 = 1 << 62
    /// The last second of the year 9999, since 1970.
    static let seconds: Int64 = 253_402_300_799
    /// The greatest number of a filter's value: see ``FilterTable``.
    static let filterValue = Int64(Filter.maxOwnValues) + 1
}

extension StoreError {
    /// The error for a sort index whose blocks do not fit each other or the users in the tables.
    package static let damagedOrder = StoreError(
        .damaged, "an order of the directory is damaged in the database; import into a new file")

    /// Returns the error for a database with content that Rollcall never writes.
    package static func damage(_ what: String) -> StoreError {
        StoreError(
            .damaged,
            "the database is damaged: \(what); put a good copy in its place, or import into a new file")
    }

    /// Returns the error for a number outside `range`.
    package static func damage(_ name: String, _ number: Int64, outside range: ClosedRange<Int64>) -> StoreError {
        damage("\(name) is \(number), expected \(range.lowerBound) to \(range.upperBound)")
    }
}

extension StoreRow {
    /// Returns the number in `column`, which errors call `name`. Throws if it is outside `range`.
    package func number(_ column: Int32, _ name: String, in range: ClosedRange<Int64>) throws -> Int64 {
        let number = number(column)
        guard range.contains(number) else { throw StoreError.damage(name, number, outside: range) }
        return number
    }

    /// Returns a number of users, requests or the like.
    package func count(_ column: Int32, _ name: String) throws -> Int {
        Int(try number(column, name, in: 0...StoredLimits.count))
    }

    package func generation(_ column: Int32) throws -> Int64 {
        try number(column, "a generation", in: 1...StoredLimits.generation)
    }

    /// Returns a time in seconds since 1970.
    package func time(_ column: Int32, _ name: String) throws -> Int64 {
        try number(column, name, in: 0...StoredLimits.seconds)
    }

    func filterValue(_ column: Int32) throws -> Int64 {
        try number(column, "the number of a value", in: 1...StoredLimits.filterValue)
    }
}
