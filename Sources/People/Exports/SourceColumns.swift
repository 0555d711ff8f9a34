import Base

/// The columns of an export.
public enum ExportLayout: String, CaseIterable, Sendable {
    /// The columns of the file that filled the directory, after one with the handles.
    case source
    /// The columns of Rollcall's users, and everything else in one more.
    case rollcall

    /// The headings of ``rollcall``.
    fileprivate static let ownHeadings = FieldRole.columnsOfExports.map(\.column) + ["more"]
}

/// The columns of an export of one directory.
public enum ExportColumns: Sendable {
    case source(SourceColumns)
    case own(OwnColumns)

    /// Those of a directory without fields.
    public static let withoutFields = ExportColumns.own(OwnColumns(.empty))

    /// Those of Rollcall's own for ``ExportLayout/source``, too, if the columns of the directory are not known.
    public init(_ layout: ExportLayout, of directory: Directory, in instance: String) {
        if layout == .source, let columns = SourceColumns(of: directory, in: instance) {
            self = .source(columns)
        } else {
            self = .own(OwnColumns(directory.settings, PrivateMark(of: directory, in: instance)))
        }
    }

    /// Whether the columns, or what is private, are still those of `directory`.
    func areCurrent(in directory: Directory) -> Bool {
        switch self {
        case .source(let columns): columns.settings == directory.settings
        case .own(let columns): columns.mark.map { $0.settings == directory.settings } ?? true
        }
    }

    var headings: [String] {
        switch self {
        case .source(let columns): [columns.handleHeading] + columns.sourceHeadings
        case .own(let columns): ExportLayout.ownHeadings + [columns.mark?.heading].compactMap(\.self)
        }
    }

    /// The column in which an ``ExportProof`` stands: that of handles, or the last of Rollcall's own.
    var columnOfProof: Int {
        switch self {
        case .source: 0
        case .own: ExportLayout.ownHeadings.count - 1
        }
    }

    /// Whether the values of a column are texts, and neither numbers nor dates.
    func isText(column: Int) -> Bool {
        switch self {
        case .source(let columns): ![.number, .date].contains(columns.type(ofColumn: column))
        case .own: FieldRole.columnsOfExports.dropFirst(column).first?.type != .number
        }
    }

    /// Calls `body` with the cells of a person in a table; `nil` for an empty one.
    func forEachCell(
        of row: UserRow, _ text: UnsafeRawBufferPointer, _ body: (_ column: Int, SourceValue?) throws -> Void
    ) throws {
        var column = 0
        func take(_ value: SourceValue?) throws {
            try body(column, value)
            column += 1
        }
        switch self {
        case .source(let columns): try columns.forEachValue(of: row, text) { try take($1) }
        case .own(let columns):
            let rest = try columns.forEachValue(of: row, text) { try take($1) }
            try take(rest.isEmpty ? nil : .rest(rest))
            if columns.mark != nil { try take(.text(text[row.login])) }
        }
    }
}

/// The columns of ``ExportLayout/rollcall``, and their values.
public struct OwnColumns: Sendable {
    /// Says what is private among them; `nil` if nothing is.
    let mark: PrivateMark?
    /// The members of the record that have columns of their own.
    private let members: MemberNumbers
    /// For each of ``FieldRole/exportedFields``: the number of its member, where the directory has such a field.
    private let fields: [(member: Int?, isNumber: Bool)]

    init(_ settings: ShownSettings, _ mark: PrivateMark? = nil) {
        self.mark = mark
        let names = FieldRole.exportedFields.map { role in
            // A private one stays under the name that the mark has.
            settings.restricted.names.contains(role.rawValue)
                ? nil : settings.fields.first { $0.role == role }?.source.onlyColumn
        }
        let different = Array(Set(names.compactMap(\.self))).sorted()
        members = MemberNumbers(different)
        fields = zip(FieldRole.exportedFields, names).map { role, name in
            (name.flatMap(different.firstIndex), role.type == .number)
        }
    }

