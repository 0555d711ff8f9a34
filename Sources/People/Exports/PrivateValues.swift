import Base
import JSON

/// The private values of people in exports in Rollcall's own layout, apart from what readers see: in a member or column
/// `private`. Its value is an object: a mark, the columns of users that are private, and `fields`, an object with the
/// private columns of the publisher.
///
/// ```json
/// {"id": 1, …, "html_url": null, "fields": {"Team": "Ops", "Phone": null},
///  "private": {"rollcall": "private", "html_url": "https://example.org/", "fields": {"Phone": "+49 1"}}}
/// ```
///
/// Whoever reads only the other columns sees no private value. A `null` keeps the place of each, so that the same order
/// comes back. By the mark, imports know the object wherever somebody has put it.
package struct PrivateValues: Sendable {
    /// `nil` if rows have no private values.
    let settings: ResolvedSettings?
    private let roles: Set<FieldRole>

    package init(in settings: ResolvedSettings?) {
        self.settings = settings
        roles = Set(FieldRole.columnsOfUsers.filter { settings?.hides($0) == true })
    }

    /// Whether the export has the member or column.
    var isColumn: Bool { settings != nil }

    /// Returns a row without the columns of users that are private.
    package func shown(_ row: UserRow) -> UserRow {
        var row = row
        if roles.contains(.photo) { row.avatarURL = .empty }
        if roles.contains(.website) { row.htmlURL = .empty }
        if roles.contains(.type) { row.type = .empty }
        if roles.contains(.reputation) { row.reputation = nil }
        return row
    }

    /// Appends the object `more` with `null` for private values.
    func append(shownPartOf more: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
        if !isColumn { return buffer.append(more) }
        append(more, to: buffer) { isPrivate, value in
            isPrivate ? UnsafeRawBufferPointer(start: Self.null.utf8Start, count: Self.null.utf8CodeUnitCount) : value
        }
    }

    /// Appends the private values of a person as an object.
    func append(of row: UserRow, _ text: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
        let begin = { (key: StaticString) in
            buffer.append(",\"")
            buffer.append(key)
            buffer.append("\":")
        }
        buffer.append("{\"rollcall\":\"private\"")
        let shown = shown(row)
        for (key, value, isShown) in [
            ("avatar_url", row.avatarURL, !shown.avatarURL.isEmpty), ("html_url", row.htmlURL, !shown.htmlURL.isEmpty),
            ("type", row.type, !shown.type.isEmpty),
        ] as [(StaticString, ByteSlice, Bool)] where !isShown && !value.isEmpty {
            begin(key)
            buffer.append(jsonString: text[value])
        }
        if shown.reputation == nil, let reputation = row.reputation {
            begin("reputation")
            buffer.append(decimal: reputation)
        }
        let fields = ByteBuffer(capacity: 256)
        if !row.more.isEmpty { append(text[row.more], to: fields) { isPrivate, value in isPrivate ? value : nil } }
        if !fields.isEmpty {
            begin("fields")
            buffer.append(fields.bytes)
        }
        buffer.append("}")
    }

    /// The objects that are cells in tables: `more`, and the private values if there is a column for them.
    package func objects(of row: UserRow, _ text: UnsafeRawBufferPointer) -> [ByteBuffer] {
        let more = ByteBuffer(capacity: Int(row.more.count) + 1)
        append(shownPartOf: text[row.more], to: more)
        if !isColumn { return [more] }
        let hidden = ByteBuffer(capacity: 256)
        append(of: row, text, to: hidden)
        return [more, hidden]
    }

    private static let null: StaticString = "null"

    /// Appends the members of an object with the values that `chosen` returns; nothing if it returns none.
    private func append(
        _ object: UnsafeRawBufferPointer, to buffer: ByteBuffer,
        _ chosen: (_ isPrivate: Bool, UnsafeRawBufferPointer) -> UnsafeRawBufferPointer?
    ) {
        let start = buffer.count
        try? JSON.forEachMember(of: object) { key, value in
            let isPrivate = settings.map { $0.visibility(ofColumn: key.text) != .public } ?? false
            guard let value = chosen(isPrivate, value.raw) else { return }
            buffer.append(member: key.raw, value, isFirst: buffer.count == start)
        }
        if buffer.count > start { buffer.append("}") }
    }
}
