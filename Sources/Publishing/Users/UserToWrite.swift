import Base
import People

/// A user of a ``UserBatch``, to be written into a directory. Its text is in ``UserBatch/buffer``; slices are empty for
/// absent values.
public struct UserToWrite: HasUserColumns, Sendable {
    public var columns: UserColumns<ByteSlice>
    /// The ``SearchedText``.
    public var text: ByteSlice = .empty
    /// Its folded login and name; empty if these are equal to their loose forms.
    public var exact: ByteSlice = .empty
    /// See ``SearchedText/hasVariants``.
    public var hasVariants = false
    /// The folded login, generated or not.
    public var foldedLogin: ByteSlice = .empty
    /// The loose login by which the user is sorted: a part of `text`, unless it is generated.
    public var loginKey: ByteSlice = .empty
    /// If `id` is 0, the store finds the user by this text and keeps only its keyed hash: the folded values of the
    /// key columns, the login, or the name (``ByteBuffer/append(identityOf:_:)``). A new user gets the next free
    /// id. If `id` is not 0, whoever was found by this text so far is this user.
    public var identity: ByteSlice = .empty
    /// The value that distinguishes the user from others with the same ``identity``, if that is a name. The name
    /// distinguishes users with the same key.
    public var apart: ByteSlice = .empty
    /// Further texts that identify the same person, each after a varint with its length: whoever was found by one
    /// of them so far is this user, unless an earlier record of the import is that person.
    public var furtherIdentities: ByteSlice = .empty
    /// The handle in the column `rollcall` of an export, by which the store finds the user before it looks at `id`
    /// and `identity`; empty without one.
    public var handle: ByteSlice = .empty
    /// ``UserFlags/hidden`` and ``UserFlags/noIndex``.
    public var marks: UserFlags = []
    public var fate = Fate.written
    /// The number of the record in its file, from 1. Hidden people count apart from the others, from -1 down.
    public var place: Int64 = 0
    /// The values of the settings' filters: for each one its index in ``ShownSettings/filters``, its length, both
    /// as varints, and its text.
    public var filters: ByteSlice = .empty
    /// The keys of the orders by name and of the settings, and that of a generated login: see ``OrderKeys``.
    public var keys: ByteSlice = .empty

    /// The outcome for a person.
    public enum Fate: Sendable {
        /// They are added or changed.
        case written
        /// They stay as they are, or are not added: the row is hidden in its sheet.
        case leftOut
        /// They are removed, or not added, because they have left.
        case gone
    }

    public var isHidden: Bool { marks.contains(.hidden) }
    public var isLeftOut: Bool { fate != .written }
    /// Whether readers will see the person.
    public var isShown: Bool { !isHidden && !isLeftOut }

    public init(_ columns: UserColumns<ByteSlice>) { self.columns = columns }

    /// Whether the store has to find the id, make the handle, or complete the values.
    var isUnresolved: Bool {
        self.id == 0 || self.login.isEmpty || !identity.isEmpty || !handle.isEmpty || isHidden
    }

    public var flags: UserFlags { UserFlags(rawValue: self.generated.rawValue).union(marks) }
}

/// The flags of a user, in the column `flags`, which lacks ``hidden``: hidden people have a table of their own.
public struct UserFlags: OptionSet, Sendable {
    public let rawValue: UInt8

    public static let generatedID = UserFlags(rawValue: 1)
    public static let generatedLogin = UserFlags(rawValue: 2)
    public static let noIndex = UserFlags(rawValue: 4)
    /// The last complete import did not find the user: see ``PruningRule/missingTwice``. An import that finds the user
    /// again writes the row without it.
    public static let missing = UserFlags(rawValue: 8)
    /// The person is in the source and on no page.
    public static let hidden = UserFlags(rawValue: 16)
    /// By the role of the column that sets them.
    public static let marks: [FieldRole: UserFlags] = [.hidden: .hidden, .noindex: .noIndex]

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public init(stored: Int64) { rawValue = UInt8(truncatingIfNeeded: stored) }

    public var generated: GeneratedNames {
        GeneratedNames(rawValue: intersection([.generatedID, .generatedLogin]).rawValue)
    }
}
