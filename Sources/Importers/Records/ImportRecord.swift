import Base
import Foundation
import People
import Publishing

/// The members of one record, and the fields they are chosen for.
struct ImportRecord {
    struct Member {
        /// The escaped key, without its quotes.
        var key: UnsafeRawBufferPointer
        /// The key of the column, which may differ from `key` in case, unless it has a number.
        var column: UnsafeRawBufferPointer
        var meaning: ColumnMapping
        var value: RecordValue
        /// Whether the value is neither stored nor used for anything but a key.
        var isWithheld = false
        /// 2 for the second column of that heading, and so on.
        var number = 1
    }

    let names: ColumnNames
    private(set) var members: [Member] = []
    private(set) var marks: ColumnMapping.Marks = []
    /// The names of the columns, once two members may have the same one.
    private var columns: MemberNames?
    /// For each role, the index of the member chosen for it, or -1.
    private var chosen = [Int](repeating: -1, count: ColumnMapping.Role.allCases.count)
    /// For each of ``ColumnNames/parts`` and ``ColumnNames/keys``, the index of its member, or -1.
    private var parts: [Int]
    private var keys: [Int]
    /// The rule by which the person is not listed, and the rules that have been asked.
    private var leaver: LeaveOutRule?
    private var askedRules: UInt64 = 0
    private let today = Int(Date().timeIntervalSince1970) / 86400
    /// Whether the last user is hidden.
    private(set) var isHidden = false
    /// The losses of this record that an import reports.
    var losses: [ImportLosses.Loss] = []
    /// The chosen members whose text is kept as well, because it differs from the stored value.
    var kept: [ColumnMapping.Role] = []
    /// A text that identifies the person if the settings name no key; may be empty.
    var uid = ""
    let scratch = ByteBuffer(capacity: 1024)
    /// The keys inside the member that holds all others in Rollcall's own exports.
    var keysInside: KnownKeys
    /// The folded logins of the GitHub accounts so far that are known by their faces.
    private var accounts: Set<String> = []
    /// The folder with the photos that cells name.
    let photos: PhotoFolder?
    /// The person's photo in that folder.
    var photo: [String]?

    init(names: ColumnNames, photos: PhotoFolder? = nil) {
        self.names = names
        self.photos = photos
        keysInside = KnownKeys(names: names)
        parts = [Int](repeating: -1, count: names.parts.count)
        keys = [Int](repeating: -1, count: names.keys.count)
    }

    mutating func removeAll() {
        losses.removeAll(keepingCapacity: true)
        kept.removeAll(keepingCapacity: true)
        members.removeAll(keepingCapacity: true)
        columns = nil
        marks = []
        photo = nil
        isHidden = false
        (leaver, askedRules) = (nil, 0)
    }

    /// Why the person is not listed; `nil` if they are.
    var leaveOutRule: LeaveOutRule? {
        if names.leaveOut.isEmpty || leaver != nil { return leaver }
        // A record without a member has nothing in it.
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        for (index, column) in names.leaveOut.enumerated() where index < 64 && askedRules & 1 << UInt64(index) == 0 {
            if let rule = column.rules.first(where: { $0.holds(for: empty, today: today) }) { return rule }
        }
        return nil
    }

    /// Asks the rules about a column.
    private mutating func ask(_ index: Int, _ value: RecordValue) {
        if index < 64 { askedRules |= 1 << UInt64(index) }
        guard leaver == nil, value.isScalar else { return }
        leaver =
            value.isAbsent
            ? names.leaveOut[index].rules.first {
                $0.holds(for: UnsafeRawBufferPointer(start: nil, count: 0), today: today)
            }
            : value.withText { text in names.leaveOut[index].rules.first { $0.holds(for: text, today: today) } }
    }

    mutating func append(key: UnsafeRawBufferPointer, meaning: ColumnMapping, value: RecordValue) {
        append(Member(key: key, column: key, meaning: meaning, value: value))
    }

    private mutating func append(_ member: Member) {
        members.append(member)
        if member.meaning.leaveOut >= 0 { ask(Int(member.meaning.leaveOut), member.value) }
        marks.note(member.meaning.marks, isList: member.value.isList)
    }

    /// Appends a member of a JSON object.
    mutating func append(key: UnsafeRawBufferPointer, _ known: KnownKeys.Known, value: RecordValue) {
        if key.isEmpty {
            let name = DistinctNames.unnamed
            let key = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            return appendDistinct(
                Member(key: key, column: key, meaning: names.meaning(of: "\(name)"), value: value))
        }
        // A later member may have the name that one has been given.
        let member = Member(key: key, column: known.column, meaning: known.meaning, value: value)
        if known.isRepeated || columns != nil { return appendDistinct(member) }
        append(member)
    }

    /// Appends a member whose name, in any case, an earlier one may have. If several members have one name, the
    /// last one counts, as in most JSON parsers. A name that differs in case becomes its own column, as in a table.
    private mutating func appendDistinct(_ member: Member) {
        var member = member
        switch columns(with: member.columnName) {
        case .member(let index): members[index].value = member.value
        case .column(let number):
            member.number = number
            if number > 1 { member.meaning = names.meaning(of: member.columnName) }
            append(member)
        }
    }

