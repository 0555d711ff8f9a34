import Base

/// A value of a ``Field``.
public enum FieldValue: Equatable, Sendable {
    case text(String)
    /// At least one element.
    case list([String])
    case number(Double)
    /// A day, in days since 1970-01-01.
    case date(days: Int)
    /// An absolute http, https, mailto or tel URL, and the text to show.
    case link(url: String, text: String)
    case boolean(Bool)
}

/// The values of one user that fields are read from. Valid for as long as those bytes.
public struct FieldRecord {
    public var id: Int64
    public var reputation: Int64?
    public var login: UnsafeRawBufferPointer
    public var name: UnsafeRawBufferPointer
    public var avatarURL: UnsafeRawBufferPointer
    public var htmlURL: UnsafeRawBufferPointer
    public var type: UnsafeRawBufferPointer
    /// The JSON object with the columns of the source that are not columns of a user: its keys are the headings.
    public var more: UnsafeRawBufferPointer

    public init(
        id: Int64, reputation: Int64?, login: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer,
        avatarURL: UnsafeRawBufferPointer, htmlURL: UnsafeRawBufferPointer, type: UnsafeRawBufferPointer,
        more: UnsafeRawBufferPointer
    ) {
        self.id = id
        self.reputation = reputation
        self.login = login
        self.name = name
        self.avatarURL = avatarURL
        self.htmlURL = htmlURL
        self.type = type
        self.more = more
    }
}

extension FieldRecord {
    /// The columns of a user on a page, whose text is in `text`.
    public init(_ row: UserRow, _ text: UnsafeRawBufferPointer) {
        self.init(
            id: row.id, reputation: row.reputation, login: text[row.login], name: text[row.name],
            avatarURL: text[row.avatarURL], htmlURL: text[row.htmlURL], type: text[row.type], more: text[row.more])
    }

    /// The columns of a user in a batch, whose text is in `text`.
    public init(_ user: UserBatch.Entry, _ text: UnsafeRawBufferPointer) {
        self.init(
            id: user.id, reputation: user.reputation == UserBatch.noReputation ? nil : user.reputation,
            login: text[user.login], name: text[user.name], avatarURL: text[user.avatarURL],
            htmlURL: text[user.htmlURL], type: text[user.type], more: text[user.more])
    }
}
