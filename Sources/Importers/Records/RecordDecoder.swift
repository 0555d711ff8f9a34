import Base
import Foundation
import People
import Publishing

/// Decodes users from the records of GitHub, Stack Exchange, Rick and Morty, all-contributors, Rollcall's own export,
/// or any CSV file.
///
/// The result depends on the record alone, except for contributors without a face: an earlier record may have it. The
/// decoder only reuses memory and caches the mappings of keys.
///
/// ```swift
/// var decoder = RecordDecoder()
/// try decoder.append(.object(text), to: batch)  // {"id": 1, "login": "ada"}
/// batch.records[0].id                           // 1
/// ```
public struct RecordDecoder {
    struct Member {
        /// The escaped key, without its quotes.
        var key: UnsafeRawBufferPointer
        /// The key of the column without its number, which may differ from `key` in case.
        var column: UnsafeRawBufferPointer
        var meaning: ColumnMapping
        var value: RecordValue
        /// Whether the value is neither stored nor used for anything but a key.
        var isWithheld = false
        /// 2 for the second column of that heading, and so on.
        var number = 1
    }

    let names: ColumnNames
    /// The folder with the photos that cells name.
    let photos: PhotoFolder?
    /// Whether people who have left are decoded, so that they can be found and removed.
    var decodesLeavers = false
    /// Whether a record without an id is an error.
    var requiresIDs = false
    private var knownKeys: KnownKeys
    /// The keys inside the member that holds all others in Rollcall's own exports.
    var keysInside: KnownKeys
    /// The header of the last row, and what its columns mean.
    private var columns: (header: CSVHeader, columns: [(key: ByteSlice, meaning: ColumnMapping)])?
    /// The number of records so far, including rejected ones, but not those of hidden people: gaps between the others'
    /// places would tell of them.
    private var count: Int64 = 0
    private var hiddenCount: Int64 = 0
    /// The folded logins of the GitHub accounts so far that are known by their faces.
    var accounts: Set<String> = []
    private let today = Int(Date().timeIntervalSince1970) / 86400
    let scratch = ByteBuffer(capacity: 1024)
    /// The texts of the record that were HTML.
    private let plain = ByteBuffer(capacity: 1024)

    // MARK: The record

    private(set) var members: [Member] = []
    private(set) var marks: ColumnMapping.Marks = []
    /// The names of the columns, once two members may have the same one.
    private var memberNames: MemberNames?
    /// For each role, the index of the member chosen for it, or -1.
    private(set) var chosen = [Int](repeating: -1, count: ColumnMapping.Role.allCases.count)
    /// For each of ``ColumnNames/parts`` and ``ColumnNames/keys``, the index of its member, or -1.
    private var parts: [Int]
    private var keys: [Int]
    /// The flags that the record sets, such as `hidden`.
    private var flags: UserFlags = []
    /// The rule by which the person is not listed.
    private(set) var leaver: LeaveOutRule?
    var losses: [(ImportLosses.Kind, String)] = []
    /// The chosen members whose text is kept as well, because it differs from the stored value.
    var kept: [ColumnMapping.Role] = []
    /// A text that identifies the person if the settings name no key; may be empty.
    private(set) var uid = ""
    /// Those by which the person is known whatever the settings are; most records have none.
    private(set) var addresses: [String] = []
    /// The person's photo in the folder of photos.
    var photo: [String]?

    public init(names: ColumnNames = ColumnNames(), photos: PhotoFolder? = nil) {
        self.names = names
        self.photos = photos
        knownKeys = KnownKeys(names: names)
        keysInside = KnownKeys(names: names.inside)
        parts = [Int](repeating: -1, count: names.parts.count)
        keys = [Int](repeating: -1, count: names.keys.count)
    }

    mutating func append(
        _ record: SourceRecord, to batch: UserBatch, _ fate: UserToWrite.Fate = .written
    ) throws(RecordError) {
        beginRecord()
        switch record {
        case .object(let text, let uid, let addresses):
            (self.uid, self.addresses) = (uid, addresses)
            try append(membersOf: text)
        case .row(let cells, let header):
            for (column, cell) in zip(columns(of: header), cells) {
                let key = header.text.bytes[column.key]
                append(Member(key: key, column: key, meaning: column.meaning, value: .cell(cell)))
            }
        }
        try appendUser(to: batch, fate)
    }

