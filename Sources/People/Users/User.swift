import Base

/// A user of a directory.
///
/// ```swift
/// let ada = User(id: 1, login: "ada", name: "Ada Lovelace", more: #"{"title": "Mathematician"}"#)
/// ```
public struct User: Equatable, Sendable {
    /// Positive, and unique in its directory.
    public var id: Int64
    /// The handle; never empty.
    public var login: String
    public var name: String?
    public var avatarURL: String?
    /// The remaining data of the source: the text of one JSON object, with its members unchanged, or `nil`.
    public var more: String?
    public var generated: GeneratedNames = []

    public init(
        id: Int64, login: String, name: String? = nil, avatarURL: String? = nil, more: String? = nil,
        generated: GeneratedNames = []
    ) {
        self.id = id
        self.login = login
        self.name = name
        self.avatarURL = avatarURL
        self.more = more
        self.generated = generated
    }

    public init(_ columns: UserColumns<UnsafeRawBufferPointer>) {
        let texts = columns.map { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
        self.init(
            id: texts.id, login: texts.login ?? "", name: texts.name, avatarURL: texts.avatarURL, more: texts.more,
            generated: texts.generated)
    }

    public var columns: UserColumns<String?> {
        UserColumns(id: id, login: login, name: name, avatarURL: avatarURL, more: more, generated: generated)
    }
}

/// The columns that every user has, in files, stores and pages.
///
/// `Text` says where the text is: in a buffer (`ByteSlice`), in memory borrowed for a call (`UnsafeRawBufferPointer`),
/// or in strings of its own (`String?`). An absent value is empty, or `nil`.
public struct UserColumns<Text> {
    /// Positive, and unique in its directory; 0 in a batch until the store has found it.
    public var id: Int64
    public var login: Text
    public var name: Text
    /// An http or https URL, or the path of a face below the home page: see ``DrawnPicture``.
    public var avatarURL: Text
    /// A JSON object with the columns of the source that are not columns of every user: its keys are the headings.
    public var more: Text
    public var generated: GeneratedNames

    @inlinable
    public init(
        id: Int64, login: Text, name: Text, avatarURL: Text, more: Text, generated: GeneratedNames = []
    ) {
        self.id = id
        self.login = login
        self.name = name
        self.avatarURL = avatarURL
        self.more = more
        self.generated = generated
    }

    /// The text of a role that is one of these columns.
    public func text(of role: FieldRole) -> Text? {
        switch role {
        case .login: login
        case .name: name
        case .photo: avatarURL
        default: nil
        }
    }

    /// Takes the value of `other` for a role that is one of these columns, but for the id.
    public mutating func take(_ role: FieldRole, of other: Self) {
        switch role {
        case .login: login = other.login
        case .name: name = other.name
        case .photo: avatarURL = other.avatarURL
        default: break
        }
    }

    /// Returns the columns with their text elsewhere.
    @inlinable @inline(__always)
    public func map<Other>(_ transform: (Text) throws -> Other) rethrows -> UserColumns<Other> {
        UserColumns<Other>(
            id: id, login: try transform(login), name: try transform(name), avatarURL: try transform(avatarURL),
            more: try transform(more), generated: generated)
    }
}

extension UserColumns: Sendable where Text: Sendable {}

extension UserColumns<ByteSlice> {
    /// Returns the columns of a user whose text is in `text`.
    @inlinable
    public func bytes(in text: UnsafeRawBufferPointer) -> UserColumns<UnsafeRawBufferPointer> { map { text[$0] } }
}

extension UserColumns<UnsafeRawBufferPointer> {
    public mutating func removePhoto() { avatarURL = .empty }

    /// Whether there is a value of a role that is one of these columns.
    public func has(_ role: FieldRole) -> Bool { text(of: role)?.isEmpty == false }

    public func hasSameValues(as other: Self) -> Bool {
        login.equals(other.login) && name.equals(other.name) && avatarURL.equals(other.avatarURL)
            && more.equals(other.more)
    }
}

/// A value that has the columns of a user: `user.login` is `user.columns.login`, and costs nothing. Inside a conforming
/// type, write `self.login`. Write `users.map { $0.id }`: the key path `\.id` looks the member up for each user.
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

/// The names of a user that Rollcall made because the source has none. No page shows them.
public struct GeneratedNames: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let id = GeneratedNames(rawValue: 1)
    public static let login = GeneratedNames(rawValue: 2)
}

/// The kind of value that identifies a person without an id in the source. Equal values of different kinds are
/// different identities.
public enum IdentityKind: UInt8, Sendable {
    /// An address in the history of a repository. A person may have several.
    case address = 0x61
    /// The id that the source gives, for people who are hidden.
    case id = 0x69
    /// The values of the key columns.
    case key = 0x6B
    /// The login, of people without an id and a key.
    case login = 0x6C
    /// The name, of people without a value in the key columns, or in files without a key.
    case name = 0x6E
}

extension ByteBuffer {
    /// Appends the text that identifies a person by `values`, for ``UserToWrite/identity``. Ignores case and white
    /// space around values. The values must not be in this buffer.
    public func append(identityOf kind: IdentityKind, _ values: some Sequence<UnsafeRawBufferPointer>) -> ByteSlice {
        let start = count
        append(kind.rawValue)
        let scratch = ByteBuffer(capacity: 256)
        for value in values {
            scratch.removeAll()
            let folded = scratch.append(folding: value.trimmedText)
            // The length keeps "a", "bc" and "ab", "c" apart.
            append(counted: scratch.bytes[folded])
        }
        return ByteSlice(offset: start, count: count - start)
    }
}
