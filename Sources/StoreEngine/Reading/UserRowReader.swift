import Base
import People
import Publishing
import Indexes

/// Reads the rows of users that pages show.
package struct UserRowReader {
    private let connection: any StoreConnection
    /// For the text of one row.
    private let scratch = ByteBuffer(capacity: 1024)

    init(_ connection: any StoreConnection) { self.connection = connection }

    /// The columns of ``KeyedRows/users``.
    ///
    /// Ask for the last column first: SQLite then parses the row header once.
    package static let columns = "hasOwnPicture, picture, \(SavedUser.columnNames)"
    package static let idColumn: Int32 = 2

    /// Returns the user with `id` as the only row, or `nil` if the user does not exist.
    func user(_ id: Int64, of directory: ShownDirectory) throws -> UserRows? {
        try connection.withRow(.users, of: id, in: directory.id) { row in
            var users = UserRows()
            try users.append(row, hiding: directory.hidden, scratch)
            return users
        }
    }

    /// Returns up to `limit` users in the order of ids, which is the order of the table.
    func users(
        _ limit: Int, on scan: IndexScan, of directory: ShownDirectory
    ) throws -> UserRows {
        var rows = UserRows()
        rows.rows.reserveCapacity(limit)
        rows.text.reserveCapacity(limit * 256)
        let statement = try connection.statement(
            .users(isDescending: scan.isDescending, isSeeking: scan.start != nil, of: directory.id),
            Self.users(on: scan, of: directory.id))
        defer { statement.reset() }
        statement.bind(Int64(limit), at: 1)
        if let start = scan.start { statement.bind(start.key.id, at: 2) }
        while try statement.step() { try rows.append(statement, hiding: directory.hidden, scratch) }
        return rows
    }

    /// The statement that reads users in the order of ids. Parameters: the limit, and the id that the users come after.
    static func users(on scan: IndexScan, of directory: Int64) -> String {
        let (comparison, direction) = scan.isDescending ? ("<", " DESC") : (">", "")
        let condition = scan.start == nil ? "" : "WHERE id \(comparison) ?2 "
        return "SELECT \(columns) FROM user\(directory) \(condition)ORDER BY id\(direction) LIMIT ?1"
    }

    /// Returns the users with `ids`, in that sequence, and the values that `order` sorts by.
    func users(_ ids: [Int64], in order: IndexedOrder, of directory: ShownDirectory) throws -> UserRows {
        var rows = try users(ids, of: directory)
        if order == .id { return rows }
        var index = 0
        try connection.forEachRow(.texts, of: ids, in: directory.id) { id, row in
            try SavedText(row).withKey(in: order) { try rows.setSortValue(ofRow: index, $0, in: order) }
            index += 1
            return true
        }
        guard index == ids.count else { throw StoreError.damagedOrder }
        return rows
    }

    /// Returns the users with `keys`, in that sequence, and the values that `order` sorts by. Texts are in `text`.
    func users(
        _ keys: [(key: SortKey, text: ByteSlice)], _ text: UnsafeRawBufferPointer, in order: IndexedOrder,
        of directory: ShownDirectory
    ) throws -> UserRows {
        var rows = try users(keys.map(\.key.id), of: directory)
        for (index, key) in keys.enumerated() {
            let value = order.isText ? OrderKeys.Key.text(text[key.text]) : .number(key.key.number)
            try rows.setSortValue(ofRow: index, value, in: order)
        }
        return rows
    }

    private func users(_ ids: [Int64], of directory: ShownDirectory) throws -> UserRows {
        var rows = UserRows()
        rows.rows.reserveCapacity(ids.count)
        rows.text.reserveCapacity(ids.count * 256)
        try connection.forEachRow(.users, of: ids, in: directory.id) { _, row in
            try rows.append(row, hiding: directory.hidden, scratch)
            return true
        }
        // The indexes have no other ids.
        guard rows.rows.count == ids.count else { throw StoreError.damagedOrder }
        return rows
    }
}

extension UserRows {
    /// The greatest number of text bytes of a page. The offset of more would not fit a ``ByteSlice``.
    private static let maxTextBytes = 1 << 30

    /// Appends the user in the current row of `statement`, which has ``UserRowReader/columns``, without `hidden`
    /// columns.
    ///
    /// Every response is made of these rows, so bytes that are not UTF-8 are replaced here.
    mutating func append(_ statement: any StoreRow, hiding hidden: HiddenColumns?, _ scratch: ByteBuffer) throws {
        guard text.count < Self.maxTextBytes else { throw StoreError.damage("a page has more than 1 GiB of text") }
        var columns = statement.userColumns(after: UserRowReader.idColumn)
        guard columns.id > 0 else { throw StoreError.damage("the id of a user", columns.id, outside: 1...(.max)) }
        var picture = PictureKey(statement.number(1))
        // 0: the person objects to a picture, in every mode.
        if !statement.isNull(1), picture == nil { columns.removePhoto() }
        var row: UserRow
        if let hidden {
            if hidden.roles.contains(.photo) { picture = nil }
            let more = ByteBuffer(capacity: columns.more.count)
            columns.remove(photo: hidden.roles.contains(.photo), membersWhere: hidden.has(column:), restIn: more)
            row = withExtendedLifetime(more) { UserRow(keep(columns, scratch)) }
        } else {
            row = UserRow(keep(columns, scratch))
        }
        row.picture = picture
        row.hasOwnPicture = statement.number(0) != 0
        row.isNoIndex = statement.userFlags(after: UserRowReader.idColumn).contains(.noIndex)
        rows.append(row)
    }

    /// Sets the value that a row is sorted by, which is that of a key with `number` and `text`.
    ///
    /// Cursors need the value to name a position in the order, so a login that is not UTF-8 is an error here.
    mutating func setSortValue(ofRow index: Int, _ key: OrderKeys.Key, in order: IndexedOrder) throws {
        switch (order.kind, key) {
        case (.id, _): break
        case (.number, .number(let number)): rows[index].sortNumber = order.number(number)
        case (.text, .text(let text)):
            try order.withText(text) { text in
                // Collation keys are no text.
                guard order.position != nil || text.isUTF8 else { throw StoreError.damagedOrder }
                rows[index].sortText = keep(text)
            }
        default: throw StoreError.damagedOrder
        }
    }

    /// Keeps the text of `columns`, with U+FFFD for bytes that are not UTF-8.
    private mutating func keep(
        _ columns: UserColumns<UnsafeRawBufferPointer>, _ scratch: ByteBuffer
    ) -> UserColumns<ByteSlice> {
        // One check and one append for all texts take a third of the time of one for each.
        scratch.removeAll()
        let start = text.count
        let kept = columns.map { bytes in
            let slice = ByteSlice(offset: start + scratch.count, count: bytes.count)
            scratch.append(bytes)
            // So that the end of one text and the start of the next never make a character.
            scratch.append(UInt8(ascii: "\n"))
            return slice
        }
        guard scratch.bytes.isUTF8 else { return columns.map { keep(textOf: $0) } }
        text.append(contentsOf: scratch.bytes)
        return kept
    }

    /// Keeps the text in `bytes`, with U+FFFD for bytes that are not UTF-8.
    private mutating func keep(textOf bytes: UnsafeRawBufferPointer) -> ByteSlice {
        if bytes.isUTF8 { return keep(bytes) }
        return Array(String(decoding: bytes, as: UTF8.self).utf8).withUnsafeBytes { keep($0) }
    }
}