    /// Appends the members of a JSON object.
    private mutating func append(membersOf text: UnsafeRawBufferPointer) throws(RecordError) {
        knownKeys.startRecord()
        // No longer than the record, so that slices stay where they are.
        plain.removeAll()
        plain.reserve(text.count)
        // Counted as they come, because equal names become one member.
        var count = 0
        do {
            try JSON.forEachMember(of: text) { key, value in
                count += 1
                try RecordError.expect(count <= RecordLimits.members, "expected at most 10,000 members, found more")
                let key = key.raw.isEmpty ? Self.unnamed : key
                let known = knownKeys.meaning(of: key.raw) { key.text }
                append(key: key.raw, known, value: plainText(of: value, called: key))
            }
        } catch { throw RecordError("\(error)") }
    }

    private static var unnamed: JSONString {
        let name = DistinctNames.unnamed
        let bytes = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return JSONString(raw: bytes, hasEscapes: false)
    }

    /// Returns a value without the HTML references of Stack Exchange's texts, except `about_me`, which is HTML.
    /// `mutating`, because the closure that takes the members would copy the decoder for each of them.
    private mutating func plainText(of value: JSONValue, called key: JSONString) -> RecordValue {
        guard names.hasHTMLTexts, let string = value.string, !key.equals("about_me") else { return .json(value) }
        let encoded = ByteBuffer(capacity: string.raw.count)
        string.append(to: encoded)
        // In the unescaped text, because `\u0026` is an ampersand as well.
        guard encoded.bytes.contains(UInt8(ascii: "&")) else { return .json(value) }
        let start = plain.count
        HTMLEntities.append(decoding: encoded, to: plain)
        return .cell(UnsafeRawBufferPointer(rebasing: plain.bytes[start...]))
    }

    private mutating func beginRecord() {
        losses.removeAll(keepingCapacity: true)
        kept.removeAll(keepingCapacity: true)
        members.removeAll(keepingCapacity: true)
        memberNames = nil
        (marks, flags) = ([], [])
        photo = nil
        (uid, addresses) = ("", [])
    }

    private mutating func columns(of header: CSVHeader) -> [(key: ByteSlice, meaning: ColumnMapping)] {
        if let known = columns, known.header === header { return known.columns }
        let found = zip(header.keys, header.titles).map { key, title in
            // People who keep other columns have this one as the directory calls it, whatever letters the file has.
            let known = names.changesColumns ? names.settings.columns.column(title) : nil
            return (key: known.map(header.text.keep(escaping:)) ?? key, meaning: names.meaning(of: title))
        }
        columns = (header, found)
        return found
    }

    // MARK: - Members

    private mutating func append(_ member: Member) {
        members.append(member)
        marks.note(member.meaning.marks, isList: member.value.list != nil)
    }

    /// Appends a member whose name, in any case, an earlier one may have. If several members have one name, the
    /// last one counts, as in most JSON parsers. A name that differs in case becomes its own column, as in a table.
    private mutating func append(key: UnsafeRawBufferPointer, _ known: KnownKeys.Known, value: RecordValue) {
        var member = Member(key: key, column: known.column, meaning: known.meaning, value: value)
        // From now on: a later member may have the name that one has been given.
        if known.isRepeated, memberNames == nil { memberNames = MemberNames(members.map(\.columnName)) }
        // In place: a copy for each member would take quadratic time.
        switch memberNames?.place(member.columnName) ?? .column(number: 1) {
        case .member(let index): members[index].value = value
        case .column(let number):
            member.number = number
            if number > 1 { (member.column, member.meaning) = (member.key, names.meaning(of: member.columnName)) }
            append(member)
        }
    }

    /// The text of a column that a template reads, or that is part of the key.
    func part(_ index: Int) -> RecordValue? { member(at: parts[index])?.value }
    func keyPart(_ index: Int) -> RecordValue? { member(at: keys[index])?.value }
    func member(_ role: ColumnMapping.Role) -> Member? { member(at: chosen[role.rawValue]) }
    private func member(at index: Int) -> Member? { index < 0 ? nil : members[index] }

