import Base

/// The columns of an export.
public enum ExportLayout: String, CaseIterable, Sendable {
    /// The columns of the file that filled the directory, after one with the handles.
    case source
    /// The columns of Rollcall's users, and everything else in one more.
    case rollcall
}

/// The columns of an export of one directory, and the values of a person in them.
///
/// In ``ExportLayout/source`` these are the publisher's own, in their order: after an edit in a spreadsheet, an import
/// finds exactly the edits.
public struct ExportColumns: Sendable {
    struct Column {
        let heading: String
        let value: Value
        let type: FieldType
        /// The heading as the name of a member, with what separates it from the value.
        let key: [UInt8]
        /// Whether an object has the member without a value, too.
        let isNullable: Bool

        /// - Parameter name: that of the member, if it is not the heading.
        init(_ heading: String, _ value: Value, _ type: FieldType, name: String? = nil, isNullable: Bool = false) {
            (self.heading, self.value, self.type, self.isNullable) = (heading, value, type, isNullable)
            let key = ByteBuffer(capacity: 64)
            key.append(jsonString: name ?? heading)
            key.append(":")
            self.key = [UInt8](key)
        }

        /// Whether the values are texts, and neither numbers nor dates.
        var isText: Bool { type != .number && type != .date }
    }

    /// The part of a row that a column has.
    enum Value {
        case handle, id
        /// A column of every user, which imports do not store twice; empty if Rollcall made the value.
        case role(FieldRole)
        /// The member of this number. A list that is an array there has the separator; the role has the value of
        /// records without the member.
        case member(Int, separator: String, FieldRole?)
        /// A member that may be a number as text.
        case number(Int)
        /// All members without a column.
        case rest
    }

    let columns: [Column]
    /// The members of the record that have columns.
    private let members: MemberNumbers
    /// The column of what has no other; `nil` if the export leaves that out.
    private let restColumn: Int?
    /// The settings that the columns are made of; `nil` if they do not depend on any.
    private let settings: ShownSettings?

    /// Those of Rollcall's own for ``ExportLayout/source``, too, if the columns of the directory are not known.
    public init(_ layout: ExportLayout, of directory: Directory, in instance: String) {
        if layout == .source, let columns = ExportColumns(ofSource: directory, in: instance) {
            self = columns
        } else {
            self.init(directory.settings, HandleHeading(of: directory, in: instance, .rollcall).description)
        }
    }

    /// Those of ``ExportLayout/source``; `nil` if the columns of the directory are not known, as in directories of
    /// services.
    public init?(ofSource directory: Directory, in instance: String) {
        let settings = directory.settings
        if settings.columns.isEmpty { return nil }
        // A member never comes twice, although `columns` of a file of settings may name a heading twice.
        var known: Set<String> = []
        let headings = settings.columns.filter { known.insert($0).inserted }
        let mark = HandleHeading(of: directory, in: instance)
        let columns = headings.enumerated().map { number, heading in
            let field = settings.field(ofColumn: heading)
            return Column(
                heading, .member(number, separator: field?.separator ?? ";", field?.role), field?.type ?? .text)
        }
        self.init([Column(mark.description, .handle, .text)] + columns, headings, settings)
    }

    /// Those of ``ExportLayout/rollcall``.
    /// - Parameter mark: the ``HandleHeading`` of one more column with the handles, which says what is private, if
    ///   anything is.
    private init(_ settings: ShownSettings, _ mark: String) {
        let restricted = settings.choices.restricted[.rollcall] ?? []
        var names: [String] = []
        var columns = FieldRole.columnsOfExports.map { role in
            // A private one stays under the name that the mark has.
            let field = restricted.contains(role.rawValue) ? nil : settings.fields.first { $0.role == role }
            return Column(
                role.column, Self.value(of: role, field?.source.onlyColumn, &names), role.type, isNullable: true)
        }
        // An object, whose members may have the names of columns.
        columns.append(Column("more", .rest, .text, name: "fields"))
        if !restricted.isEmpty { columns.append(Column(mark, .handle, .text)) }
        self.init(columns, names, restricted.isEmpty ? nil : settings)
    }

    /// Returns what the column of a role has.
    /// - Parameters:
    ///   - name: the member that the field of this role reads.
    ///   - names: the members that have columns.
    private static func value(of role: FieldRole, _ name: String?, _ names: inout [String]) -> Value {
        switch role {
        case .id: return .id
        case .login: return .handle
        case .name, .photo: return .role(role)
        default: break
        }
        guard let name else { return .role(role) }
        let number = names.firstIndex(of: name) ?? names.count
        if number == names.count { names.append(name) }
        return role.type == .number ? .number(number) : .member(number, separator: ";", nil)
    }

    private init(_ columns: [Column], _ members: [String], _ settings: ShownSettings?) {
        self.columns = columns
        self.members = MemberNumbers(members)
        restColumn = columns.firstIndex { if case .rest = $0.value { true } else { false } }
        self.settings = settings
    }

