import Base

/// The users of a page: the text of all of them in one array of bytes (UTF-8), and slices of it.
///
/// This takes two allocations for a page of thirty users; strings would take two hundred.
public struct UserRows: Sendable {
    public var text: [UInt8] = []
    public var rows: [UserRow] = []
    /// The hash of the ``CollationStamp`` of the rows' sort keys.
    public var collation: UInt32 = 0

    public init() {}

    /// Appends a copy of `bytes` and returns its slice.
    public mutating func keep(_ bytes: UnsafeRawBufferPointer) -> ByteSlice {
        let slice = ByteSlice(offset: text.count, count: bytes.count)
        text.append(contentsOf: bytes)
        return slice
    }

    public subscript(slice: ByteSlice) -> String {
        String(decoding: text[slice.range], as: UTF8.self)
    }

    /// Returns row `index` as a ``User``.
    public func user(_ index: Int) -> User {
        let row = rows[index]
        let optional = { (slice: ByteSlice) in slice.isEmpty ? nil : self[slice] }
        var user = User(
            id: row.id, login: self[row.login], name: optional(row.name), avatarURL: optional(row.avatarURL),
            htmlURL: optional(row.htmlURL), type: self[row.type], reputation: row.reputation, more: optional(row.more))
        user.generated = row.generated
        return user
    }

    public var users: [User] { rows.indices.map(user) }
}
