import Base
import People
import Publishing

/// Maps names of members and columns to columns of ``User``, and decides which columns are stored.
///
/// ```swift
/// names.meaning(of: "Full name").role        // .name
/// names.meaning(of: "Salary").isLeftOut      // true: a heading that is withheld
/// ```
public struct ColumnNames: Sendable {
    /// The settings of the directory. Empty for sources whose columns are mapped by name alone.
    let settings: ResolvedSettings
    /// Whether the columns are those that the settings were made from: then only fields of the settings fill columns of
    /// ``User``. Otherwise those count as well that the source's records are known to have.
    let isLearned: Bool
    /// The columns of ``User`` by folded name, as the settings have them.
    private var mapped: [String: ColumnMapping.Role] = [:]
    /// The other columns of ``User`` in records whose members are known.
    private var known: [String: ColumnMapping.Role] = [:]
    /// Those of them that are not stored.
    private var unstored: [String: ColumnMapping.Role] = [:]
    /// The columns of ``User`` that are read from several columns.
    private(set) var templates: [UserTemplate] = []
    /// The first and last name, for records whose name is an address, a number or an account; `nil` if the publisher
    /// says what the name is read from, and if the members of the records are known.
    private(set) var otherName: UserTemplate?
    /// Whether a name must not be an address, a number or a withheld value.
    let checksNames: Bool
    /// How the source writes whole names, if they are shown otherwise.
    let nameForm: NameForm?
    /// The folded names of columns whose values the publisher shows or keeps, whatever they are.
    private let ownColumns: Set<String>
    /// The columns of the source for the ``FieldRole/exportedFields`` of an export of ours; none for other sources.
    let exported: [(mark: ColumnMapping.Marks, column: [UInt8], isNumber: Bool)]
    /// The folded names of all columns in ``templates`` and ``otherName``.
    private(set) var parts: [String] = []
    /// The columns that identify people, as the settings name them. If names do, those that tell people of one name
    /// apart.
    let keys: [String]
    let knowsByName: Bool
    /// Whether people are known by a key or their names, whatever id or login they have.
    var isKeyed: Bool { knowsByName || !keys.isEmpty }
    /// The rules by which people are not listed, each with the index of the first one about its column.
    let leaveOut: [(column: Int, rule: LeaveOutRule)]
    /// Whether records change only the columns that the file has.
    let changesColumns: Bool
    let isOwnExport: Bool
    /// Whether the texts of records are HTML, as Stack Exchange's.
    let hasHTMLTexts: Bool
    /// Whether a column of this name is not stored unless the publisher names it.
    private let withholds: @Sendable (String) -> Bool
    /// The heading of the handles in exports of the directory.
    private let handleHeading: String?
    /// The headings of handles with which the file begins.
    private let handleHeadings: Set<String>
    /// The styles of columns of links, and the visibilities of columns that fields read, by folded name.
    private var links: [String: LinkStyle] = [:]
    private var shown: [String: FieldVisibility]

    /// A column of ``User`` that is read from several columns.
    struct UserTemplate: Sendable {
        var role: ColumnMapping.Role
        var template: FieldTemplate
        /// The indices in ``ColumnNames/parts`` of the template's columns.
        var columns: [Int]
        /// For a name that was inferred from a first and a last name: their indices in ``ColumnNames/parts``.
        var inferred: (first: Int, last: Int)?
        /// Whether names in the scripts of East Asia have a space, as in Japanese directories.
        var hasSpace = false

        func append(to buffer: ByteBuffer, _ value: (Int) -> String) {
            guard let inferred else {
                return template.append(to: buffer) { column, buffer in buffer.append(utf8: value(columns[column])) }
            }
            let (first, last) = (value(inferred.first), value(inferred.last))
            let isEastAsian = EastAsianName.isPart(first) && EastAsianName.isPart(last)
            // The template of a Chinese or Korean directory has no space, which other names need.
            let texts = isEastAsian ? [last, first] : columns.map(value).filter { !$0.isEmpty }
            buffer.append(utf8: texts.joined(separator: isEastAsian && !hasSpace ? "" : " "))
        }
    }

    /// Creates the mapping of columns that are called as in exports, without settings.
    public init() { self.init(ImportSchema(ImportRequest(), DirectorySettings())) }

