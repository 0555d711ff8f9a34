import Base
import People

/// A row of `user` or `userHidden`, to be written. The bytes belong to the writer.
package struct SavedUser {
    package var columns: UserColumns<UnsafeRawBufferPointer>
    package var flags: Int64
    /// When the import writes the row, in seconds since 1970: `addedAt` of a new one, `changedAt` of another.
    package var savedAt: Int64
    /// Whether the person objects to a picture, which is saved as the picture 0; else the picture is `NULL`.
    package var objects: Bool
    /// A blob.
    package var filters: UnsafeRawBufferPointer

    init(
        _ user: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer, filters: UnsafeRawBufferPointer, savedAt: Int64,
        objects: Bool
    ) {
        columns = user.columns.bytes(in: bytes)
        flags = Int64(UserFlags(user).rawValue)
        self.savedAt = savedAt
        self.objects = objects
        self.filters = filters
    }
}

// The columns of a user are read and written in this sequence everywhere. It is that of the table: SQLite then writes a
// new row without moving values.

extension SavedUser {
    /// What ``StoreRow/userColumns`` and ``StoreRow/userFlags`` read, and ``StoreStatement/bind(_:)`` writes.
    package static let columnNames = "id, \(valueNames)"
    private static let valueNames = "login, name, avatarURL, htmlURL, type, more, reputation, flags"

    /// The columns of a new row that have no default. The parameters are those of ``StoreStatement/bind(new:row:)``.
    package static let newColumnNames = "\(columnNames), filters, addedAt, picture"

    /// The statement that changes a row. The parameters are those of ``StoreStatement/bind(_:)``, and the time.
    package static func update(of directory: Int64) -> String {
        """
        UPDATE user\(directory) SET \(assignments), filters = ?10, changedAt = ?11,
            -- The picture is that of the old address.
            picture = CASE WHEN \(hasSamePhoto) OR hasOwnPicture <> 0 OR picture = 0 THEN picture END
        WHERE id = ?1
        """
    }

    /// The statement that removes the values that settings do not store. The parameters are those of
    /// ``StoreStatement/bind(_:_:)``.
    static func erasure(from table: String) -> String {
        """
        UPDATE \(table) SET \(assignments),
            picture = CASE WHEN \(hasSamePhoto) OR picture = 0 THEN picture END,
            hasOwnPicture = CASE WHEN \(hasSamePhoto) THEN hasOwnPicture ELSE 0 END
        WHERE id = ?1
        """
    }

    private static let assignments = "(\(valueNames)) = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
    private static let hasSamePhoto = "coalesce(avatarURL, '') = coalesce(?4, '')"
}

extension StoreStatement {
    /// Binds ``SavedUser/columnNames`` to the nine parameters after `count`. Empty texts are `NULL`, but for the login
    /// and the type.
    func bind(_ columns: UserColumns<UnsafeRawBufferPointer>, flags: Int64, after count: Int32 = 0) {
        bind(columns.id, at: count + 1)
        bind(columns.login, at: count + 2)
        bind(columns.name, at: count + 3, emptyIsNull: true)
        bind(columns.avatarURL, at: count + 4, emptyIsNull: true)
        bind(columns.htmlURL, at: count + 5, emptyIsNull: true)
        bind(columns.type, at: count + 6)
        bind(columns.more, at: count + 7, emptyIsNull: true)
        if let reputation = columns.reputation { bind(reputation, at: count + 8) } else { bindNull(at: count + 8) }
        bind(flags, at: count + 9)
    }

    /// Binds the same columns and the values of filters.
    package func bind(_ user: SavedUser, after count: Int32 = 0) {
        bind(user.columns, flags: user.flags, after: count)
        bind(blob: user.filters, at: count + 10, emptyIsNull: true)
    }

    /// Binds ``SavedUser/newColumnNames`` to the parameters of a row, of which there may be several.
    package func bind(new user: SavedUser, row: Int = 0) {
        let first = Int32(row) * 12
        bind(user, after: first)
        bind(user.savedAt, at: first + 11)
        if user.objects { bind(0, at: first + 12) } else { bindNull(at: first + 12) }
    }
}

extension StoreRow {
    /// The columns of a user, in a row that has ``SavedUser/columnNames`` after `count` others.
    func userColumns(after count: Int32) -> UserColumns<UnsafeRawBufferPointer> {
        UserColumns(
            id: number(count), reputation: optionalNumber(count + 7), login: bytes(count + 1), name: bytes(count + 2),
            avatarURL: bytes(count + 3), htmlURL: bytes(count + 4), type: bytes(count + 5), more: bytes(count + 6))
    }

    func userFlags(after count: Int32) -> UserFlags { UserFlags(stored: number(count + 8)) }

    var userColumns: UserColumns<UnsafeRawBufferPointer> { userColumns(after: 0) }
    var userFlags: UserFlags { userFlags(after: 0) }

    /// Returns a number, or `nil` for `NULL`.
    func optionalNumber(_ column: Int32) -> Int64? { isNull(column) ? nil : number(column) }

    /// Whether the row has the columns and flags of `user`.
    func isSame(as user: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer) -> Bool {
        userColumns.hasSameValues(as: user.columns.bytes(in: bytes)) && userFlags == UserFlags(user)
    }
}

/// The flags in the column `flags` of a user.
struct UserFlags: OptionSet {
    let rawValue: UInt8

    static let generatedID = UserFlags(rawValue: 1)
    static let generatedLogin = UserFlags(rawValue: 2)
    static let noIndex = UserFlags(rawValue: 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ user: UserBatch.Entry) {
        rawValue = user.generated.rawValue | (user.isNoIndex ? Self.noIndex.rawValue : 0)
    }

    init(stored: Int64) { rawValue = UInt8(truncatingIfNeeded: stored) }

    var generated: GeneratedNames {
        GeneratedNames(rawValue: intersection([.generatedID, .generatedLogin]).rawValue)
    }
}

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