    /// Chooses the members of the roles, the templates and the key, and marks the values that are withheld in columns
    /// that are not.
    private mutating func choose() {
        for role in chosen.indices { chosen[role] = -1 }
        for index in parts.indices { parts[index] = -1 }
        for index in keys.indices { keys[index] = -1 }
        for index in members.indices {
            let member = members[index]
            if member.meaning.keyPart >= 0 { keys[Int(member.meaning.keyPart)] = index }
            if member.isToBeWithheld {
                members[index].isWithheld = true
                losses.append((member.meaning.withheldValues == .allButNames ? .relation : .address, member.name))
                continue
            }
            if member.meaning.part >= 0 { parts[Int(member.meaning.part)] = index }
            guard let role = member.meaning.role, member.value.isScalar, !member.value.isAbsent else { continue }
            if role.isMark {
                note(flag: role, member.value)
                continue
            }
            let best = chosen[role.rawValue]
            if best < 0 || !member.meaning.isKnown || members[best].meaning.isKnown { chosen[role.rawValue] = index }
        }
    }

    /// Notes a flag if `value` sets it. A person whom one of several columns hides is hidden.
    mutating func note(flag: ColumnMapping.Role, _ value: RecordValue) {
        if NormalizedText.cleaned(value.text).withBytes(FieldBoolean.read) == true {
            flags.insert(flag == .hidden ? .hidden : .noIndex)
        }
    }

    // MARK: - The user

    /// Appends the user that the members describe. A person who has left is only noted, unless such are decoded.
    private mutating func appendUser(to batch: UserBatch, _ fate: UserToWrite.Fate) throws(RecordError) {
        leaver = fate == .written ? leaveOutRule : nil
        guard leaver == nil else {
            if decodesLeavers { try? decode(.gone, into: batch) }
            return
        }
        defer { if flags.contains(.hidden) { hiddenCount += 1 } else { count += 1 } }
        try decode(fate, into: batch)
    }

    /// The rule by which the person is not listed; `nil` if they are. A record without a member has nothing in it.
    private var leaveOutRule: LeaveOutRule? {
        names.leaveOut.first { column, rule in
            let value =
                members.last { Int($0.meaning.leaveOut) == column }?.value
                ?? .cell(UnsafeRawBufferPointer(start: nil, count: 0))
            return value.isScalar && value.withText { rule.holds(for: $0, today: today) }
        }?.rule
    }

    /// Appends the user, or nothing to a record that repeats an earlier one.
    private mutating func decode(_ fate: UserToWrite.Fate, into batch: UserBatch) throws(RecordError) {
        let buffer = batch.buffer
        let (start, users) = (buffer.count, batch.records.count)
        defer { if batch.records.count == users { buffer.truncate(to: start) } }
        try RecordError.expect(
            !marks.contains(.unexpectedPrivate),
            "has private columns of an export, unlike the first records of the file")
        choose()
        let givenID = try id() ?? accountID
        let name = try name(to: buffer)
        let login = try text(.login, limit: 255, to: buffer)
        let handle = try text(.handle, limit: 255, to: buffer)
        guard !login.isEmpty || !name.isEmpty || !handle.isEmpty else {
            throw RecordError("expected a login or a name, found neither", names.checksNames ? .withoutName : nil)
        }
        // Browsers resolve these as dot segments (RFC 3986 §5.2.4), encoded or not, so that such a user would have no
        // page.
        let isDots = buffer.bytes[login].equals(".") || buffer.bytes[login].equals("..")
        try RecordError.expect(!isDots, "expected a login, found only dots")
        try RecordError.expect(givenID != nil || !requiresIDs, "expected an id, found none")
        guard
            let known = identity(
                givenID, login: login, handle: handle, name: name.isEmpty ? login : name, to: buffer)
        else { return batch.noteRepeated() }
        var generated: GeneratedNames = login.isEmpty ? .login : []
        if known.id == 0 {
            generated.insert(.id)
            if givenID != nil, !names.isOwnExport { kept.append(.id) }
        }
        findPhoto(login: buffer.bytes[login], handle: buffer.bytes[handle], name: buffer.bytes[name])
        var user = UserToWrite(
            UserColumns(
                id: known.id, login: login, name: name, avatarURL: try photo(to: buffer), more: try more(to: buffer),
                generated: generated))
        user.fate = fate
        user.handle = handle
        (user.identity, user.apart) = (known.identity, known.apart)
        user.furtherIdentities = furtherIdentities(to: buffer)
        user.marks = flags
        user.place = flags.contains(.hidden) ? -(hiddenCount + 1) : count + 1
        batch.append(user)
    }
}