    init(_ schema: ImportSchema) {
        let settings = schema.resolved
        self.settings = settings
        shown = settings.visibilities.ofFields
        isLearned = schema.isLearned
        changesColumns = schema.changesColumns
        isOwnExport = schema.extent.isExport
        withholds =
            switch (schema.source, hasColumns: !settings.columns.isEmpty) {
            case (.service(let service), false): { Withheld.matches(heading: $0) && !service.published.contains($0) }
            // Readers of that directory have seen all others.
            case (.unknown, false), (.ownExport, false): Self.isEmail
            default: { Withheld.matches(heading: $0) }
            }
        hasHTMLTexts = schema.source == .service(.stackExchange)
        handleHeading = [.unknown, .edits].contains(schema.source) ? schema.request.handleHeading : nil
        handleHeadings = Set(schema.survey.handles.map(\.description))
        knowsByName = settings.stored.knowsByName
        keys = knowsByName ? settings.stored.apart : settings.stored.key
        let rules = settings.stored.leaveOut
        leaveOut = rules.map { rule in
            (rules.firstIndex { $0.column.folded == rule.column.folded } ?? 0, rule)
        }
        exported = (isOwnExport ? FieldRole.exportedFields : []).enumerated().map { index, role in
            let source = settings.field(role)?.source.onlyColumn
            return (.field(index), Array((source ?? role.column).utf8), role.type == .number)
        }
        let own = settings.stored.own
        checksNames = schema.isLearned && own.field(FieldRole.name.rawValue)?.from == nil
        nameForm = settings.field(.name)?.format.flatMap { NameForm(rawValue: $0) }
        let chosen = settings.fields.filter { own.field($0.key)?.show != nil }
        ownColumns = Set(chosen.flatMap { $0.source.columns.map(\.folded) })
        for field in settings.fields { add(field) }
        for (name, role) in Self.columns(of: schema.source) where mapped[name] == nil {
            var isStored = isStored(role, called: name, chosen)
            if role == .avatarURL, settings.hides(.photo) {
                // If the photo is stored, rows lose it before readers get them.
                shown[name] = min(visibility(of: name), .private)
                isStored = !isLeftOut(name)
            }
            if isStored { known[name] = role } else { unstored[name] = role }
        }
        let names = [FieldRole.firstName, .lastName].compactMap { role in
            settings.shown.fields.first { $0.role == role }?.source.onlyColumn
        }
        if checksNames, !names.isEmpty { otherName = template(.name, FieldTemplate(names.map { .column($0) })) }
    }

    /// Returns the columns of ``User`` by the names that exports, or the records of a service, have for them; none if
    /// the columns are the publisher's own.
    static func columns(of source: SourceLayout) -> [String: ColumnMapping.Role] {
        if source.isLearned { return [:] }
        var columns = Dictionary(uniqueKeysWithValues: FieldRole.columnsOfUsers.map { ($0.column, $0) })
        if case .service(let service) = source { columns.merge(service.columns) { $1 } }
        return columns.compactMapValues(\.columnOfUser)
    }

    private mutating func template(_ role: ColumnMapping.Role, _ template: FieldTemplate) -> UserTemplate {
        var made = UserTemplate(
            role: role, template: template, columns: template.columns.map { part(of: $0) },
            hasSpace: settings.language.hasPrefix("ja"))
        let names = [FieldRole.firstName, .lastName].compactMap { settings.field($0)?.source.onlyColumn?.folded }
            .compactMap(parts.firstIndex).filter(made.columns.contains)
        if role == .name, checksNames, names.count == 2 { made.inferred = (names[0], names[1]) }
        return made
    }

    /// Returns the index of `column` in ``parts``, where it is added if it is missing.
    private mutating func part(of column: String) -> Int {
        if let index = parts.firstIndex(of: column.folded) { return index }
        parts.append(column.folded)
        return parts.count - 1
    }

    private mutating func add(_ field: ResolvedField) {
        if field.type == .link, let column = field.source.onlyColumn {
            links[column.folded] = LinkStyle(heading: column, role: field.role)
        }
        // Columns of ``User`` are public, except those that hide a person.
        guard let role = field.role?.columnOfUser, field.visibility >= (role.isMark ? .private : .public)
        else { return }
        if !role.isMark, field.source.onlyColumn == nil { return templates.append(template(role, field.source)) }
        // A field without a source of its own reads the column named like its key, unless the source uses another name.
        let readsKey = isLearned || role.isMark
        for column in field.source.columns where readsKey || column != field.key { mapped[column.folded] = role }
    }

    /// Maps the member or column `name`, in any case, to `role`, with precedence over all other names.
    mutating func map(_ role: ColumnMapping.Role, to name: String) { mapped[name.folded] = role }

    func isMapped(_ name: String) -> Bool { mapped[name.folded] != nil || parts.contains(name.folded) }

