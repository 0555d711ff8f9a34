import Bytes
import Directories
import JSON

/// The members of one record, and the fields they are chosen for.
struct ImportRecord {
    struct Member {
        /// The escaped key, without its quotes.
        var key: UnsafeRawBufferPointer
        var meaning: ColumnMapping
        var value: RecordValue
    }

    private(set) var members: [Member] = []
    private(set) var marks: ColumnMapping.Marks = []
    /// For each role, the index of the member chosen for it, or -1.
    private var chosen = [Int](repeating: -1, count: ColumnMapping.FieldRole.allCases.count)
    /// The roles whose members are ignored because they are not absolute http or https URLs.
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

    /// Appends the user that the record describes. Returns whether its id was generated. If this throws, text of an
    /// unfinished user remains in the batch's buffer.
    mutating func append(to batch: UserBatch) throws(RecordError) -> Bool {
        choose()
        let buffer = batch.buffer
        let givenID = try id()
        let name = try name(to: buffer)
        var login = try text(.login, limit: 255, to: buffer)
        guard !login.isEmpty || !name.isEmpty else { throw RecordError("expected a login or a name, found neither") }
        // Browsers resolve these as dot segments (RFC 3986 §5.2.4), encoded or not, so that such a user would have no
        // page.
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

    /// Whether this is a record of Rollcall's own export, in which only the exact names of columns are columns.
    var isOwnExport: Bool { marks.isSuperset(of: .ownExport) }
    var isStackExchange: Bool { marks.isSuperset(of: .stackExchange) && !isOwnExport }

    /// Rollcall's own export keeps Stack Exchange's other members, but renames those that are columns. In CSV they are
    /// in one cell.
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
            // The last of several equal keys counts, as in most JSON parsers.
            if best < 0 || members[best].meaning.rank >= member.meaning.rank { chosen[role.rawValue] = index }
        }
    }

    private func isCandidate(_ member: Member, for role: ColumnMapping.FieldRole) -> Bool {
        let rank = member.meaning.rank
        if isOwnExport, rank >= 0, role != .email, !isOwnName(member) { return false }
        switch role {
        case .email: return true
        // A record's `url` is used as a profile page only if there is no other URL and the record is not Rick and
        // Morty's.
        case .htmlURL where rank == Self.urlRank:
            if marks.contains(.htmlURL) || marks.isSuperset(of: .rickAndMorty) { return false }
        // `contributions` and the like are the reputation if they are numbers, else part of `more`.
        case .reputation where rank > 0: return member.value.int64 != nil
        default: break
        }
        return member.value.isScalar && !member.value.isAbsent
    }

    /// The rank of `url`, the last name for this role.
    private static let urlRank = 7
}
