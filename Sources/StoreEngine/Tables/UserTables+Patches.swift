import Base
import JSON
import People

// Files that change some columns of users: tables that were exported, edited and imported again.

extension UserTables {
    /// Completes a user with the saved values of the columns that the file does not have.
    /// A new user has none.
    func patch(_ user: inout UserBatch.Entry, _ batch: UserBatch) throws {
        let buffer = batch.buffer
        let found: Void? = try withPerson(user.id) { row, isHidden in
            batch.complete(&user, from: row, isHidden: isHidden)
        }
        if found == nil {
            // A new person has no values that empty cells could empty.
            let filled = ByteBuffer(capacity: Int(user.more.count) + 1)
            filled.append(
                patching: UnsafeRawBufferPointer(start: nil, count: 0), with: buffer.bytes[user.more],
                columns: batch.settings.columns)
            user.more = buffer.keep(filled.bytes)
        }
    }
}

extension UserBatch {
    /// Completes `user` with the values in `row` of the columns that the file does not have.
    fileprivate func complete(_ user: inout Entry, from row: any StoreRow, isHidden wasHidden: Bool) {
        let columns = PatchedColumns(self)
        let (saved, flags) = (row.userColumns(), row.userFlags())
        if !columns.has(.login, user.login), !flags.contains(.generatedLogin) { user.login = buffer.keep(saved.login) }
        if !columns.has(.name, user.name) { user.name = buffer.keep(saved.name) }
        if !columns.has(.photo, user.avatarURL) { user.avatarURL = buffer.keep(saved.avatarURL) }
        if !columns.has(.website, user.htmlURL) { user.htmlURL = buffer.keep(saved.htmlURL) }
        if !columns.has(.type) { user.type = buffer.keep(saved.type) }
        if !columns.has(.reputation), user.reputation == nil { user.reputation = saved.reputation }
        if !columns.has(.noindex) { user.isNoIndex = flags.contains(.noIndex) }
        if !columns.has(.hidden) { user.isHidden = wasHidden }
        let merged = ByteBuffer(capacity: saved.more.count + Int(user.more.count) + 64)
        merged.append(patching: saved.more, with: buffer.bytes[user.more], columns: settings.columns)
        user.more = buffer.keep(merged.bytes)
        columns.completeName(of: &user, self)
        derive(&user)
    }
}

/// The columns of a file that changes users.
private struct PatchedColumns {
    private let settings: ResolvedSettings
    private let headings: Set<String>

    init(_ batch: UserBatch) {
        settings = batch.settings
        headings = Set(batch.headings.map { $0.lowercased() })
    }

    /// Whether the file has a column that the field with `role` is read from. If the settings have no such field, a
    /// value proves that the file has the column.
    func has(_ role: FieldRole, _ value: ByteSlice = .empty) -> Bool {
        guard let field = field(role) else { return !value.isEmpty || headings.contains(role.rawValue) }
        return field.source.columns.contains { headings.contains($0.lowercased()) }
    }

    private func field(_ role: FieldRole) -> Field? { settings.fields.first { $0.role == role } }

    /// Composes the name again if the file has only some of its columns.
    func completeName(of user: inout UserBatch.Entry, _ batch: UserBatch) {
        guard let index = settings.fields.firstIndex(where: { $0.role == .name }), has(.name),
            settings.fields[index].source.onlyColumn == nil
        else { return }
        let reader = FieldReader(settings)
        reader.read(user.columns.bytes(in: batch.buffer.bytes))
        let name = Array(reader.text(of: index))
        user.name = name.withUnsafeBytes { batch.buffer.keep($0) }
    }
}

extension ByteBuffer {
    /// Appends the JSON object `saved` with the members of `patch`: a member with an empty text removes one. New
    /// members are sorted into the others by `columns`.
    fileprivate func append(
        patching saved: UnsafeRawBufferPointer, with patch: UnsafeRawBufferPointer, columns: [String]
    ) {
        var members: [(key: JSONString, text: String, value: JSONValue)] = []
        try? JSON.forEachMember(of: saved) { members.append(($0, $0.text, $1)) }
        let places = Dictionary(columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        try? JSON.forEachMember(of: patch) { key, value in
            let text = key.text
            let index = members.firstIndex { $0.text == text }
            if value.string?.raw.isEmpty == true {
                if let index { members.remove(at: index) }
            } else if let index {
                // A value that only its notation changed, such as a number that became a text, counts as unchanged.
                if !members[index].value.hasSameText(as: value) { members[index].value = value }
            } else if let place = places[text] {
                let next = members.firstIndex { places[$0.text].map { $0 > place } ?? false } ?? members.count
                members.insert((key, text, value), at: next)
            } else {
                members.append((key, text, value))
            }
        }
        for (index, member) in members.enumerated() { append(member: member.key, member.value, isFirst: index == 0) }
        if !members.isEmpty { append(UInt8(ascii: "}")) }
    }
}

extension JSONValue {
    fileprivate func hasSameText(as other: JSONValue) -> Bool {
        if raw.equals(other.raw) { return true }
        guard let text = other.string?.text else { return false }
        let own = string?.text ?? String(decoding: raw, as: UTF8.self)
        return own == text || WorkbookExport.isCut(text, of: own)
    }
}
