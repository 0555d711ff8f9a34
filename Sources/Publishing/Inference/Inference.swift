import People

/// The settings of a directory, inferred from the first records of a file, when the publisher has set nothing.
public struct Inference: Sendable {
    public private(set) var settings = Settings()

    private var columns: [ColumnSummary] = []
    private let records: Int
    private let own: Settings

    /// Infers settings from `survey`. A column that a field of `own`, the publisher's settings, reads alone has the key
    /// and the type of that field. A column that `own` hides becomes neither a filter nor part of a row.
    public init(_ survey: Survey, own: Settings = Settings()) {
        var survey = survey
        // The column with handles, which an export adds, is not the publisher's.
        survey.columns.removeAll { $0.heading == "rollcall" || $0.heading.hasPrefix("rollcall:") }
        self.own = own
        records = survey.records
        let roles = ColumnMeanings(survey)
        settings.language = roles.language
        settings.order = "place"
        settings.columns = survey.headings
        let ownFields = Self.ownFields(survey.headings, roles.roles, own)
        let ownKeys = Set(ownFields.compactMap { $0?.key })
        let isBelowHeadings = survey.beginsWithHeadings
        columns = survey.columns.indices.map { index in
            let field = ownFields[index]
            // Another column with this role loses it to the publisher's.
            let inferred = roles.roles[index].flatMap { ownKeys.contains($0.rawValue) ? nil : $0 }
            let role = field.map { FieldRole(rawValue: $0.key) } ?? inferred
            if isBelowHeadings, let text = survey.columns[index].values.first?.text, Withheld.matches(heading: text) {
                survey.columns[index].isOther = true
            }
            return ColumnSummary(
                survey.columns[index], meaning: roles.columns[index], role: role, own: field,
                language: own.language ?? roles.language)
        }
        inferFields()
        inferLists()
        settings.surnames = readsSurnames(survey) ? true : nil
    }
}

// MARK: - Fields

extension Inference {
    /// Returns the fields of `own` that read one column each, by the indexes of `headings`: by the column that a field
    /// names, or else by the key that the column gets.
    private static func ownFields(_ headings: [String], _ roles: [FieldRole?], _ own: Settings) -> [FieldSettings?] {
        let named = Dictionary(
            own.fields.compactMap { field in
                field.from.flatMap { FieldTemplate($0).onlyColumn }.map { ($0.folded, field) }
            }, uniquingKeysWith: { first, _ in first })
        let keyed = Dictionary(
            own.fields.filter { $0.from == nil }.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        return zip(headings, roles).map { heading, role in
            named[heading.folded] ?? role.flatMap { keyed[$0.rawValue] } ?? keyed[FieldKey.slug(heading)]
        }
    }

    private mutating func inferFields() {
        var fields: [FieldSettings] = []
        var taken = columns.compactMap { $0.role?.rawValue } + columns.compactMap(\.own?.key)
        if let name = nameTemplate {
            var field = FieldSettings(key: FieldRole.name.rawValue, from: name)
            let form = columns.first { $0.role == .lastName }?.meaning.nameForm
            let isCapital = form == .capitals || form == .capitalsFirst
            field.format = isCapital ? NameForm.capitals.rawValue : nil
            fields.append(field)
            taken.append(FieldRole.name.rawValue)
        }
        // A JSON object has no value that a field can hold.
        let holdable = columns.indices.filter { index in
            !columns[index].isWithheld && (!columns[index].hasObjects || columns[index].role == .name)
        }
        // Roles come first if there are more columns than fields.
        let ranked = holdable.filter { columns[$0].role != nil } + holdable.filter { columns[$0].role == nil }
        let fitting = Set(ranked.prefix(SettingsLimits.fields - fields.count))
        for (index, column) in columns.enumerated() where column.isWithheld || fitting.contains(index) {
            let key =
                column.own?.key ?? column.role?.rawValue
                ?? FieldKey.unique(
                    column.heading, among: taken + FieldRole.allCases.map(\.rawValue), usesRole: false)
            taken.append(key)
            columns[index].key = key
            fields.append(field(key, of: column))
        }
        settings.fields = fields
    }

    private func field(_ key: String, of column: ColumnSummary) -> FieldSettings {
        var field = FieldSettings(key: key, from: FieldTemplate([.column(column.heading)]).description)
        if column.type != column.role?.type ?? .text { field.type = column.type }
        (field.format, field.split) = (column.format, column.separator)
        if column.role == .name { field.format = column.meaning.nameForm?.rawValue }
        if column.isWithheld {
            field.show = .never
        } else if column.role?.isMark == true {
            field.show = .private
        }
        return field
    }

    /// The template of the name, if no column has the whole name: first and last name, in the order of the language.
    private var nameTemplate: String? {
        func heading(_ role: FieldRole) -> String? {
            columns.first { $0.role == role && !$0.isWithheld }.map { $0.heading }
        }
        if columns.contains(where: { $0.role == .name }) { return nil }
        let (first, last) = (heading(.firstName), heading(.lastName))
        let infix = columns.filter { $0.meaning.isInfix && !$0.isWithheld }.prefix(1).map(\.heading)
        guard let first, let last else { return (first ?? last).map { FieldTemplate([.column($0)]).description } }
        let parts: [FieldTemplate.Part] =
            switch settings.language {
            case "ko", "zh": [.column(last), .column(first)]
            case "ja": [.column(last), .text(" "), .column(first)]
            default:
                [.column(first), .text(" ")] + infix.flatMap { [.column($0), .text(" ")] } + [.column(last)]
            }
        return FieldTemplate(parts).description
    }
}

// MARK: - Lists of keys

extension Inference {
    /// The order in which roles become filters, before other columns.
    static let filterRoles: [FieldRole] = [.department, .location, .country, .organization, .title]
    /// Roles whose values identify people, or are not text to choose from.
    static let rolesWithoutFilter = ColumnSummary.rolesWithType.union([.joined, .about, .reputation])
    static let searchRoles: [FieldRole] = [
        .name, .reading, .login, .title, .department, .organization, .location, .skills,
    ]
    static let maxInferredFilters = 6

