/// The settings of a directory as an audience gets them, resolved for use: every list of keys is a list of indexes, and
/// what the audience may not see is not there at all. So nobody who has this value needs to ask.
///
/// They are made once for each state of the settings and shared by everything that reads users.
///
/// ```swift
/// let settings = directory.settings
/// settings.rows.map { settings.fields[$0].key }  // ["title", "department"]
/// ```
public final class ShownSettings: Sendable {
    /// Those of a directory without settings.
    public static let empty = ShownSettings(Choices())

    /// The choices that settings make for an audience. Each list has only keys of fields that the audience may use in
    /// that way.
    public struct Choices: Equatable, Sendable {
        /// In the order in which profiles show them.
        public var fields: [Field] = []
        /// Keys of fields: shown in rows and on cards, searched, and filters.
        public var rows: [String] = []
        public var cards: [String] = []
        public var search: [String] = []
        public var filters: [String] = []
        /// The greatest number of values that a filter may have.
        public var maxFilterValues = Filter.maxValues
        /// The key of the default order, its direction, and the keys of the orders that are offered.
        public var order = "id"
        public var direction = Sort.Direction.ascending
        public var sorts = ["name", "login"]
        /// The language of names and headings (`de`), or `und`.
        public var language = "und"
        /// Finds the surnames in whole names, which orders by name follow; `nil` if orders follow the names as they
        /// are.
        public var surname: Surname?
        /// The headings of the file that filled the directory, in order; empty if they are not known.
        public var columns: [String] = []
        /// The columns that only this audience gets, as the ``HandleHeading`` of its exports names them; empty for
        /// everybody.
        public var restricted: [ExportLayout: [String]] = [:]
        /// Whether that file had semicolons between its columns.
        public var hadSemicolons = false
        public var looks = Looks()

        public init() {}
    }

    /// How the pages of a directory look: `nil` and empty values are not set.
    public struct Looks: Equatable, Sendable {
        /// A text about the directory: blank lines make paragraphs, URLs become links.
        public var intro = ""
        /// Links to http, https and mailto URLs.
        public var links: [SettingsLink] = []
        public var hasLogo = false
        /// The language that the publisher chose for pages.
        public var language: String?
        public var accent: Colour?
        public var paper: Colour?
        /// A length of CSS, and names of fonts as in CSS.
        public var radius: String?
        public var font: String?
        /// The fields to which the publisher gave an icon, with what pages show for it.
        public var icons: [Icon] = []
        /// `nil` for what the server says.
        public var pictures: PictureMode?
        public var sites = Sites.public

        public init() {}
    }

    /// The icon of a field.
    public struct Icon: Equatable, Sendable {
        /// The key of the field.
        public let key: String
        public let symbol: String

        package init(key: String, symbol: String) { (self.key, self.symbol) = (key, symbol) }
    }

    /// The sites that show a directory, by the word that lists and reports have for it.
    public enum Sites: String, Sendable {
        case `public`
        /// Those behind a sign-in (`rollcall serve --private`), and no others.
        case `private`

        /// The word that marks a private directory in a list; `nil` for public ones, which are not marked.
        public var mark: String? { self == .private ? rawValue : nil }
    }

    package let choices: Choices
    /// In the order in which profiles show them.
    public let fields: [Field]
    /// Indexes in ``fields``: shown in rows and on cards.
    public let rows: [Int]
    public let cards: [Int]
    /// Indexes of the searched fields that are not columns of a user (login and name are always searched).
    public let searched: [Int]
    /// Indexes of the fields that are filters, in the order in which they are shown.
    public let filters: [Int]
    /// The orders that the directory has besides those by id, login and name: those that it offers, and the one by the
    /// figure, which apps ask for.
    public let orders: [FieldOrder]
    /// The keys of all offered orders, as the order menu lists them.
    public let sorts: [String]
    /// The order in which pages and exports show the users unless a request names another.
    public let defaultSort: Sort
    let sourceColumns: [String]
    /// The prepared sources of the fields, by their indexes, and what most readers need of them.
    let sources: [FieldSource]
    let outlines: [FieldOutline]
    /// The indexes of the fields with the id and the login, which not all pages show.
    public let idField: Int?
    public let loginField: Int?
    /// The indexes of the fields with the type of accounts, and with the figure that stands out beside a name.
    public let typeField: Int?
    public let reputationField: Int?
    /// The index of the field with the last name.
    package let lastName: Int?
    /// The indexes of the fields that people are sorted by in the order `surname`, in order of preference.
    package let surnames: [Int]
    /// The index of the field with the reading of names, in Japanese directories: their orders by name follow it. Names
    /// without one follow the usual readings that ICU knows.
    public let nameReading: Int?

