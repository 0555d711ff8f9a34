/// The settings of a directory, resolved for use: every field is complete, and every list of keys is a list of indexes.
///
/// They are made once for each state of the settings and shared by everything that reads or writes users.
public final class ResolvedSettings: Sendable {
    /// Those of a directory without settings.
    public static let empty = ResolvedSettings(DirectorySettings())

    /// The settings as they are stored: the publisher's and the inferred ones.
    public let stored: DirectorySettings
    /// All fields, including private ones, in the order in which profiles show them.
    public let fields: [Field]
    /// Indexes in ``fields``: shown in rows and on cards. Only public fields.
    public let rows: [Int]
    public let cards: [Int]
    /// Indexes of the searched fields that are not columns of a user (login and name are always searched).
    public let searched: [Int]
    /// Indexes of the fields that are filters.
    public let filters: [Int]
    /// All filters that a directory with these settings may offer, in the order in which they are shown: counts and
    /// searches know no others. None is of a field that readers do not see.
    public let offeredFilters: [Filter]
    /// The orders that the directory offers besides those by id, login, name and reputation.
    public let orders: [FieldOrder]
    /// The keys of all offered orders, as the order menu lists them; empty in a directory without settings.
    public let sorts: [String]
    /// The default order.
    public let defaultOrder: DefaultOrder
    /// The visibility of columns that no field reads.
    public let others: FieldVisibility
    /// The language of names and headings (`de`), or `und`.
    public let language: String
    /// By heading in lower case: who may see the columns that fields read.
    let columnVisibilities: [String: FieldVisibility]
    /// The columns that fields read, in the order of the fields.
    let sourceColumns: [String]
    /// The prepared sources of the fields, by their indexes, and what most readers need of them.
    let sources: [FieldSource]
    let outlines: [FieldOutline]
    /// The indexes of the public fields with the id and the login, which not all pages show.
    public let idField: Int?
    public let loginField: Int?
    /// Whether the settings have columns that are stored but shown to nobody.
    public let hasPrivateColumns: Bool
    private let hidesType: Bool
    /// The index of the field with the last name; `nil` unless it is public.
    package let lastName: Int?
    /// The indexes of the fields that people are sorted by in the order `surname`, in order of preference.
    let surnames: [Int]
    /// The index of the field with the reading of names, in Japanese directories: their orders by name follow it. Names
    /// without one follow the usual readings that ICU knows.
    public let nameReading: Int?
    /// Finds the surnames in whole names, which orders by name follow; `nil` if orders follow the names as they are.
    public let wholeNameSurname: Surname?

    public struct DefaultOrder: Equatable, Sendable {
        public var key: String
        public var isDescending: Bool

        public init(key: String, isDescending: Bool = false) {
            self.key = key
            self.isDescending = isDescending
        }
    }

    public init(_ settings: DirectorySettings) {
        stored = settings
        isEmpty = settings.saysNothingOfFields
        hasFilters = (settings.own.filters ?? settings.inferred.filters) != nil
        let own = settings.own
        let inferred = settings.inferred
        var fields = settings.resolvedFields
        // Stack Exchange calls the type of an account so; both are one column.
        let types = fields.indices.filter {
            fields[$0].role == .type || fields[$0].source.onlyColumn == "user_type" && settings.columns.isEmpty
        }
        let visibility = types.map { fields[$0].visibility }.min() ?? .public
        for index in types { fields[index].visibility = visibility }
        hidesType = visibility != .public
        self.fields = fields
        others = own.others ?? inferred.others ?? .public
        language = own.language ?? inferred.language ?? "und"
        let indexes = { (keys: [String]?) in
            (keys ?? []).compactMap { key in fields.firstIndex { $0.key == key && $0.visibility == .public } }
        }
        rows = indexes(own.rows ?? inferred.rows)
        cards = indexes(own.cards ?? inferred.cards)
        searched = indexes(own.search ?? inferred.search).filter { ![.login, .name, .id].contains(fields[$0].role) }
        filters = indexes(own.filters ?? inferred.filters)
        let order = own.order ?? inferred.order ?? "id"
        let isDescending = order.hasSuffix(":desc")
        let hasSurnames = fields.contains(where: \.isSurname)
        let namedKey = isDescending ? String(order.dropLast(5)) : order
        // An order by a hidden reputation would reveal it.
        let hidesReputation = fields.contains { $0.role == .reputation && $0.visibility != .public }
        let isOffered = { (key: String) in
            key == "surname" ? hasSurnames : key == "reputation" ? !hidesReputation : true
        }
        let orderKey = isOffered(namedKey) ? namedKey : "name"
        defaultOrder = DefaultOrder(key: orderKey, isDescending: isDescending && isOffered(namedKey))
        let sorts = (own.sorts ?? inferred.sorts ?? []).filter(isOffered)
        self.sorts = isEmpty || sorts.contains(orderKey) ? sorts : [orderKey] + sorts
        var columns: [String] = []
        for column in fields.flatMap(\.source.columns) where !columns.contains(column) { columns.append(column) }
        sourceColumns = columns
        let numbers = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        sources = fields.map { FieldSource($0, columns: numbers) }
        outlines = zip(fields, sources).map(FieldOutline.init)
        (idField, loginField) = (fields.publicIndex(of: .id), fields.publicIndex(of: .login))
        hasPrivateColumns = others == .private || fields.contains { $0.visibility == .private }
        // Japanese names are written in ideographs, whose order nobody knows.
        let isJapanese = language.lowercased().prefix { $0 != "-" && $0 != "_" } == "ja"
        let roles: [FieldRole] = isJapanese ? [.reading, .lastName] : [.lastName, .reading]
        surnames = roles.compactMap { role in
            fields.firstIndex { $0.role == role && $0.isSurname }
        }
        lastName = fields.publicIndex(of: .lastName)
        nameReading = isJapanese ? fields.publicIndex(of: .reading) : nil
        let hasParts = fields.contains { $0.role == .lastName || $0.role == .reading }
        wholeNameSurname = !hasParts && own.surnames ?? inferred.surnames == true ? Surname(language: language) : nil
        columnVisibilities = Dictionary(
            fields.flatMap { field in field.source.columns.map { ($0.lowercased(), field.visibility) } },
            uniquingKeysWith: min)
        orders = self.sorts.compactMap { FieldOrder($0, fields) }
        let visibilities = columnVisibilities.merging(["type": visibility, "user_type": visibility]) { $1 }
        let ofShapes = Filter.ofShapes.filter { [others] in (visibilities[$0.key] ?? others) == .public }
        offeredFilters = hasFilters ? filters.map { Filter(fields[$0].key) } : ofShapes
    }