    /// Notes the name of the next member, and returns its place among the columns.
    private mutating func columns(with name: String) -> MemberNames.Place {
        if columns == nil { columns = MemberNames(members.map(\.columnName)) }
        return columns?.place(name) ?? .column(number: 1)
    }

    /// Appends the user that the record at `place` in its file describes, or at `hiddenPlace` if the user is hidden.
    /// Returns the names that were generated for it. If this throws, text of an unfinished user remains in the batch's
    /// buffer.
    mutating func append(
        at place: Int64, or hiddenPlace: Int64, to batch: UserBatch
    ) throws(RecordError) -> GeneratedNames {
        if marks.contains(.unexpectedPrivate) {
            throw RecordError("has private columns of an export, unlike the first records of the file")
        }
        if names.isLearned { withhold() }
        choose()
        let buffer = batch.buffer
        let givenID = try id() ?? accountID
        let name = try name(to: buffer)
        let login = try text(.login, limit: 255, to: buffer)
        let handle = try text(.handle, limit: 255, to: buffer)
        guard !login.isEmpty || !name.isEmpty || !handle.isEmpty else {
            throw RecordError("expected a login or a name, found neither", names.checksNames ? .withoutName : nil)
        }
        // Browsers resolve these as dot segments (RFC 3986 §5.2.4), encoded or not, so that such a user would have no
        // page.
        guard !buffer.bytes[login].equals("."), !buffer.bytes[login].equals("..") else {
            throw RecordError("expected a login, found only dots")
        }
        let isIdentified = !handle.isEmpty || isOwnExport && givenID != nil
        let key = key(orName: name.isEmpty ? login : name, isIdentified: isIdentified, to: buffer)
        var generated: GeneratedNames = login.isEmpty ? .login : []
        if givenID == nil || !key.isEmpty { generated.insert(.id) }
        if generated.contains(.id), givenID != nil, !isOwnExport { kept.append(.id) }
        let id = key.isEmpty ? givenID ?? 0 : 0
        findPhoto(login: buffer.bytes[login], handle: buffer.bytes[handle], name: buffer.bytes[name])
        let isAccount = id > 0 && accountID == id && !login.isEmpty
        if isAccount {
            accounts.insert(folded(login, in: buffer))
        } else if id == 0, key.isEmpty, !accounts.isEmpty, accounts.contains(folded(login, in: buffer)) {
            // The record with a face says more.
            batch.noteRepeated()
            return generated
        }
        let columns = UserColumns(
            id: id, login: login, name: name, avatarURL: try photo(to: buffer), more: try more(to: buffer))
        var user = UserBatch.Entry(columns, generated: generated)
        user.handle = handle
        let isKnown = id > 0 || !key.isEmpty
        let known =
            isAccount
            ? identity(login: login, to: buffer)
            : isKnown ? key : identity(login: login, handle: handle, name: name, to: buffer)
        (user.identity, user.apart) = (known.identity, known.apart)
        isHidden = isSet(.hidden)
        (user.isHidden, user.isNoIndex) = (isHidden, isSet(.noindex))
        user.place = isHidden ? hiddenPlace : place
        batch.append(user)
        return generated
    }

    /// The text of a column that a template reads, or that is part of the key.
    func part(_ index: Int) -> RecordValue? { parts[index] < 0 ? nil : members[parts[index]].value }
    func keyPart(_ index: Int) -> RecordValue? { keys[index] < 0 ? nil : members[keys[index]].value }

    func member(_ role: ColumnMapping.Role) -> Member? {
        let index = chosen[role.rawValue]
        return index < 0 ? nil : members[index]
    }

    func isChosen(_ index: Int) -> Bool {
        guard let role = members[index].meaning.role else { return false }
        return chosen[role.rawValue] == index
    }

    /// Whether this is a record of Rollcall's own export, in which only the exact names of columns are columns.
    var isOwnExport: Bool { names.isOwnExport }

    private func folded(_ text: ByteSlice, in buffer: ByteBuffer) -> String {
        String(decoding: buffer.bytes[text], as: UTF8.self).folded
    }

    /// Marks the values that are withheld in columns that are not.
    private mutating func withhold() {
        for index in members.indices where members[index].isToBeWithheld {
            let member = members[index]
            members[index].isWithheld = true
            let kind: ImportLosses.Kind = member.meaning.withheldValues == .allButNames ? .relation : .address
            losses.append(ImportLosses.Loss(kind, member.name))
        }
    }

    private mutating func choose() {
        for role in chosen.indices { chosen[role] = -1 }
        for index in parts.indices { parts[index] = -1 }
        for index in keys.indices { keys[index] = -1 }
        for (index, member) in members.enumerated() {
            if member.meaning.keyPart >= 0 { keys[Int(member.meaning.keyPart)] = index }
            if member.isWithheld { continue }
            if member.meaning.part >= 0 { parts[Int(member.meaning.part)] = index }
            guard let role = member.meaning.role, isCandidate(member) else { continue }
            let best = chosen[role.rawValue]
            // The last of several equal keys counts, as in most JSON parsers.
            if best < 0 || members[best].meaning.rank >= member.meaning.rank { chosen[role.rawValue] = index }
        }
    }

    private func isCandidate(_ member: Member) -> Bool {
        if isOwnExport, member.meaning.rank >= 0, !isOwnName(member) { return false }
        return member.value.isScalar && !member.value.isAbsent
    }
}
