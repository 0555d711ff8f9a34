import People

/// The settings of a directory as its publisher has them, resolved: every field is complete, and with the people who
/// may see it. An audience gets another value, ``ShownSettings``, which has its part of the settings and nothing else.
///
/// They are made once for each state of the settings and shared by everything that writes users.
///
/// ```swift
/// let settings = ResolvedSettings(stored)             // "Salary" is private
/// settings.split(["Name", "Salary"]).restricted       // ["Salary"]
/// settings.shown(to: .everyone).fields.map(\.key)     // ["name"]
/// ```
public final class ResolvedSettings: Sendable {
    /// Those of a directory without settings.
    public static let empty = ResolvedSettings(DirectorySettings())

    /// The settings as they are stored: the publisher's and the inferred ones.
    public let stored: DirectorySettings
    /// All fields, including private ones, in the order in which profiles show them.
    public let fields: [ResolvedField]
    /// What everybody gets.
    public let shown: ShownSettings
    package let visibilities: ColumnVisibilities
    private let splitColumns: SplitColumns
    /// What not everybody gets.
    public let hidden: HiddenColumns
    /// Whether the settings have columns that are stored but shown to nobody.
    public let hasPrivateColumns: Bool

    public init(_ settings: DirectorySettings) {
        stored = settings
        let fields = settings.fieldsOfOneType
        self.fields = fields
        let others = settings.own.others ?? settings.inferred.others ?? .public
        hasPrivateColumns = others == .private || fields.contains { $0.visibility == .private }
        visibilities = ColumnVisibilities(fields, others, isTable: !settings.columns.isEmpty)
        splitColumns = SplitColumns(settings.columns, visibilities)
        let roles = Set(fields.filter { $0.visibility != .public }.compactMap(\.role))
        hidden = HiddenColumns(roles: roles, visibilities: visibilities)
        shown = ShownSettings(settings.choices(fields, splitColumns))
    }

    /// Returns what `audience` gets. All get the same lists, filters and orders: those of everybody.
    public func shown(to audience: Audience) -> ShownSettings {
        if audience == .everyone { return shown }
        var choices = shown.choices
        choices.fields = fields.map(\.field)
        choices.columns = splitColumns.stored
        if hasPrivateColumns {
            let roles = FieldRole.columnsOfExports.filter(hides).map(\.rawValue)
            let read = fields.filter { $0.visibility == .private }.flatMap(\.source.columns)
            let all = others == .private ? ["*"] : []
            choices.restricted = [
                .source: splitColumns.restricted,
                .rollcall: roles + read.filter { !roles.contains($0.lowercased()) } + all,
            ]
        }
        return ShownSettings(choices)
    }

    /// Returns what rows have and `audience` does not get; `nil` for nothing.
    public func hidden(from audience: Audience) -> HiddenColumns? {
        guard audience == .everyone, hasPrivateColumns || hides(.photo) else { return nil }
        return hidden
    }
}

extension DirectorySettings {
    /// The choices for everybody: the public parts of the settings.
    fileprivate func choices(_ fields: [ResolvedField], _ columns: SplitColumns) -> ShownSettings.Choices {
        var choices = ShownSettings.Choices()
        choices.fields = fields.filter { $0.visibility == .public }.map(\.field)
        let keys = Set(choices.fields.map(\.key))
        let shown = { (list: [String]?) in (list ?? []).filter(keys.contains) }
        choices.rows = shown(own.rows ?? inferred.rows)
        choices.cards = shown(own.cards ?? inferred.cards)
        choices.search = shown(own.search ?? inferred.search)
        choices.filters = shown(filters)
        choices.maxFilterValues = own.filters == nil ? Filter.maxValues : Filter.maxOwnValues
        // An order by a hidden field would reveal it.
        let isOffered = { [fields = choices.fields] (key: String) in
            FieldOrder.common.contains(key) || FieldOrder(key, fields) != nil
        }
        let order = (own.order ?? inferred.order ?? "id").split(separator: ":", maxSplits: 1)
        if let key = order.first.map(String.init), isOffered(key) {
            (choices.order, choices.direction) = (key, order.count > 1 ? .descending : .ascending)
        } else {
            choices.order = "name"
        }
        let standard = saysNothingOfFields ? choices.sorts : []
        choices.sorts = (own.sorts ?? inferred.sorts ?? standard).filter(isOffered)
        if !choices.sorts.contains(choices.order) { choices.sorts.insert(choices.order, at: 0) }
        choices.language = own.language ?? inferred.language ?? "und"
        let hasParts = fields.contains { $0.role == .lastName || $0.role == .reading }
        if !hasParts, own.surnames ?? inferred.surnames == true {
            choices.surname = Surname(language: choices.language)
        }
        choices.columns = columns.shown
        choices.hadSemicolons = inferred.separator != nil
        choices.looks = looks
        // Another program may have written the keys, too: see ``looks``.
        let named = own.fields.filter { keys.contains($0.key) && SettingsRule.isKey.holds($0.key) }
        choices.looks.icons = named.compactMap { field in
            let symbol = SettingsLimits.symbols.first { $0.icon == field.icon }
            return symbol.map { ShownSettings.Icon(key: field.key, symbol: $0.text) }
        }
        return choices
    }

