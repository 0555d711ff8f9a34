import Bytes
import Directories
import Exports
import JSON

/// Makes users of records, as GitHub, Stack Exchange, Rick and Morty, all-contributors, Rollcall's own export or somebody's
/// table has them.
///
/// What a record becomes depends on the record alone; the decoder only keeps memory, and what it has learned about keys.
public struct RecordDecoder {
    private var keys: KnownKeys
    private var record = ImportRecord()
    private var hasIgnoredLink = false

    public init(names: ColumnNames = ColumnNames()) {
        keys = KnownKeys(names: names)
    }

    /// Tells of what `--map` names and none of the JSON objects had: a row of a table must have it, a record need not, but
    /// one of all should.
    func noteMissing(to sink: some RecordSink) {
        for name in keys.missing { sink.note("no record has a \"\(NormalizedText.cleaned(name))\", which --map names") }
    }

    /// Appends the user that the JSON object `text` describes.
    public mutating func append(
        json text: UnsafeRawBufferPointer, to batch: UserBatch
    ) throws(RecordError) -> DecodedRecord {
        record.removeAll()
        keys.startRecord()
        do {
            try JSON.forEachMember(of: text) { key, value in
                guard record.members.count < Limits.members else {
                    throw RecordError("expected at most 10,000 members, found more")
                }
                let meaning = keys.meaning(of: key.raw) { key.text }
                record.append(key: key.raw, meaning: meaning, value: .json(value))
            }
        } catch { throw RecordError("\(error)") }
        return try appendRecord(to: batch)
    }

    /// Appends the user that a row of a table describes; `cells` are UTF-8.
    mutating func append(
        header: CSVHeader, cells: [UnsafeRawBufferPointer], to batch: UserBatch
    ) throws(RecordError) -> DecodedRecord {
        record.removeAll()
        for (column, cell) in zip(header.columns, cells) {
            record.append(
                key: header.text.bytes[column.key], meaning: column.meaning,
                value: .cell(header.isOwnExport ? cell.withoutFormulaGuard : cell))
        }
        return try appendRecord(to: batch)
    }

    private mutating func appendRecord(to batch: UserBatch) throws(RecordError) -> DecodedRecord {
        var decoded = DecodedRecord(isIDMade: try record.append(to: batch))
        decoded.ignoredLinks = record.ignoredLinks.count
        if !hasIgnoredLink, let member = record.ignoredLinks.first.flatMap(record.member) {
            hasIgnoredLink = true
            decoded.ignoredLink = "\(member.name) \(member.value.shown)"
        }
        return decoded
    }
}

/// The members of one record, and what they are taken for.
struct ImportRecord {
    struct Member {
        /// As it stands between the quotes of a JSON string.
        var key: UnsafeRawBufferPointer
        var meaning: ColumnMapping
        var value: RecordValue
    }

    private(set) var members: [Member] = []
    private(set) var marks: ColumnMapping.Marks = []
    /// For each role the index of the member that is taken for it, or -1.
    private var chosen = [Int](repeating: -1, count: ColumnMapping.FieldRole.allCases.count)
    /// The roles whose members are left out, because they are no absolute http or https URLs.
    var ignoredLinks: [ColumnMapping.FieldRole] = []
    let scratch = ByteBuffer(capacity: 1024)

    mutating func removeAll() {
        ignoredLinks.removeAll(keepingCapacity: true)
        members.removeAll(keepingCapacity: true)
        marks = []
    }

    mutating func append(key: UnsafeRawBufferPointer, meaning: ColumnMapping, value: RecordValue) {
        members.append(Member(key: key, meaning: meaning, value: value))
        marks.formUnion(meaning.marks)
    }

