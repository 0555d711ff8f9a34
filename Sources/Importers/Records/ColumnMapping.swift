import People
import Publishing

/// The meaning of a member of a record, or of a column of a file.
struct ColumnMapping: Equatable {
    /// The field of ``User`` that the column fills; `nil` for a member of `more`.
    var role: Role?
    /// Whether the settings do not name the column: it has the role because the members of the source's records are
    /// known, and one that the settings name comes first.
    var isKnown = false
    /// Names that tell the source of the record.
    var marks: Marks = []
    /// Whether readers see the column. Messages quote the values of no others.
    var isPublic = false
    /// Whether the column is not stored.
    var isLeftOut = true
    /// The values of the column that are withheld although the column is not; `nil` if there are none. A column that is
    /// not stored has none.
    var withheldValues: WithheldValues?
    /// Whether the column has accounts or numbers of persons, and is not stored.
    var isAccount = false
    /// The index in ``ColumnNames/leaveOut`` of the first rule about a column that says who has left; -1 for others.
    var leaveOut: Int16 = -1
    /// How the column's texts become links; `nil` if they do not.
    var link: LinkStyle?
    /// The index in ``ColumnNames/parts`` of a column that a template reads; -1 for others.
    var part: Int16 = -1
    /// Whether that template is the name's or the login's.
    var isPartOfName = false
    /// The index in ``ColumnNames/keys`` of a column that identifies people, or tells those of one name apart; -1 for
    /// others.
    var keyPart: Int16 = -1

    enum WithheldValues {
        /// E-mail addresses, and links that write to one or call a number.
        case addresses
        /// Texts that have one of these, or an international phone number.
        case textsWithAddresses
        /// Whatever does not look like a person's name: addresses, numbers and accounts of others.
        case allButNames

        func contains(_ value: RecordValue) -> Bool { value.isScalar && value.withText(contains) }

        private func contains(_ text: UnsafeRawBufferPointer) -> Bool {
            switch self {
            case .addresses: return PersonalValue.isAddress(text.trimmedText)
            case .textsWithAddresses: return PersonalValue.hasAddress(text)
            case .allButNames:
                let text = text.trimmedText
                // Whether somebody is a manager is nobody else's name.
                return !text.isEmpty && !PersonName.isOfPerson(text)
                    && (FieldBoolean.read(text) == nil || !PersonName.isPossible(text))
            }
        }
    }

    enum Role: Int, CaseIterable {
        case id, login, name, avatarURL
        /// Whether the column holds the handles in an export of this directory.
        case handle
        case hidden, noindex

        private static let marks = FieldRole.allCases.filter(\.isMark).compactMap(\.columnOfUser)
        /// Whether the column decides how the person is published. Its text is kept like that of other columns.
        var isMark: Bool { Self.marks.contains(self) }
    }

    /// Exact names that identify the source of a record.
    struct Marks: OptionSet {
        var rawValue: UInt32

        /// All columns: every record of Rollcall's own export has them, null or not.
        static let ownExport = FieldRole.exportedFields.indices.reduce(columns) { $0.union(.field($1)) }
        /// The columns of ``User``.
        static let columns = Marks(rawValue: 0xF)
        static let userID = Marks(rawValue: 1 << 7)
        static let displayName = Marks(rawValue: 1 << 8)
        static let species = Marks(rawValue: 1 << 9)
        static let status = Marks(rawValue: 1 << 10)
        static let lastAccess = Marks(rawValue: 1 << 11)
        static let gravatarID = Marks(rawValue: 1 << 12)
        static let contributions = Marks(rawValue: 1 << 13)
        /// The value of `contributions` is an array.
        static let contributionList = Marks(rawValue: 1 << 14)
        /// Any other name, as in a publisher's own records.
        static let other = Marks(rawValue: 1 << 15)
        /// The record is from an export with private columns, unlike the beginning of the file.
        static let unexpectedPrivate = Marks(rawValue: 1 << 16)
        static let stackExchange: Marks = [.userID, .displayName]
        static let rickAndMorty: Marks = [.species, .status]
        static let gitHub: Marks = [.own(.login), .own(.id), .gravatarID]
        /// `profile` may be missing.
        static let allContributors: Marks = [.own(.login), .own(.avatarURL), .contributionList]

        static func own(_ role: Role) -> Marks { Marks(rawValue: 1 << UInt32(role.rawValue)) }
        /// One of ``FieldRole/exportedFields``.
        static func field(_ index: Int) -> Marks { Marks(rawValue: 1 << UInt32(17 + index)) }

        init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Those of all columns of a table.
        init(_ columns: [Marks]) { self = columns.reduce(into: []) { $0.formUnion($1) } }

        /// Adds those of a member, whose value may be a list.
        mutating func note(_ member: Marks, isList: @autoclosure () -> Bool) {
            formUnion(member)
            if member.contains(.contributions), isList() { insert(.contributionList) }
        }

        /// The marks of records, the most telling first, with their layout. An export of ours has the other members of
        /// a service's records.
        private static let layouts: [(marks: Marks, layout: SourceLayout?)] = [
            (ownExport.union(rickAndMorty), .ownExport(.rickAndMorty)),
            (ownExport.union(lastAccess), .ownExport(.stackExchange)), (ownExport, .ownExport(.rollcall)),
            (stackExchange, .service(.stackExchange)),
            (gitHub.union(contributions), .service(.gitHubContributors)), (gitHub, .service(.gitHub)),
            (rickAndMorty, .service(.rickAndMorty)),
            // Contributors have no other members: these may hold what a publisher's own list withholds.
            (allContributors.union(.other), nil), (allContributors, .service(.allContributors)),
        ]

        /// What the source of records with these marks is; `nil` if they do not tell it.
        var layout: SourceLayout? { Self.layouts.first { isSuperset(of: $0.marks) }?.layout }
    }
}
