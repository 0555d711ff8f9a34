import Bytes
import Directories

/// Reads the rows of users that pages show.
struct UserRowReader {
    private let connection: Connection

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// The columns of `user` that a page takes.
    static let columns = "id, reputation, login, name, avatarURL, htmlURL, type, more"

    /// Appends the user with `id`. Returns `false` if there is none. `sortText` is the text that the page is sorted by.
    func append(
        _ id: Int64, sortText: UnsafeRawBufferPointer? = nil, to rows: inout UserRows, of directory: Int64
    ) throws -> Bool {
        let statement = try connection.statement(
            .user(of: directory), "SELECT \(Self.columns) FROM user\(directory) WHERE id = ?")
        statement.bind(id, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return false }
        try rows.append(statement, sortText: sortText)
        return true
    }

    /// Appends up to `limit` users in the order of ids, which is the order of the table. Returns whether there are
    /// more.
    func append(
        _ limit: Int, on scan: IndexScan, from id: Int64?, to rows: inout UserRows, of directory: Int64
    ) throws -> Bool {
        let statement = try connection.statement(
            .users(scan, isSeeking: id != nil, of: directory),
            Self.users(on: scan, isSeeking: id != nil, of: directory))
        defer { statement.reset() }
        statement.bind(Int64(limit + 1), at: 1)
        if let id { statement.bind(id, at: 2) }
        while try statement.step() {
            if rows.rows.count == limit { return true }
            try rows.append(statement, sortText: nil)
        }
        return false
    }

    /// The statement that reads users in the order of ids. Parameters: the limit, and the id that the users come after.
    static func users(on scan: IndexScan, isSeeking: Bool, of directory: Int64) -> String {
        let (comparison, direction) = scan.isDescending ? ("<", " DESC") : (">", "")
        let condition = isSeeking ? "WHERE id \(comparison) ?2 " : ""
        return "SELECT \(columns) FROM user\(directory) \(condition)ORDER BY id\(direction) LIMIT ?1"
    }

    /// Returns the users with `ids`, in that order, and the texts that the order by `key` compares.
    func users(_ ids: [Int64], by key: Sort.Key, of directory: Int64) throws -> UserRows {
        let statement = try connection.statement(
            """
            SELECT \(Self.columns), (SELECT text FROM userText\(directory) WHERE id = ?1)
            FROM user\(directory) WHERE id = ?1
            """)
        var rows = UserRows()
        for id in ids {
            statement.bind(id, at: 1)
            defer { statement.reset() }
            // The indexes have no other ids.
            guard try statement.step() else { throw StoreError.damagedOrder }
            let text = SearchedText(statement.bytes(8))
            try rows.append(statement, sortText: key.isText ? text.key(key) : nil)
        }
        return rows
    }
}

extension UserRows {
    /// The greatest number of text bytes of a page. The offset of more would not fit a ``ByteSlice``.
    private static let maxTextBytes = 1 << 30

    /// Appends the user in the current row of `statement`, which has ``UserRowReader/columns``, and the text sorted by.
    ///
    /// Every response is made of these rows, so bytes that are not UTF-8 are replaced here. The text sorted by is for
    /// cursors, which have to name a place in the order: there such bytes are damage.
    mutating func append(_ statement: Statement, sortText: UnsafeRawBufferPointer?) throws {
        guard text.count < Self.maxTextBytes else { throw StoreError.damage("a page has more than 1 GiB of text") }
        guard sortText?.isUTF8 != false else { throw StoreError.damagedOrder }
        let reputation = statement.number(1)
        rows.append(
            UserRow(
                id: try statement.number(0, "the id of a user", in: 1...(.max)),
                reputation: reputation == Schema.noReputation ? nil : reputation,
                login: keep(textOf: statement.bytes(2)), name: keep(textOf: statement.bytes(3)),
                avatarURL: keep(textOf: statement.bytes(4)), htmlURL: keep(textOf: statement.bytes(5)),
                type: keep(textOf: statement.bytes(6)), more: keep(textOf: statement.bytes(7)),
                sortText: sortText.map { keep($0) } ?? .empty))
    }

    /// Keeps the text in `bytes`, with U+FFFD for bytes that are not UTF-8.
    private mutating func keep(textOf bytes: UnsafeRawBufferPointer) -> ByteSlice {
        if bytes.isUTF8 { return keep(bytes) }
        return Array(String(decoding: bytes, as: UTF8.self).utf8).withUnsafeBytes { keep($0) }
    }
}