    /// Appends the user that the record describes; answers whether its id was made here. Where it throws, `batch` has text
    /// that is nobody's.
    mutating func append(to batch: UserBatch) throws(RecordError) -> Bool {
        choose()
        let buffer = batch.buffer
        let givenID = try id()
        let name = try name(to: buffer)
        var login = try text(.login, limit: 255, to: buffer)
        guard !login.isEmpty || !name.isEmpty else { throw RecordError("expected a login or a name, found neither") }
        // Browsers take these for a way up in a path (RFC 3986 §5.2.4), encoded or not: such a person would have no page.
        guard !buffer.bytes[login].equals("."), !buffer.bytes[login].equals("..") else {
            throw RecordError("expected a login, found only dots")
        }
        let id = givenID ?? madeID(login: buffer.bytes[login])
        if login.isEmpty { login = buffer.keep(madeLogin(name: buffer.bytes[name], id: id)) }
        batch.append(
            UserBatch.Entry(
                id: id, reputation: try reputation(), login: login, name: name,
                avatarURL: try link(.avatarURL, to: buffer), htmlURL: try link(.htmlURL, to: buffer),
                type: try type(to: buffer),
                more: try more(to: buffer), shape: shape, isIDMade: givenID == nil))
        return givenID == nil
    }

    func member(_ role: ColumnMapping.FieldRole) -> Member? {
        let index = chosen[role.rawValue]
        return index < 0 ? nil : members[index]
    }

    func isChosen(_ index: Int) -> Bool {
        guard let role = members[index].meaning.role else { return false }
        return chosen[role.rawValue] == index
    }

    /// Whether this is a record of Rollcall's own export. There, names mean columns only if they are the columns' own.
    var isOwnExport: Bool { marks.isSuperset(of: .ownExport) }
    var isStackExchange: Bool { marks.isSuperset(of: .stackExchange) && !isOwnExport }

    /// Rollcall's own export has what Stack Exchange says beside the columns, and not its names for those. In CSV it has that in
    /// one cell.
    private var shape: RecordShape {
        var marks = marks
        if isOwnExport { for member in members { marks.formUnion(marksInside(member)) } }
        if marks.isSuperset(of: .rickAndMorty) { return .rickAndMorty }
        let isExchange = isOwnExport ? marks.contains(.lastAccess) : marks.isSuperset(of: .stackExchange)
        return isExchange ? .stackExchange : .plain
    }

    private func marksInside(_ member: Member) -> ColumnMapping.Marks {
        var marks: ColumnMapping.Marks = []
        guard member.key.equals("more"), case .cell(let cell) = member.value else { return marks }
        try? JSON.forEachMember(of: cell) { key, _ in
            if key.equals("species") { marks.formUnion(.species) }
            if key.equals("status") { marks.formUnion(.status) }
            if key.equals("last_access_date") { marks.formUnion(.lastAccess) }
        }
        return marks
    }

    private mutating func choose() {
        for role in chosen.indices { chosen[role] = -1 }
        for (index, member) in members.enumerated() {
            guard let role = member.meaning.role, isCandidate(member, for: role) else { continue }
            let best = chosen[role.rawValue]
            // Of doubles the last one counts, as with most readers of JSON.
            if best < 0 || members[best].meaning.rank >= member.meaning.rank { chosen[role.rawValue] = index }
        }
    }

    private func isCandidate(_ member: Member, for role: ColumnMapping.FieldRole) -> Bool {
        let rank = member.meaning.rank
        if isOwnExport, rank >= 0, role != .email, !isOwnName(member) { return false }
        switch role {
        case .email: return true
        // A row's own address is a page for people only where it is the only one, and not Rick and Morty's JSON.
        case .htmlURL where rank == Self.urlRank:
            if marks.contains(.htmlURL) || marks.isSuperset(of: .rickAndMorty) { return false }
        // `contributions` and the like are a score where they are a number, else something to keep.
        case .reputation where rank > 0: return member.value.int64 != nil
        default: break
        }
        return member.value.isScalar && !member.value.isAbsent
    }

    /// `url`, the last of its names.
    private static let urlRank = 7
}