    /// Whether the settings name the filters. Otherwise the records decide.
    public let hasFilters: Bool

    /// Whether the settings contain no fields but hidden ones, as without settings. Pages then show what the columns of
    /// people have.
    public let isEmpty: Bool

    /// The indexes of the fields that a profile lists: all public ones except those that the page shows elsewhere, such
    /// as the name and the photo.
    public var facts: [Int] {
        fields.indices.filter { fields[$0].visibility == .public && fields[$0].role?.isFact != false }
    }
}

extension DirectorySettings {
    fileprivate var columns: [String] { own.columns ?? inferred.columns ?? [] }

    /// Whether nothing is set except the directory's appearance and hidden fields.
    fileprivate var saysNothingOfFields: Bool {
        guard inferred == Settings() else { return false }
        var own = own
        (own.intro, own.accent, own.logo, own.links, own.isPrivate, own.language) = (nil, nil, nil, nil, nil, nil)
        (own.paper, own.radius, own.font, own.pictures) = (nil, nil, nil, nil)
        (own.leaveOut, own.surnames) = (nil, nil)
        if own.fields?.allSatisfy({ $0.show == .private || $0.show == .never }) == true { own.fields = nil }
        return own == Settings()
    }

    /// The fields, with every member complete: the publisher's with a source in their order, then the inferred ones
    /// that the publisher does not replace, then columns of users that a list names and no field reads. A field for
    /// which the publisher sets no source, but only a label for example, keeps its place among the inferred ones.
    var resolvedFields: [Field] {
        // A column's name takes the case that it has in the file.
        let headings = Dictionary(
            (own.columns ?? inferred.columns ?? []).map { ($0.lowercased(), $0) },
            uniquingKeysWith: { first, _ in first })
        let named = (own.fields ?? []).map { field in
            Field(field, inferred: inferred.fields?.first { $0.key == field.key }, others: nil, headings)
        }
        let replaced = Set(named.compactMap { $0.source.onlyColumn?.lowercased() })
        let unmoved = Set(
            (own.fields ?? []).filter { field in
                field.from == nil && inferred.fields?.contains { $0.key == field.key } == true
            }.map(\.key))
        let others = (inferred.fields ?? []).compactMap { field -> Field? in
            if let own = named.first(where: { $0.key == field.key }) { return unmoved.contains(own.key) ? own : nil }
            if let column = FieldTemplate(field.from ?? field.key).onlyColumn, replaced.contains(column.lowercased()) {
                return nil
            }
            var complete = field
            complete.label = field.label?.asBuiltIn
            return Field(complete, inferred: nil, others: own.others, headings)
        }
        let fields = named.filter { !unmoved.contains($0.key) } + others
        let lists = [own.rows ?? inferred.rows, own.cards ?? inferred.cards, own.filters ?? inferred.filters]
        let missing = FieldRole.columnsOfUsers.filter { role in
            lists.contains { $0?.contains(role.rawValue) == true } && !fields.contains { $0.role == role }
        }
        return fields + missing.map { Field(FieldSettings(key: $0.rawValue), inferred: nil, others: nil, headings) }
    }
}

