/// The meaning of a member of a record, or of a column of a file.
struct ColumnMapping: Equatable {
    /// The field of ``User``; `nil` for a member of `more`.
    var role: FieldRole?
    /// The preference among several members for one field: the least rank wins.
    var rank: Int = 0
    /// Names that tell the source of the record.
    var marks: Marks = []

    enum FieldRole: Int, CaseIterable {
        case id, login, name, avatarURL, htmlURL, type, reputation, firstName, lastName, email
    }

    /// Exact names that identify the source of a record.
    struct Marks: OptionSet {
        var rawValue: UInt16

        /// All seven columns: every record of Rollcall's own export has them, null or not.
        static let ownExport = Marks(rawValue: 0x7F)
        static let userID = Marks(rawValue: 1 << 7)
        static let displayName = Marks(rawValue: 1 << 8)
        static let species = Marks(rawValue: 1 << 9)
        static let status = Marks(rawValue: 1 << 10)
        static let lastAccess = Marks(rawValue: 1 << 11)
        static let stackExchange: Marks = [.userID, .displayName]
        static let rickAndMorty: Marks = [.species, .status]

        static func own(_ role: FieldRole) -> Marks { Marks(rawValue: 1 << UInt16(role.rawValue)) }
        static let htmlURL = own(.htmlURL)
    }
}
