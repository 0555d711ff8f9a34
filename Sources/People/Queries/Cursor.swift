/// A position in an order, just after or just before the user it names.
///
/// It contains the user's sort value and id, so it stays valid even when that user is gone, and a page costs the same
/// at any depth (keyset pagination).
///
/// ```swift
/// // The page after Ada, who has the id 1, in the order by login.
/// UserQuery(directory: 1, sort: Sort(.login), start: .after(.text("ada", id: 1)), limit: 30)
/// ```
public enum Cursor: Hashable, Sendable {
    /// In the order by id only.
    case id(Int64)
    /// In the order by login: the folded text and the id.
    case text(String, id: Int64)
    /// In other orders by text: the collation key, the hash of its ``CollationStamp``, and the id. If the directory has
    /// another stamp, only the id counts.
    case key([UInt8], stamp: UInt32, id: Int64)
    /// In an order by numbers. Users without one (`nil`) come last in both directions.
    case number(Int64?, id: Int64)
    /// In the order by relevance: the user's relevance, and the cursor in the order of users with the same one.
    indirect case relevance(SearchMatch, Cursor)

    public var id: Int64 {
        switch self {
        case .relevance(_, let cursor): cursor.id
        case .id(let id), .text(_, let id), .number(_, let id), .key(_, _, let id): id
        }
    }

    /// The cursor in the order of users with the same relevance; otherwise this cursor itself.
    public var base: Cursor {
        if case .relevance(_, let cursor) = self { return cursor }
        return self
    }

    /// The relevance of the user, in the order by relevance.
    public var relevance: SearchMatch? {
        if case .relevance(let relevance, _) = self { return relevance }
        return nil
    }
}