extension Field {
    /// Whether the order `surname` sorts people by the field.
    var isSurname: Bool { visibility == .public && (role == .lastName || role == .reading) }

    /// Completes `settings` with `inferred` and the role's defaults. A field that is not the publisher's is not more
    /// visible than `others`.
    fileprivate init(
        _ settings: FieldSettings, inferred: FieldSettings?, others: FieldVisibility?, _ headings: [String: String]
    ) {
        let from = settings.from ?? inferred?.from
        let source = FieldTemplate(from ?? settings.key).renaming { headings[$0.lowercased()] ?? $0 }
        let heading = from == nil ? nil : source.onlyColumn.map(FieldLabel.init(heading:))
        let role = FieldRole(rawValue: settings.key)
        self.init(
            key: settings.key, source: source, type: settings.type ?? inferred?.type ?? role?.type ?? .text,
            format: settings.format ?? inferred?.format, separator: settings.split ?? inferred?.split,
            label: settings.label ?? inferred?.label?.asBuiltIn ?? heading
                ?? role.map { .builtIn($0.label) } ?? FieldLabel(heading: settings.key),
            icon: settings.icon ?? inferred?.icon ?? role?.icon,
            visibility: min(settings.show ?? inferred?.show ?? .public, others ?? .public))
    }
}

/// An order by a field, or by the position in the file.
public struct FieldOrder: Hashable, Sendable {
    public enum Kind: Hashable, Sendable { case text, number }

    /// `place`, `surname`, or the key of a field.
    public var key: String
    public var kind: Kind
    /// The index of the field in ``ResolvedSettings/fields``; `nil` for `place` and `surname`.
    public var field: Int?

    /// The orders that are not by a field. The first four are by columns of users.
    static let builtIn = ["id", "login", "name", "reputation", "place", "surname"]

    /// Returns `nil` for the orders that every directory has, for keys that no public field has, and for `surname`
    /// without a public field of last names or readings.
    init?(_ key: String, _ fields: [Field]) {
        self.key = key
        if Self.builtIn.prefix(4).contains(key) { return nil }
        if key == "place" || key == "surname" {
            kind = key == "place" ? .number : .text
            guard key == "place" || fields.contains(where: \.isSurname) else { return nil }
            return
        }
        guard let index = fields.firstIndex(where: { $0.key == key && $0.visibility == .public }) else { return nil }
        field = index
        kind = [.number, .date].contains(fields[index].type) ? .number : .text
    }
}

extension [Field] {
    /// Returns the index of the public field with `role`, or `nil`.
    public func publicIndex(of role: FieldRole) -> Int? {
        firstIndex { $0.role == role && $0.visibility == .public }
    }
}

extension ResolvedSettings: Equatable {
    public static func == (settings: ResolvedSettings, other: ResolvedSettings) -> Bool {
        settings === other || settings.stored == other.stored
    }
}

extension ResolvedSettings {
    /// Whether only private sites show the directory.
    public var isPrivate: Bool { stored.own.isPrivate ?? stored.inferred.isPrivate ?? false }

    /// Whether a column of `earlier` is not stored any more.
    public func erasesColumns(of earlier: ResolvedSettings) -> Bool {
        others == .never && earlier.others != .never
            || (earlier.columns + earlier.sourceColumns + sourceColumns).contains { erases($0, of: earlier) }
    }

    /// Whether the values of `column` are not stored any more, and `earlier` stored them.
    public func erases(_ column: String, of earlier: ResolvedSettings) -> Bool {
        visibility(ofColumn: column) == .never && earlier.visibility(ofColumn: column) != .never
    }

    /// Whether a field with `role` is private, or not stored.
    public func hides(_ role: FieldRole) -> Bool {
        if role == .type { return hidesType }
        // To copy a whole field costs more than to look at it.
        return fields.indices.contains { fields[$0].role == role && fields[$0].visibility != .public }
    }

    /// Whether a field reads the column `heading`.
    public func reads(_ heading: String) -> Bool { columnVisibilities[heading.lowercased()] != nil }

    /// The headings of the file that filled the directory, in order; empty if they are not known.
    public var columns: [String] { stored.columns }

    /// Returns the visibility of the column `heading`: if several fields read it, the most restrictive of theirs. A
    /// withheld heading that no field reads is `never`.
    public func visibility(ofColumn heading: String) -> FieldVisibility {
        if let visibility = columnVisibilities[heading.lowercased()] { return visibility }
        // Only tables of publishers have columns that are withheld.
        if columns.isEmpty { return others }
        return Withheld.matches(heading: heading) ? .never : others
    }

    /// Returns the first field that reads this column and nothing else, or `nil`.
    public func field(ofColumn heading: String) -> Field? {
        let lowered = heading.lowercased()
        return fields.first { $0.source.onlyColumn?.lowercased() == lowered }
    }
}