    private var looks: ShownSettings.Looks {
        var looks = ShownSettings.Looks()
        looks.intro = own.intro ?? inferred.intro ?? ""
        looks.links = own.links ?? inferred.links ?? []
        looks.hasLogo = (own.logo ?? inferred.logo)?.isEmpty == false
        looks.language = own.language
        looks.accent = own.accent.flatMap { Colour($0) }
        looks.paper = own.paper.flatMap { Colour($0) }
        // Another program may have written these into the database, and text in a style sheet has no escaping.
        looks.radius = own.radius.flatMap { SettingsRule.isRadius.holds($0) ? $0 : nil }
        looks.font = own.font.flatMap { SettingsRule.isFont.holds($0) ? $0 : nil }
        looks.pictures = own.pictures
        looks.sites = own.isPrivate ?? inferred.isPrivate ?? false ? .private : .public
        return looks
    }

    /// The fields. All fields of the type have one visibility: Stack Exchange calls it `user_type`, and both are one
    /// value.
    fileprivate var fieldsOfOneType: [ResolvedField] {
        var fields = resolvedFields
        let visibility = fields.filter { $0.role == .type }.map(\.visibility).min()
        for index in fields.indices where fields[index].role == .type {
            fields[index].visibility = visibility ?? .public
        }
        return fields
    }
}

extension DirectorySettings {
    /// The headings of the file that filled the directory, in order; empty if they are not known.
    var columns: [String] { own.columns ?? inferred.columns ?? [] }

    /// The keys of the fields that are filters. Without settings for fields, it is the type.
    fileprivate var filters: [String] {
        own.filters ?? inferred.filters ?? (saysNothingOfFields ? [FieldRole.type.rawValue] : [])
    }

    /// Whether nothing is set except the directory's appearance and hidden fields.
    fileprivate var saysNothingOfFields: Bool {
        guard inferred == Settings() else { return false }
        var own = own
        (own.intro, own.accent, own.logo, own.links, own.isPrivate, own.language) = (nil, nil, nil, nil, nil, nil)
        (own.paper, own.radius, own.font, own.pictures) = (nil, nil, nil, nil)
        (own.leaveOut, own.surnames) = (nil, nil)
        if own.fields.allSatisfy({ $0.show == .private || $0.show == .never }) { own.fields = [] }
        return own == Settings()
    }

    /// The fields, with every member complete: the publisher's with a source in their order, then the inferred ones
    /// that the publisher does not replace, then columns of users that a list names and no field reads. A field for
    /// which the publisher sets no source, but only a label for example, keeps its place among the inferred ones.
    var resolvedFields: [ResolvedField] {
        // A column's name takes the case that it has in the file.
        let headings = Dictionary(
            columns.map { ($0.folded, $0) }, uniquingKeysWith: { first, _ in first })
        let named = own.fields.map { ResolvedField($0, inferred: inferred.field($0.key), others: nil, headings) }
        let replaced = Set(named.compactMap { $0.source.onlyColumn?.folded })
        let unmoved = Set(own.fields.filter { $0.from == nil && inferred.field($0.key) != nil }.map(\.key))
        let others = inferred.fields.compactMap { field -> ResolvedField? in
            if let own = named.first(where: { $0.key == field.key }) { return unmoved.contains(own.key) ? own : nil }
            if let column = field.onlyColumn, replaced.contains(column.folded) { return nil }
            var complete = field
            complete.label = field.label?.asBuiltIn
            return ResolvedField(complete, inferred: nil, others: own.others, headings)
        }
        let fields = named.filter { !unmoved.contains($0.key) } + others
        let lists = [own.rows ?? inferred.rows, own.cards ?? inferred.cards, filters]
        let missing = FieldRole.columnsOfExports.filter { role in
            lists.contains { $0?.contains(role.rawValue) == true } && !fields.contains { $0.role == role }
        }
        return fields
            + missing.map { ResolvedField(FieldSettings(key: $0.rawValue), inferred: nil, others: nil, headings) }
    }
}

extension ResolvedField {
    /// Completes `settings` with `inferred` and the role's defaults. A field that is not the publisher's is not more
    /// visible than `others`.
    fileprivate init(
        _ settings: FieldSettings, inferred: FieldSettings?, others: FieldVisibility?, _ headings: [String: String]
    ) {
        let from = settings.from ?? inferred?.from
        let source = FieldTemplate(from ?? settings.key).renaming { headings[$0.folded] ?? $0 }
        let heading = from == nil ? nil : source.onlyColumn.map(FieldLabel.init(heading:))
        let role = FieldRole(rawValue: settings.key)
        field = Field(
            key: settings.key, source: source, type: settings.type ?? inferred?.type ?? role?.type ?? .text,
            format: settings.format ?? inferred?.format, separator: settings.split ?? inferred?.split,
            label: settings.label ?? inferred?.label?.asBuiltIn ?? heading
                ?? role.map { .builtIn($0.label) } ?? FieldLabel(heading: settings.key),
            // Only for Stack Exchange, whose records are not a table.
            role: headings.isEmpty && source.onlyColumn == Field.stackExchangeType ? .type : role)
        visibility = min(settings.show ?? inferred?.show ?? .public, others ?? .public)
    }
}

