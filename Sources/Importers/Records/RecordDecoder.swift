import Base
import People
import Publishing

/// Decodes users from the records of GitHub, Stack Exchange, Rick and Morty, all-contributors, Rollcall's own export,
/// or any CSV file.
///
/// The result depends on the record alone. The decoder only reuses memory and caches the mappings of keys.
public struct RecordDecoder {
    private var keys: KnownKeys
    private var record: ImportRecord
    /// The header of the last row, and what its columns mean.
    private var columns: (header: CSVHeader, columns: [(key: ByteSlice, meaning: ColumnMapping)])?
    /// The number of records so far, including rejected ones, but not those of hidden people: gaps between the others'
    /// places would tell of them.
    private var count: Int64 = 0
    private var hiddenCount: Int64 = 0

    public init(names: ColumnNames = ColumnNames()) { self.init(names: names, photos: nil) }

    /// Creates a decoder that looks for photos in a folder.
    init(names: ColumnNames, photos: PhotoFolder?) {
        keys = KnownKeys(names: names)
        record = ImportRecord(names: names, photos: photos)
    }

    /// Whether people who have left are decoded, so that they can be found and removed.
    var decodesLeavers = false

    /// Appends the user that `record` describes.
    mutating func append(_ record: RawRecord, to batch: UserBatch) throws(RecordError) -> DecodedRecord {
        switch record {
        case .row(let cells, let header, _): return try append(header: header, cells: cells, to: batch)
        case .object(let text, let uid): return try append(json: text, uid: uid, to: batch)
        }
    }

    /// Appends the user that the JSON object `text` describes.
    ///
    /// - Parameter uid: A text that identifies the user unless the settings name a key, such as the UID of a vCard.
    public mutating func append(
        json text: UnsafeRawBufferPointer, uid: String = "", to batch: UserBatch
    ) throws(RecordError) -> DecodedRecord {
        record.removeAll()
        record.uid = uid
        keys.startRecord()
        // Counted as they come, because equal names become one member.
        var count = 0
        do {
            try JSON.forEachMember(of: text) { key, value in
                count += 1
                if count > RecordLimits.members { throw RecordError("expected at most 10,000 members, found more") }
                let known = keys.meaning(of: key.raw) { key.text }
                record.append(key: key.raw, known, value: .json(value))
            }
        } catch { throw RecordError("\(error)") }
        return try appendRecord(to: batch)
    }

    private mutating func append(
        header: CSVHeader, cells: [UnsafeRawBufferPointer], to batch: UserBatch
    ) throws(RecordError) -> DecodedRecord {
        record.removeAll()
        for (column, cell) in zip(columns(of: header), cells) {
            record.append(
                key: header.text.bytes[column.key], meaning: column.meaning,
                value: .cell(header.isGuarded ? cell.withoutFormulaGuard : cell))
        }
        return try appendRecord(to: batch)
    }

    private mutating func columns(of header: CSVHeader) -> [(key: ByteSlice, meaning: ColumnMapping)] {
        if let known = columns, known.header === header { return known.columns }
        let found = zip(header.keys, header.titles).map { (key: $0, meaning: record.names.meaning(of: $1)) }
        columns = (header, found)
        return found
    }

    private mutating func appendRecord(to batch: UserBatch) throws(RecordError) -> DecodedRecord {
        if let rule = record.leaveOutRule {
            let start = batch.buffer.count
            do {
                if decodesLeavers { _ = try record.append(at: count + 1, or: -(hiddenCount + 1), to: batch) }
            } catch { batch.buffer.truncate(to: start) }
            return DecodedRecord(generated: [], leaver: rule)
        }
        defer { if record.isHidden { hiddenCount += 1 } else { count += 1 } }
        let generated = try record.append(at: count + 1, or: -(hiddenCount + 1), to: batch)
        return DecodedRecord(generated: generated, losses: record.losses, photo: record.photo)
    }
}

/// Facts about a record that was decoded.
public struct DecodedRecord {
    /// The names that the record lacks.
    public var generated: GeneratedNames
    /// The losses of the record.
    var losses: [ImportLosses.Loss] = []
    /// The rule by which the person is not listed.
    var leaver: LeaveOutRule?
    /// The person's photo in the folder of photos.
    var photo: [String]?

    /// Whether the id was generated because the record has none.
    public var isIDMade: Bool { generated.contains(.id) }
}

/// The meaning of a member of a record, or of a column of a file.
struct ColumnMapping: Equatable {
    /// The field of ``User`` that the column fills; `nil` for a member of `more`.
    var role: Role?
    /// The preference among several members for one field: the least rank wins.
    var rank: Int8 = 0
    /// Names that tell the source of the record.
    var marks: Marks = []
    /// Whether the column is not stored.
    var isLeftOut = false
    /// Whether readers see the column. Messages quote the values of no others.
    var isPublic = false
    /// The values of the column that are withheld although the column is not.
    var withheldValues = WithheldValues.none
    /// Whether the column has accounts or numbers of persons, and is not stored.
    var isAccount = false
    /// The index in ``ColumnNames/leaveOut`` of the rules about a column that says who has left; -1 for others.
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
        case none
        /// E-mail addresses, and links that write to one or call a number.
        case addresses
        /// Texts that have one of these, or an international phone number.
        case textsWithAddresses
        /// Whatever does not look like a person's name: addresses, numbers and accounts of others.
        case allButNames
    }

    enum Role: Int, CaseIterable {
        case id, login, name, avatarURL, firstName, lastName
        /// Whether the column holds the handles in an export of this directory.
        case handle
        case hidden, noindex

        /// Whether the column decides how the person is published (`hidden`, `noindex`). Its text is kept like that of
        /// other columns.
        var isMark: Bool { self == .hidden || self == .noindex }
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
        private static let layouts: [(marks: Marks, layout: SourceLayout)] = [
            (ownExport.union(rickAndMorty), .ownExport(.rickAndMorty)),
            (ownExport.union(lastAccess), .ownExport(.stackExchange)), (ownExport, .ownExport(.rollcall)),
            (stackExchange, .service(.stackExchange)),
            (gitHub.union(contributions), .service(.gitHubContributors)), (gitHub, .service(.gitHub)),
            (rickAndMorty, .service(.rickAndMorty)), (allContributors, .service(.allContributors)),
        ]

        /// What the source of records with these marks is; `nil` if they do not tell it.
        var layout: SourceLayout? { Self.layouts.first { isSuperset(of: $0.marks) }?.layout }
    }
}