    public init(_ choices: Choices) {
        self.choices = choices
        let fields = choices.fields
        self.fields = fields
        let indexes = { (keys: [String]) in keys.compactMap { key in fields.firstIndex { $0.key == key } } }
        rows = indexes(choices.rows)
        cards = indexes(choices.cards)
        searched = indexes(choices.search).filter { ![.login, .name, .id].contains(fields[$0].role) }
        filters = indexes(choices.filters)
        sorts = choices.sorts
        reputationField = fields.index(of: .reputation)
        let figure = FieldRole.reputation.rawValue
        let orders = (sorts + (sorts.contains(figure) ? [] : [figure])).compactMap { FieldOrder($0, fields) }
        self.orders = orders
        defaultSort = Sort.Key(named: choices.order, among: orders).map { Sort($0, choices.direction) } ?? Sort()
        var columns: [String] = []
        for column in fields.flatMap(\.source.columns) where !columns.contains(column) { columns.append(column) }
        sourceColumns = columns
        let numbers = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        sources = fields.map { FieldSource($0, columns: numbers) }
        outlines = fields.map { FieldOutline($0, columns: numbers) }
        (idField, loginField) = (fields.index(of: .id), fields.index(of: .login))
        // Japanese names are written in ideographs, whose order nobody knows.
        let isJapanese = choices.language.primaryLanguage == "ja"
        surnames = (isJapanese ? [FieldRole.reading, .lastName] : [.lastName, .reading]).compactMap(fields.index(of:))
        (lastName, typeField) = (fields.index(of: .lastName), fields.index(of: .type))
        nameReading = isJapanese ? fields.index(of: .reading) : nil
    }

    // See ``Choices``.
    public var language: String { choices.language }
    public var wholeNameSurname: Surname? { choices.surname }
    public var maxFilterValues: Int { choices.maxFilterValues }
    public var columns: [String] { choices.columns }
    public var looks: Looks { choices.looks }

    /// The indexes of the fields that a profile lists: all except those that the page shows elsewhere, such as the name
    /// and the photo.
    public var facts: [Int] { fields.indices.filter { fields[$0].role?.isFact != false } }

    public func index(of role: FieldRole) -> Int? { outlines.firstIndex { $0.role == role } }

    /// Returns the first field that reads this column and nothing else, or `nil`.
    public func field(ofColumn heading: String) -> Field? {
        let lowered = heading.lowercased()
        return fields.first { $0.source.onlyColumn?.lowercased() == lowered }
    }
}

extension ShownSettings: Equatable {
    public static func == (settings: ShownSettings, other: ShownSettings) -> Bool {
        settings === other || settings.choices == other.choices
    }
}

extension Field {
    /// Whether the order `surname` sorts people by the field.
    package var isSurname: Bool { role == .lastName || role == .reading }
}

extension [Field] {
    public func index(of role: FieldRole) -> Int? { firstIndex { $0.role == role } }
}

/// An order by a field, or by the position in the file.
public struct FieldOrder: Hashable, Sendable {
    public enum Kind: Hashable, Sendable { case text, number }

    /// `place`, `surname`, or the key of a field.
    public var key: String
    public var kind: Kind
    /// The index of the field in ``ShownSettings/fields``; `nil` for `place` and `surname`.
    public var field: Int?

    /// The orders that are not by a field.
    package static let builtIn = common + ["place", "surname"]
    /// Those by columns of users.
    package static let common = Sort.Key.common.map(\.name)

    /// Returns `nil` for the orders that every directory has, for keys that no field has, and for `surname` without a
    /// field of last names or readings.
    package init?(_ key: String, _ fields: [Field]) {
        self.key = key
        switch key {
        case _ where Self.common.contains(key): return nil
        case "place": kind = .number
        case "surname":
            guard fields.contains(where: \.isSurname) else { return nil }
            kind = .text
        default:
            guard let index = fields.firstIndex(where: { $0.key == key }) else { return nil }
            field = index
            kind = [.number, .date].contains(fields[index].type) ? .number : .text
        }
    }
}