/// A field of a directory as its publisher has it: with the people who may see it.
@dynamicMemberLookup
public struct ResolvedField: Equatable, Sendable {
    public var field: Field
    public var visibility: FieldVisibility

    public subscript<Value>(dynamicMember path: KeyPath<Field, Value>) -> Value { field[keyPath: path] }
}

extension ResolvedSettings: Equatable {
    public static func == (settings: ResolvedSettings, other: ResolvedSettings) -> Bool {
        settings === other || settings.stored == other.stored
    }
}

extension ResolvedSettings {
    /// Returns the line about the directory `slug` if it has become private, or public, since it had the settings
    /// `earlier`.
    public func visibilityChange(of slug: Slug, since earlier: ResolvedSettings) -> String? {
        let (old, new) = (earlier.shown.looks.sites, shown.looks.sites)
        return old == new ? nil : "\(slug) was \(old.rawValue); it is \(new.rawValue) now"
    }

    /// The columns that are stored, and were not with the settings `earlier`.
    public func storedColumns(besides earlier: ResolvedSettings) -> [String] {
        earlier.split(splitColumns.stored).leftOut
    }

    /// Whether a field with `role` is private, or not stored.
    public func hides(_ role: FieldRole) -> Bool { hidden.roles.contains(role) }

    /// Whether pictures of people are fetched.
    public var storesPictures: Bool { !hides(.photo) && (stored.own.pictures ?? .cache) == .cache }

    /// The fields whose values are columns of users, and the column of the source that each one reads.
    var fieldsOfUsers: [(column: String, field: Int, role: FieldRole)] {
        fields.indices.compactMap { index in
            guard let role = fields[index].role, FieldRole.columnsOfUsers.contains(role),
                let column = fields[index].source.onlyColumn
            else { return nil }
            return (column, index, role)
        }
    }

    public func field(_ role: FieldRole) -> ResolvedField? { fields.first { $0.role == role } }

    /// The headings of the file that filled the directory, in order; empty if they are not known.
    public var columns: [String] { stored.columns }

    /// The language of names and headings (`de`), or `und`.
    public var language: String { shown.language }

    /// The visibility of columns that no field reads.
    public var others: FieldVisibility { visibilities.others }

    /// Returns the visibility of the column `heading`: if several fields read it, the most restrictive of theirs. A
    /// withheld heading that no field reads is `never`.
    public func visibility(ofColumn heading: String) -> FieldVisibility { visibilities[heading] }

    /// Returns `columns`, which need not be those of the directory, by who gets their values.
    public func split(_ columns: [String]) -> SplitColumns { SplitColumns(columns, visibilities) }

    /// Returns the first field that reads this column and nothing else, or `nil`.
    public func field(ofColumn heading: String) -> ResolvedField? {
        let folded = heading.folded
        return fields.first { $0.source.onlyColumn?.folded == folded }
    }
}

/// Who may see the columns of a directory.
package struct ColumnVisibilities: Sendable {
    /// By folded heading, as imports tell columns apart, and by the headings that fields name, which rows mostly have:
    /// those of the columns that fields read. If several read one, the most restrictive.
    package private(set) var ofFields: [String: FieldVisibility]
    let others: FieldVisibility
    /// Whether the columns are those of a publisher's table. Only such have headings that are withheld.
    private let isTable: Bool

    init(_ fields: [ResolvedField], _ others: FieldVisibility, isTable: Bool) {
        let columns = fields.flatMap { field in field.source.columns.map { ($0, field.visibility) } }
        ofFields = Dictionary(columns.map { ($0.folded, $1) }, uniquingKeysWith: min)
        for (heading, _) in columns { ofFields[heading] = ofFields[heading.folded] }
        (self.others, self.isTable) = (others, isTable)
    }

    /// Returns the visibility of a column that a field reads; `nil` for others.
    func ofField(_ heading: String) -> FieldVisibility? { ofFields[heading] ?? ofFields[heading.folded] }

    subscript(heading: String) -> FieldVisibility {
        ofField(heading) ?? (isTable && Withheld.matches(heading: heading) ? .never : others)
    }
}

/// Columns by who gets their values, each list in their order.
public struct SplitColumns: Sendable {
    /// Those of everybody.
    public let shown: [String]
    /// Those of the publisher alone.
    public let restricted: [String]
    /// Those that nobody gets, because they are not stored.
    public let leftOut: [String]
    /// All that are stored.
    public let stored: [String]

    fileprivate init(_ columns: [String], _ visibilities: ColumnVisibilities) {
        let found = columns.map { (column: $0, visibility: visibilities[$0]) }
        let those = { (visible: Set<FieldVisibility>) in
            found.filter { visible.contains($0.visibility) }.map(\.column)
        }
        (shown, restricted, leftOut) = (those([.public]), those([.private]), those([.never]))
        stored = those([.public, .private])
    }
}