    /// Calls `value` with each of ``ExportLayout/ownHeadings`` but the last, and its value, `nil` for an empty one.
    /// Returns the record without the members that have columns.
    func forEachValue(
        of row: UserRow, _ text: UnsafeRawBufferPointer, _ value: (_ heading: String, SourceValue?) throws -> Void
    ) throws -> RestOfRecord {
        var values = [JSONValue?](repeating: nil, count: members.count)
        var rest = RestOfRecord()
        try members.forEachMember(of: row, text) { number, key, value in
            guard let number, !value.isNull, value.string?.raw.isEmpty != true else { return rest.append(key, value) }
            if values[number] == nil { values[number] = value }
        }
        var headings = ExportLayout.ownHeadings.makeIterator()
        func take(_ found: SourceValue?) throws { if let heading = headings.next() { try value(heading, found) } }
        try take(.number(row.id))
        for slice in [row.login, row.name, row.avatarURL] { try take(SourceValue(text[slice])) }
        for (member, isNumber) in fields {
            try take(member.flatMap { values[$0] }.map { SourceValue($0, isNumber: isNumber) })
        }
        return rest
    }
}

/// The rest of a record beside the columns of ``ExportLayout/rollcall``: the texts of members, as they stand in it.
struct RestOfRecord {
    /// Members that follow each other are one text.
    private var runs: [UnsafeRawBufferPointer] = []

    var isEmpty: Bool { runs.isEmpty }

    /// Adds a member of the record.
    fileprivate mutating func append(_ key: JSONString, _ value: JSONValue) {
        guard let start = key.raw.baseAddress.map({ $0 - 1 }),
            let end = value.raw.baseAddress.map({ $0 + value.raw.count })
        else { return }
        // A comma separates it from the one before.
        guard let last = runs.last?.baseAddress, last + runs[runs.count - 1].count + 1 == start else {
            return runs.append(UnsafeRawBufferPointer(start: start, count: end - start))
        }
        runs[runs.count - 1] = UnsafeRawBufferPointer(start: last, count: end - last)
    }

    /// Appends it as an object; nothing if it is empty.
    func append(to buffer: ByteBuffer) {
        if isEmpty { return }
        for (index, run) in runs.enumerated() {
            buffer.append(UInt8(ascii: index == 0 ? "{" : ","))
            buffer.append(run)
        }
        buffer.append(UInt8(ascii: "}"))
    }
}

extension MemberNumbers {
    /// Calls `body` with the members of a person's record. Throws an ``ExportError`` unless it is an object in one
    /// line, as imports store it.
    fileprivate func forEachMember(
        of row: UserRow, _ text: UnsafeRawBufferPointer, _ body: (_ number: Int?, JSONString, JSONValue) -> Void
    ) throws {
        let record = text[row.more]
        if record.isEmpty { return }
        var next = 0
        do {
            try JSON.forEachMember(of: record) { key, value in body(number(of: key, next: &next), key, value) }
        } catch { throw ExportError.damaged(id: row.id) }
        // Outside of strings, JSON may have them.
        guard record.offset(of: 0x0A) == nil, record.offset(of: 0x0D) == nil else {
            throw ExportError.damaged(id: row.id)
        }
    }
}

/// The publisher's own columns, in their order: after an edit in a spreadsheet, an import finds exactly the edits.
public struct SourceColumns: Sendable {
    fileprivate struct Column {
        let heading: String
        /// The separator for lists that are arrays in the source.
        let separator: String
        let role: FieldRole?
        let type: FieldType
    }

    /// The ``HandleHeading`` of the directory.
    let handleHeading: String
    fileprivate let columns: [Column]
    private let members: MemberNumbers
    /// The settings that the columns are made of.
    fileprivate let settings: ShownSettings

    /// Returns `nil` if the columns of the directory are not known, as in directories of services.
    public init?(of directory: Directory, in instance: String) {
        settings = directory.settings
        if settings.columns.isEmpty { return nil }
        let settings = settings
        var headings: Set<String> = []
        columns = settings.columns.compactMap { heading in
            // A member never comes twice, although `columns` of a file of settings may name a heading twice.
            guard headings.insert(heading).inserted else { return nil }
            let field = settings.field(ofColumn: heading)
            return Column(
                heading: heading, separator: field?.separator ?? ";", role: field?.role, type: field?.type ?? .text)
        }
        members = MemberNumbers(columns.map(\.heading))
        handleHeading =
            HandleHeading(of: directory, in: instance, privateColumns: settings.restricted.columns).description
    }

    /// The headings of the publisher's columns.
    public var sourceHeadings: [String] { columns.map(\.heading) }

    /// The type of a column, counted with that of the handles.
    fileprivate func type(ofColumn index: Int) -> FieldType { index == 0 ? .text : columns[index - 1].type }

