/// A position in an order, just after or just before the user it names.
///
/// It contains the user's sort value and id, so it stays valid even when that user is gone, and a page costs the same
/// at any depth (keyset pagination).
public enum Cursor: Hashable, Sendable {
    /// In the order by id only.
    case id(Int64)
    /// In the orders by login and name: the folded text and the id.
    case text(String, id: Int64)
    /// In the order by reputation. No reputation (`nil`) is less than any other.
    case number(Int64?, id: Int64)

    public var id: Int64 {
        switch self {
        case .id(let id), .text(_, let id), .number(_, let id): id
        }
    }
}
