import Base
import People
import Publishing

/// A row of `user` or `userHidden`, to be written. The bytes belong to the writer.
package struct SavedUser {
    package var columns: UserColumns<UnsafeRawBufferPointer>
    package var flags: Int64
    /// When the import writes the row, in seconds since 1970: `addedAt` of a new one, `changedAt` of another.
    package var savedAt: Int64
    /// Whether the person objects to a picture, which is saved as the picture 0; else the picture is `NULL`.
    package var objects: Bool
    package var filters: UnsafeRawBufferPointer

    init(
        _ user: UserToWrite, _ bytes: UnsafeRawBufferPointer, filters: UnsafeRawBufferPointer, savedAt: Int64,
        objects: Bool
    ) {
        columns = user.columns.bytes(in: bytes)
        flags = Int64(user.flags.subtracting(.hidden).rawValue)
        self.savedAt = savedAt
        self.objects = objects
        self.filters = filters
    }
}

extension SavedUser {
    /// The columns of a user, in the sequence of the table: SQLite then writes a new row without moving values.
    /// ``StoreRow/userColumns(after:)`` and ``StoreRow/userFlags(after:)`` read them,
    /// ``StoreStatement/bind(_:flags:after:)`` binds them.
    package static let columnNames = "id, \(valueNames)"
    /// The same of somebody in `userHidden`, with ``UserFlags/hidden``.
    static let columnNamesOfHidden = "\(columnNames) | \(UserFlags.hidden.rawValue)"
    /// Their number: what comes after them in a row is counted from here.
    package static let columnCount: Int32 = 6
    private static let valueNames = "login, name, avatarURL, more, flags"

    /// The columns that a new row sets; the others get their defaults.
    package static let newColumnNames = "\(columnNames), filters, addedAt, picture"
    /// Their parameters, which ``StoreStatement/bind(new:row:)`` binds.
    package static let newParameters = "?, ?, ?, ?, ?, ?, ?, ?, ?"
    package static let newParameterCount = Int(columnCount) + 3

    /// The statement that changes a row. The parameters are those of ``StoreStatement/bind(_:after:)``.
    package static func update(of directory: Int64) -> String {
        """
        UPDATE user\(directory) SET \(assignments), filters = ?7, changedAt = ?8,
            -- The picture is that of the old address.
            picture = CASE WHEN \(hasSamePhoto) OR hasOwnPicture <> 0 OR picture = 0 THEN picture END
        WHERE id = ?1
        """
    }

    /// The statement that removes the values that settings do not store. The parameters are those of
    /// ``StoreStatement/bind(_:flags:after:)``.
    static func erasure(from table: String) -> String {
        """
        UPDATE \(table) SET \(assignments),
            picture = CASE WHEN \(hasSamePhoto) OR picture = 0 THEN picture END
        WHERE id = ?1
        """
    }

    private static let assignments = "(\(valueNames)) = (?2, ?3, ?4, ?5, ?6)"
    private static let hasSamePhoto = "coalesce(avatarURL, '') = coalesce(?4, '')"
}

extension StoreStatement {
    /// Binds ``SavedUser/columnNames`` to the parameters after `count`. Empty texts are `NULL`, but for the login.
    func bind(_ columns: UserColumns<UnsafeRawBufferPointer>, flags: Int64, after count: Int32 = 0) {
        bind(columns.id, at: count + 1)
        bind(columns.login, at: count + 2)
        bindUnlessEmpty(columns.name, at: count + 3)
        bindUnlessEmpty(columns.avatarURL, at: count + 4)
        bindUnlessEmpty(columns.more, at: count + 5)
        bind(flags, at: count + 6)
    }

    /// Binds the same columns, the values of filters, and the time.
    package func bind(_ user: SavedUser, after count: Int32 = 0) {
        bind(user.columns, flags: user.flags, after: count)
        bindUnlessEmpty(blob: user.filters, at: count + 7)
        bind(user.savedAt, at: count + 8)
    }

    /// Binds ``SavedUser/newColumnNames`` to the parameters of the row numbered `row`, from 0.
    package func bind(new user: SavedUser, row: Int = 0) {
        let first = Int32(row * SavedUser.newParameterCount)
        bind(user, after: first)
        if user.objects { bind(0, at: first + 9) } else { bindNull(at: first + 9) }
    }
}

extension StoreRow {
    /// The columns of a user, in a row that has ``SavedUser/columnNames`` after `count` others.
    func userColumns(after count: Int32 = 0) -> UserColumns<UnsafeRawBufferPointer> {
        UserColumns(
            id: number(count), login: bytes(count + 1), name: bytes(count + 2), avatarURL: bytes(count + 3),
            more: bytes(count + 4), generated: userFlags(after: count).generated)
    }

    func userFlags(after count: Int32 = 0) -> UserFlags { UserFlags(stored: number(count + 5)) }

    func optionalNumber(_ column: Int32) -> Int64? { isNull(column) ? nil : number(column) }

    func isSame(as user: UserToWrite, _ bytes: UnsafeRawBufferPointer) -> Bool {
        userColumns().hasSameValues(as: user.columns.bytes(in: bytes)) && userFlags() == user.flags
    }
}

/// The part of a user that searches and orders look at. The bytes belong to the row or the import that has them.
///
/// It is one value, the column `content` of `userText`, because searches read hundreds of them: SQLite reads one column
/// of many rows in a third of the time that a statement takes. Encoded, it has
///
/// 1. ``keys`` and ``exact``, each after a varint with its length in bytes
/// 2. ``text``, up to the end
package struct SavedText {
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
        self.init(keys: .empty, exact: .empty, text: .empty)
        var index = 0
        guard let keys = content.counted(at: &index), let exact = content.counted(at: &index) else { return }
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
        buffer.append(counted: keys)
        buffer.append(counted: exact)
        buffer.append(text)
    }
}
