import Base
import People
import Publishing

// Files that change some columns of users: tables that were exported, edited and imported again.

extension UserTables {
    /// Completes a user with the saved values of the columns that the file does not have. A new user has none.
    func patch(_ user: inout UserToWrite, _ batch: UserBatch) throws {
        let buffer = batch.buffer
        if try withPerson(user.id, { batch.complete(&user, from: $0) }) == nil {
            // A new person has no values that empty cells could empty.
            let filled = ByteBuffer(capacity: Int(user.more.count) + 1)
            filled.append(patching: .empty, with: buffer.bytes[user.more], columns: batch.settings.columns)
            user.more = buffer.keep(filled.bytes)
        }
    }
}

extension UserTables {
    /// Completes the users whose records are from an export without private values with those that are saved, by the
    /// settings of the directory that was exported. Keeps the saved notation of records of any export that differ in
    /// nothing else. Otherwise an unedited export would change people.
    func keepSaved(in batch: UserBatch, as exported: ResolvedSettings) throws {
        guard case .export(let keepsPrivate) = batch.extent else { return }
        let lacking = keepsPrivate ? exported.hidden(from: .everyone) : nil
        try forEachSaved(in: batch) { index, row in
            if let lacking { batch.keep(lacking, of: row, inUserAt: index) }
            let (saved, given) = (row.userColumns().more, batch.buffer.bytes[batch.records[index].more])
            guard !saved.equals(given), saved.isSameRecord(as: given) else { return }
            let more = batch.buffer.keep(saved)
            batch.update(userAt: index) { $0.more = more }
        }
    }
}

extension UserBatch {
    /// Gives a user the saved values of columns that an export lacks.
    fileprivate func keep(_ lacking: HiddenColumns, of row: any StoreRow, inUserAt index: Int) {
        let (saved, given) = (row.userColumns(), records[index].columns.bytes(in: buffer.bytes))
        // Somebody else in another directory may have the same id.
        guard saved.login.equals(given.login) || saved.name.equals(given.name) else { return }
        let before = ColumnMembers(saved.more, in: settings.columns).all
        var members = ColumnMembers(given.more, in: settings.columns)
        let missing = before.map(\.text).filter { members.index(of: $0) == nil && lacking.has(column: $0) }
        let kept = settings.split(missing).stored
        var roles = lacking.roles.intersection([.photo]).filter(saved.has)
        if kept.isEmpty, roles.isEmpty { return }
        // Where the member before is, so that all come back in their order.
        var last = -1
        for member in before {
            if kept.contains(member.text) { members.all.insert(member, at: last + 1) }
            last = members.index(of: member.text) ?? last
        }
        let merged = ByteBuffer(capacity: saved.more.count + given.more.count + 64)
        members.append(to: merged)
        // Marks are read from columns that are always private.
        for field in settings.fields where kept.contains(where: field.source.reads) {
            if let role = field.role, role.isMark { roles.insert(role) }
        }
        update(userAt: index) { user in
            user.more = buffer.keep(merged.bytes)
            keep(roles, of: row, in: &user) { !$0.has($1) }
        }
    }

    fileprivate func complete(_ user: inout UserToWrite, from row: any StoreRow) {
        let headings = changedColumns ?? []
        /// Whether the file has a column that the field with `role` is read from. If the settings have no such field, a
        /// value that is given proves that the file has the column.
        func has(_ role: FieldRole, isGiven: Bool = false) -> Bool {
            guard let field = settings.field(role) else {
                return isGiven || headings.contains(role.rawValue)
            }
            return field.source.columns.contains { headings.contains($0.folded) }
        }
        let saved = row.userColumns()
        var roles: [FieldRole] = [.name, .photo, .hidden, .noindex]
        if !saved.generated.contains(.login) { roles.append(.login) }
        keep(roles, of: row, in: &user) { !has($1, isGiven: $0.has($1)) }
        let merged = ByteBuffer(capacity: saved.more.count + Int(user.more.count) + 64)
        merged.append(patching: saved.more, with: buffer.bytes[user.more], columns: settings.columns)
        user.more = buffer.keep(merged.bytes)
        if has(.name) { composeName(of: &user) }
        derive(&user)
    }

    /// Composes the name again, of which the file may have only some columns.
    private func composeName(of user: inout UserToWrite) {
        guard let index = settings.fields.firstIndex(where: { $0.role == .name }),
            settings.fields[index].source.onlyColumn == nil
        else { return }
        let reader = FieldReader(settings.shown(to: .publisher))
        reader.read(user.columns.bytes(in: buffer.bytes))
        let name = Array(reader.text(of: index))
        user.name = name.withUnsafeBytes { buffer.keep($0) }
    }

    /// Gives `user` those saved values of `roles` that `isMissing` says it lacks.
    private func keep(
        _ roles: some Sequence<FieldRole>, of row: any StoreRow, in user: inout UserToWrite,
        where isMissing: (UserColumns<UnsafeRawBufferPointer>, FieldRole) -> Bool
    ) {
        var saved = row.userColumns()
        saved.more = .empty
        let kept = saved.map(buffer.keep)
        let given = user.columns
        for role in roles where isMissing(given.bytes(in: buffer.bytes), role) {
            user.columns.take(role, of: kept)
            let mark = UserFlags.marks[role] ?? []
            user.marks = user.marks.subtracting(mark).union(row.userFlags().intersection(mark))
        }
    }
}

extension ByteBuffer {
    /// Appends the JSON object `saved` with the members of `patch`: a member with an empty text removes one. New
    /// members are sorted into the others by `columns`.
    fileprivate func append(
        patching saved: UnsafeRawBufferPointer, with patch: UnsafeRawBufferPointer, columns: [String]
    ) {
        var members = ColumnMembers(saved, in: columns)
        try? JSON.forEachMember(of: patch) { key, value in
            let isEmpty = value.string?.raw.isEmpty == true
            guard let index = members.index(of: key.text) else { return isEmpty ? () : members.insert(key, value) }
            if members.all[index].value.hasSameText(as: value) { return }
            if isEmpty { members.all.remove(at: index) } else { members.all[index].value = value }
        }
        members.append(to: self)
    }
}

/// The members of an object of columns, in their order. Valid as long as the bytes that they are read from.
private struct ColumnMembers {
    var all: [(key: JSONString, text: String, value: JSONValue)] = []
    private let places: [String: Int]

    init(_ object: UnsafeRawBufferPointer, in columns: [String]) {
        places = Dictionary(columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var all = all
        try? JSON.forEachMember(of: object) { all.append(($0, $0.text, $1)) }
        self.all = all
    }

    func index(of column: String) -> Int? { all.firstIndex { $0.text == column } }

    /// Adds a member before the first one of a later column.
    mutating func insert(_ key: JSONString, _ value: JSONValue) {
        let text = key.text
        let place = places[text] ?? .max
        let next = all.firstIndex { places[$0.text].map { $0 > place } ?? false } ?? all.count
        all.insert((key, text, value), at: next)
    }

    func append(to buffer: ByteBuffer) {
        for (index, member) in all.enumerated() {
            buffer.append(member: member.key.raw, member.value.raw, isFirst: index == 0)
        }
        if !all.isEmpty { buffer.append(UInt8(ascii: "}")) }
    }
}