    func meaning(of name: String) -> ColumnMapping {
        var meaning = ColumnMapping()
        meaning.marks = Self.marks(of: name)
        let folded = name.folded
        let handles = HandleHeading(name)
        if let handles, !handles.restricted.isEmpty, !handleHeadings.contains(handles.description) {
            meaning.marks.insert(.unexpectedPrivate)
        }
        let handle = handles.flatMap { $0.directory == handleHeading ? ColumnMapping.Role.handle : nil }
        meaning.role = mapped[folded] ?? known[folded] ?? handle
        let visibility = handle != nil || unstored[folded] != nil ? .never : visibility(of: name)
        (meaning.isPublic, meaning.isLeftOut) = (visibility == .public, visibility == .never)
        meaning.isKnown = mapped[folded] == nil
        let part = parts.firstIndex(of: folded) ?? -1
        meaning.part = Int16(truncatingIfNeeded: part)
        meaning.isPartOfName = templates.contains { [.name, .login].contains($0.role) && $0.columns.contains(part) }
        meaning.keyPart = Int16(truncatingIfNeeded: keys.firstIndex { $0.folded == folded } ?? -1)
        meaning.leaveOut = Int16(truncatingIfNeeded: leaveOut.firstIndex { $0.rule.column.folded == folded } ?? -1)
        meaning.link = links[folded]
        if isLearned, !meaning.isLeftOut, !ownColumns.contains(folded), meaning.role != .name {
            if meaning.link?.isService != true {
                // A biography with an address is not withheld whole.
                let isAbout = settings.field(ofColumn: name)?.role == .about
                meaning.withheldValues = isAbout ? .addresses : .textsWithAddresses
            }
            if Withheld.isRelation(heading: name) { meaning.withheldValues = .allButNames }
        }
        meaning.isAccount = isLearned && meaning.isLeftOut && Withheld.isAccount(heading: name)
        return meaning
    }

    /// Whether a column whose name alone says which column of ``User`` it fills is stored: readers see those of
    /// everybody, unless the publisher, by one of the fields `chosen`, hides this one.
    private func isStored(_ role: ColumnMapping.Role, called name: String, _ chosen: [ResolvedField]) -> Bool {
        // The id and the login in an export of ours are those that readers see already, whatever columns of the source
        // were called so.
        if isOwnExport { return role != .name || !settings.hides(.name) }
        var visibilities = chosen.filter { $0.role?.columnOfUser == role }.map(\.visibility)
        // The column may be hidden although the settings read its role from another one, which a record may lack.
        if ownColumns.contains(name) { visibilities.append(visibility(of: name)) }
        if visibilities.isEmpty { return settings.stored.own.others != .never }
        return visibilities.allSatisfy { $0 == .public }
    }

    /// Whether people get a name or a login from a column, or from several.
    var hasNames: Bool {
        let roles = [Array(mapped.values), Array(known.values), templates.map(\.role)].joined()
        return roles.contains { [.login, .name].contains($0) }
    }

    /// Whether the ids are stored that a source with known members gives: the publisher may hide them.
    var storesIDs: Bool { !unstored.values.contains(.id) }

    /// These names for the members of the object that holds all others in our own exports: none is a column of
    /// ``User``, whatever its name is.
    var inside: ColumnNames {
        var names = self
        (names.known, names.unstored) = ([:], [:])
        return names
    }

    func isLeftOut(_ name: String) -> Bool { visibility(of: name) == .never }

    /// Whether a member with this name, inside a column's value, is not stored: it would be as public as the column.
    func isLeftOut(_ name: String, inside column: ColumnMapping) -> Bool {
        isLeftOut(name) || column.isPublic && shown[name.folded] == .private
    }

    /// Who may see a column: if fields read it, the most restrictive of theirs decides.
    private func visibility(of name: String) -> FieldVisibility {
        if let visibility = shown[name.folded] { return visibility }
        return HandleHeading(name) != nil || withholds(name) ? .never : settings.others
    }

    /// Returns whether a member of this name is left out, because e-mail addresses are never stored.
    @Sendable static func isEmail(_ name: String) -> Bool {
        let name = Heading.normalized(name)
        return ["mail", "mailaddress"].contains(name) || name.contains("email")
    }

    /// Returns what a member of exactly this name tells of the source of its record.
    static func marks(of name: String) -> ColumnMapping.Marks { marks[name] ?? .other }

    private static let marks: [String: ColumnMapping.Marks] = {
        var marks: [String: ColumnMapping.Marks] = [
            "user_id": .userID, "display_name": .displayName, "species": .species, "status": .status,
            "last_access_date": .lastAccess, "gravatar_id": .gravatarID, "contributions": .contributions, "profile": [],
        ]
        for role in FieldRole.columnsOfUsers {
            marks[role.column] = role.columnOfUser.map(ColumnMapping.Marks.own)
        }
        for (index, role) in FieldRole.exportedFields.enumerated() { marks[role.column] = .field(index) }
        return marks
    }()
}

extension FieldRole {
    private static let columnsOfUser: [FieldRole: ColumnMapping.Role] = [
        .id: .id, .login: .login, .name: .name, .photo: .avatarURL, .hidden: .hidden, .noindex: .noindex,
    ]

    /// The column of ``User`` that fields with this role fill, or the flag that they set.
    var columnOfUser: ColumnMapping.Role? { Self.columnsOfUser[self] }
}
