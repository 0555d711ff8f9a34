import Base

/// The columns that every user has, in files, stores and pages.
///
/// `Text` says where the text is: slices of a buffer (`ByteSlice`), or bytes that are borrowed for a call
/// (`UnsafeRawBufferPointer`). The text of an absent value is empty.
public struct UserColumns<Text> {
    /// Positive, and unique in its directory.
    public var id: Int64
    public var reputation: Int64?
    public var login: Text
    public var name: Text
    /// An http or https URL, or the path of a face below the home page: see ``DrawnPicture``.
    public var avatarURL: Text
    public var htmlURL: Text
    public var type: Text
    /// A JSON object with the columns of the source that are not columns of every user: its keys are the headings.
    public var more: Text

    @inlinable
    public init(
        id: Int64, reputation: Int64? = nil, login: Text, name: Text, avatarURL: Text, htmlURL: Text, type: Text,
        more: Text
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

    /// The texts that come between ``id`` and ``reputation`` in an export.
    public var texts: [Text] { [login, name, avatarURL, htmlURL, type] }

    /// The text of a role that is one of these columns.
    public func text(of role: FieldRole) -> Text? {
        switch role {
        case .login: login
        case .name: name
        case .photo: avatarURL
        case .website: htmlURL
        case .type: type
        default: nil
        }
    }

    /// Returns the columns with their text elsewhere.
    @inlinable @inline(__always)
    public func map<Other>(_ transform: (Text) throws -> Other) rethrows -> UserColumns<Other> {
        UserColumns<Other>(
            id: id, reputation: reputation, login: try transform(login), name: try transform(name),
            avatarURL: try transform(avatarURL), htmlURL: try transform(htmlURL), type: try transform(type),
            more: try transform(more))
    }
}

extension UserColumns: Sendable where Text: Sendable {}

extension UserColumns<ByteSlice> {
    /// A user of whom nothing but the number is known.
    public init(id: Int64) {
        self.init(
            id: id, login: .empty, name: .empty, avatarURL: .empty, htmlURL: .empty, type: .empty, more: .empty)
    }

    /// Returns the columns of a user whose text is in `text`.
    @inlinable
    public func bytes(in text: UnsafeRawBufferPointer) -> UserColumns<UnsafeRawBufferPointer> { map { text[$0] } }
}

extension UserColumns<UnsafeRawBufferPointer> {
    /// Removes the value of a role that is one of these columns. Nobody is without a login or a name.
    public mutating func remove(_ role: FieldRole) {
        switch role {
        case .photo: avatarURL = UnsafeRawBufferPointer(start: nil, count: 0)
        case .website: htmlURL = UnsafeRawBufferPointer(start: nil, count: 0)
        case .reputation: reputation = nil
        case .type:
            let ordinary: StaticString = "User"
            type = UnsafeRawBufferPointer(start: ordinary.utf8Start, count: ordinary.utf8CodeUnitCount)
        default: break
        }
    }

    /// Whether all values but the id are the same.
    public func hasSameValues(as other: Self) -> Bool {
        reputation == other.reputation && login.equals(other.login) && name.equals(other.name)
            && avatarURL.equals(other.avatarURL) && htmlURL.equals(other.htmlURL) && type.equals(other.type)
            && more.equals(other.more)
    }
}

/// Something that is kept of a user together with the columns: `user.login` is `user.columns.login`, at no cost. A key
/// path is not: write `users.map { $0.id }` and not `users.map(\.id)`, which looks the member up for each user.
@dynamicMemberLookup
public protocol HasUserColumns {
    var columns: UserColumns<ByteSlice> { get set }
}

extension HasUserColumns {
    @inlinable @inline(__always)
    public subscript<Value>(dynamicMember member: WritableKeyPath<UserColumns<ByteSlice>, Value>) -> Value {
        get { columns[keyPath: member] }
        set { columns[keyPath: member] = newValue }
    }
}