    /// The texts of a person's columns by their headings, without the handle.
    public func texts(of users: UserRows, _ index: Int) throws -> [String: String] {
        var texts: [String: String] = [:]
        let cell = ByteBuffer(capacity: 256)
        try users.text.withUnsafeBytes { text in
            try forEachValue(of: users.rows[index], text) { heading, value in
                guard heading != handleHeading, let value else { return }
                cell.removeAll()
                value.append(textTo: cell)
                texts[heading] = String(cell)
            }
        }
        return texts
    }

    /// Calls `body` with each column and its value: the text that the source had, or `nil` for an empty cell.
    func forEachValue(
        of row: UserRow, _ text: UnsafeRawBufferPointer, _ body: (_ heading: String, SourceValue?) throws -> Void
    ) throws {
        var values = [JSONValue?](repeating: nil, count: columns.count)
        try members.forEachMember(of: row, text) { number, _, value in
            if let number, values[number] == nil { values[number] = value }
        }
        try body(handleHeading, .text(text[row.login]))
        for (column, value) in zip(columns, values) {
            if let value, !value.isNull {
                try body(column.heading, .json(value, separator: column.separator))
            } else {
                try body(column.heading, column.role.flatMap { SourceValue($0, of: row, text) })
            }
        }
    }
}

/// A value of a column of the source.
enum SourceValue {
    case text(UnsafeRawBufferPointer)
    case number(Int64)
    case json(JSONValue, separator: String)
    case rest(RestOfRecord)

    /// `nil` for an empty text.
    fileprivate init?(_ text: UnsafeRawBufferPointer) {
        if text.isEmpty { return nil }
        self = .text(text)
    }

    /// The value of a member, which may be a number as text if the field's type is number.
    fileprivate init(_ value: JSONValue, isNumber: Bool) {
        let number = isNumber ? value.wholeNumber : nil
        self = number.map(SourceValue.number) ?? .json(value, separator: ";")
    }

    /// The value of a role that is a column of users, which imports do not store twice.
    fileprivate init?(_ role: FieldRole, of row: UserRow, _ text: UnsafeRawBufferPointer) {
        switch role {
        case .id:
            guard !row.generated.contains(.id) else { return nil }
            self = .number(row.id)
        case .login where row.generated.contains(.login): return nil
        default:
            guard let slice = row.columns.text(of: role) else { return nil }
            self.init(text[slice])
        }
    }

    /// Appends the value as a cell of a table.
    func append(cellTo buffer: ByteBuffer) {
        switch self {
        case .text(let bytes): buffer.append(csvText: bytes)
        case .number(let number): buffer.append(decimal: number)
        case .json(let value, _):
            // Most need no copy.
            if let string = value.string, !string.hasEscapes { return buffer.append(csvText: string.raw) }
            let cell = ByteBuffer(capacity: 256)
            append(textTo: cell)
            buffer.append(csvText: cell.bytes)
        case .rest(let rest):
            let cell = ByteBuffer(capacity: 256)
            rest.append(to: cell)
            buffer.append(csvCell: cell.bytes)
        }
    }

    /// Appends the value as text.
    func append(textTo buffer: ByteBuffer) {
        switch self {
        case .text(let bytes): buffer.append(bytes)
        case .number(let number): buffer.append(decimal: number)
        case .json(let value, let separator): value.append(textTo: buffer, separator: separator)
        case .rest(let rest): rest.append(to: buffer)
        }
    }

    /// Appends the value as JSON.
    func append(jsonTo buffer: ByteBuffer) {
        switch self {
        case .text(let bytes): buffer.append(jsonString: bytes)
        case .number(let number): buffer.append(decimal: number)
        case .json(let value, _): buffer.append(value.raw)
        case .rest(let rest): rest.append(to: buffer)
        }
    }
}

extension JSONValue {
    /// The whole number that a number or a text is.
    fileprivate var wholeNumber: Int64? { int64 ?? string.flatMap { Int64($0.text) } }

    /// Appends the text of a string, the elements of an array joined by `separator`, or any other value as JSON.
    func append(textTo buffer: ByteBuffer, separator: String) {
        if let string { return string.append(to: buffer) }
        guard kind == .array else { return buffer.append(raw) }
        var isFirst = true
        try? JSON.forEachElement(of: raw) { element in
            if !isFirst { buffer.append(utf8: separator + " ") }
            isFirst = false
            element.append(textTo: buffer, separator: separator)
        }
    }
}