    private mutating func inferLists() {
        let fields = ResolvedSettings(DirectorySettings(own: own, inferred: settings)).shown.fields
        let isPublic = { (key: String) in fields.contains { $0.key == key } }
        let has = { (role: FieldRole) in isPublic(role.rawValue) }
        /// The columns with a public field of their own that the publisher does not assign to another field.
        let shown = columns.compactMap { column in
            column.key.flatMap { key in isPublic(key) ? (column: column, key: key) : nil }
        }

        let filters = shown.filter { column, _ in
            column.isFilter && !(column.role.map(Self.rolesWithoutFilter.contains) ?? false)
        }
        let preferred = Self.filterRoles.compactMap { role in filters.first { $0.column.role == role }?.key }
        let others = filters.map(\.key).filter { !preferred.contains($0) }
        settings.filters = Array((preferred + others).prefix(Self.maxInferredFilters))

        // The first two that at least a third of the people have.
        let group = has(.department) ? FieldRole.department : .organization
        let roles: [FieldRole] = [.title, group, .location]
        let rows = roles.filter { role in
            shown.contains { $0.column.role == role && $0.column.count * 3 >= records && $0.column.count > 0 }
        }
        settings.rows = rows.prefix(2).map(\.rawValue)
        settings.cards = settings.rows

        let searched = Self.searchRoles.filter(has).map(\.rawValue)
        let searchedFilters = (settings.filters ?? []).filter { !searched.contains($0) }
        settings.search = Array((searched + searchedFilters).prefix(SettingsLimits.search))

        let named = [
            ("name", has(.name)), ("surname", has(.lastName) || has(.reading)), ("reputation", has(.reputation)),
        ]
        let figures = [FieldType.date, .number].flatMap { type in
            shown.filter { $0.column.type == type && $0.column.role != .id && $0.column.role != .reputation }.map(\.key)
        }
        settings.sorts = Array((named.filter(\.1).map(\.0) + figures).prefix(SettingsLimits.sorts))
    }
}

// MARK: - Surnames

extension Inference {
    /// Whether two thirds of whole names tell the surname, and no column has last names or readings.
    private func readsSurnames(_ survey: Survey) -> Bool {
        guard !columns.contains(where: { $0.role == .lastName || $0.role == .reading }),
            let column = columns.firstIndex(where: { $0.role == .name && !$0.isWithheld })
        else { return false }
        let form = columns[column].meaning.nameForm
        let texts = survey.columns[column].values.prefix(Self.maxNames).compactMap(\.text)
        let names = texts.map { form?.shown($0) ?? $0 }
        let surname = Surname(language: own.language ?? settings.language ?? "und")
        return !names.isEmpty && names.count { surname.of($0) != nil } * 3 >= names.count * 2
    }

    private static let maxNames = 300
}

extension Inference {
    /// A sentence for each column of dates that fit two formats and therefore stay text.
    public var ambiguousDates: [String] {
        columns.filter { !$0.isWithheld && $0.hasAmbiguousDates }.compactMap { column in
            column.key.map { key in
                """
                \(column.heading): dates may begin with the day or with the month, so they stay text; set \
                "type": "date" and "format": "dmy" or "mdy" for the field "\(key)" in the settings
                """
            }
        }
    }
}

extension DirectorySettings {
    /// Adds the orders by fields that are numbers or dates now but not in `earlier`, as inference would have: the
    /// publisher has named the format of dates, for example.
    public mutating func offerSorts(notIn earlier: DirectorySettings) {
        let isSortable = { (field: Field) in field.type == .number || field.type == .date }
        let earlierKeys = Set(ResolvedSettings(earlier).fields.map(\.field).filter(isSortable).map(\.key))
        for field in ResolvedSettings(self).shown.fields where isSortable(field) {
            let sorts = inferred.sorts ?? []
            guard !earlierKeys.contains(field.key), field.role != .id, !sorts.contains(field.key),
                sorts.count < SettingsLimits.sorts
            else { continue }
            inferred.sorts = sorts + [field.key]
        }
    }
}