    /// Throws an ``ExportError`` unless the columns, and what is private, are still those of `directory`.
    func check(_ directory: Directory) throws(ExportError) {
        if let settings, settings != directory.settings { throw .columnsChanged }
    }

    /// The column in which an ``ExportProof`` stands: that of the rest, or else the first.
    var columnOfProof: Int { restColumn ?? 0 }

    /// The headings of the publisher's columns.
    public var sourceHeadings: [String] { columns.dropFirst().map(\.heading) }

    /// The texts of a person's columns by their headings, without the handle.
    public func texts(of users: UserRows, _ index: Int) throws -> [String: String] {
        var texts: [String: String] = [:]
        let cell = ByteBuffer(capacity: 256)
        try users.text.withUnsafeBytes { text in
            try forEachValue(of: users.rows[index], text) { column, value in
                guard column > 0, let value else { return }
                cell.removeAll()
                value.append(textTo: cell)
                texts[columns[column].heading] = String(cell)
            }
        }
        return texts
    }

    /// Calls `body` with each column and its value: the text that the source had, or `nil` for an empty cell.
    func forEachValue(
        of row: UserRow, _ text: UnsafeRawBufferPointer, _ body: (_ column: Int, SourceValue?) throws -> Void
    ) throws {
        var values = [JSONValue?](repeating: nil, count: members.count)
        var rest = RestOfRecord()
        try members.forEachMember(of: row, text) { number, key, value in
            if restColumn != nil, number == nil || value.isNull || value.string?.raw.isEmpty == true {
                return rest.append(key, value)
            }
            if let number, values[number] == nil { values[number] = value }
        }
        for index in columns.indices {
            try body(index, SourceValue(columns[index].value, of: row, text, values, rest))
        }
    }
}

/// The rest of a record beside the columns of ``ExportLayout/rollcall``: the texts of members, as they stand in it.
struct RestOfRecord {
    /// Members that follow each other are one text.
    private var runs: [UnsafeRawBufferPointer] = []

    var isEmpty: Bool { runs.isEmpty }

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
        let isObject: Void? = try? JSON.forEachMember(of: record) { key, value in
            body(number(of: key, next: &next), key, value)
        }
        // Outside of strings, JSON may have line breaks.
        guard isObject != nil, record.offset(of: 0x0A) == nil, record.offset(of: 0x0D) == nil else {
            throw ExportError.damaged(id: row.id)
        }
    }
}

/// A value of a column of the source.
enum SourceValue {
    case text(UnsafeRawBufferPointer)
    case number(Int64)
    case json(JSONValue, separator: String)
    case rest(RestOfRecord)

    /// `nil` for an empty cell.
    fileprivate init?(
        _ value: ExportColumns.Value, of row: UserRow, _ text: UnsafeRawBufferPointer, _ members: [JSONValue?],
        _ rest: RestOfRecord
    ) {
        switch value {
        case .handle: self = .text(text[row.login])
        case .id: self = .number(row.id)
        case .role(let role): self.init(role, of: row, text)
        case .member(let number, let separator, let role):
            if let member = members[number], !member.isNull {
                self = .json(member, separator: separator)
            } else {
                self.init(role, of: row, text)
            }
        case .number(let number):
            guard let member = members[number] else { return nil }
            self = member.wholeNumber.map(SourceValue.number) ?? .json(member, separator: ";")
        case .rest:
            if rest.isEmpty { return nil }
            self = .rest(rest)
        }
    }

    /// The value of a role that is a column of users, if the source gave it.
    private init?(_ role: FieldRole?, of row: UserRow, _ text: UnsafeRawBufferPointer) {
        switch role {
        case .id where !row.generated.contains(.id): self = .number(row.id)
        case .login where row.generated.contains(.login): return nil
        case let role?:
            guard let slice = row.columns.text(of: role), !slice.isEmpty else { return nil }
            self = .text(text[slice])
        case nil: return nil
        }
    }

    func append(cellTo buffer: ByteBuffer) {
        switch self {
        case .text(let bytes): buffer.append(csvText: bytes)
        case .number(let number): buffer.append(decimal: number)
        case .json, .rest:
            // Most need no copy.
            if case .json(let value, _) = self, let string = value.string, !string.hasEscapes {
                return buffer.append(csvText: string.raw)
            }
            let cell = ByteBuffer(capacity: 256)
            append(textTo: cell)
            buffer.append(csvText: cell.bytes)
        }
    }

    func append(textTo buffer: ByteBuffer) {
        switch self {
        case .text(let bytes): buffer.append(bytes)
        case .number(let number): buffer.append(decimal: number)
        case .json(let value, let separator): value.append(textTo: buffer, separator: separator)
        case .rest(let rest): rest.append(to: buffer)
        }
    }

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
