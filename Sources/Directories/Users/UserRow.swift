import Bytes

/// One user of a page, as slices of the text in ``UserRows/text``.
public struct UserRow: Sendable {
    public var id: Int64
    public var reputation: Int64?
    public var login: Slice
    /// Empty if absent, like the following.
    public var name: Slice
    public var avatarURL: Slice
    public var htmlURL: Slice
    public var type: Slice
    /// The text of a JSON object.
    public var more: Slice
    /// The value this row is sorted by in the order it was read in (see ``Cursor``): a folded login or name. Empty
    /// in the orders by id and by reputation, whose sort value is a number.
    public var sortText: Slice

    public init(
        id: Int64, reputation: Int64?, login: Slice, name: Slice, avatarURL: Slice, htmlURL: Slice, type: Slice,
        more: Slice, sortText: Slice
    ) {
        self.id = id
        self.reputation = reputation
        self.login = login
        self.name = name
        self.avatarURL = avatarURL
        self.htmlURL = htmlURL
        self.type = type
        self.more = more
        self.sortText = sortText
    }
}
