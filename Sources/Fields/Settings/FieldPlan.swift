/// The settings of a directory, resolved for use: every field complete, every list of keys as indexes of fields.
///
/// A plan is made once for each state of the settings and shared by everything that reads or writes users.
public final class FieldPlan: Sendable {
    /// The plan of a directory without settings.
    public static let empty = FieldPlan(DirectorySettings())

    public let settings: DirectorySettings
    /// All fields, also private ones, in the order in which profiles show them.
    public let fields: [Field]
    /// Indexes in ``fields``: shown in rows and on cards. Only public fields.
    public let rows: [Int]
    public let cards: [Int]
    /// Indexes of the searched fields that are not columns of a user (login and name are always searched).
    public let searched: [Int]
    /// Indexes of the fields that are filters.
    public let filters: [Int]
    /// The orders that the directory offers beside those by id, login, name and reputation.
    public let orders: [FieldOrder]
    /// The keys of all offered orders, as the order menu lists them.
    public let sorts: [String]
    /// The default order.
    public let defaultOrder: DefaultOrder
    /// The visibility of columns that no field reads.
    public let others: FieldVisibility
    /// The language of names and headings (`de`), or `und`.
    public let language: String

    public struct DefaultOrder: Equatable, Sendable {
        public var key: String
        public var isDescending: Bool

        public init(key: String, isDescending: Bool = false) {
            self.key = key
            self.isDescending = isDescending
        }
    }

    public init(_ settings: DirectorySettings) {
        self.settings = settings
        let own = settings.own
        let inferred = settings.inferred
        let fields = Self.fields(own.fields ?? [], inferred.fields ?? [])
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
        sorts = own.sorts ?? inferred.sorts ?? []
        let order = own.order ?? inferred.order ?? "id"
        let isDescending = order.hasSuffix(":desc")
        let orderKey = isDescending ? String(order.dropLast(5)) : order
        defaultOrder = DefaultOrder(key: orderKey, isDescending: isDescending)
        orders = ((sorts.contains(orderKey) ? [] : [orderKey]) + sorts).compactMap { FieldOrder($0, fields) }
    }

    /// Whether the directory has no settings, as those of earlier versions.
    public var isEmpty: Bool { settings.isEmpty }

    /// Merges the publisher's settings of fields into the inferred ones, by key. Fields that the publisher names come
    /// in the publisher's order, before the others.
    private static func fields(_ own: [FieldSettings], _ inferred: [FieldSettings]) -> [Field] {
        let others = inferred.filter { field in !own.contains { $0.key == field.key } }
        return (own + others).map { field in
            let known = inferred.first { $0.key == field.key }
            let source = field.from ?? known?.from ?? field.key
            return Field(
                key: field.key, source: FieldTemplate(source), type: field.type ?? known?.type ?? .text,
                format: field.format ?? known?.format, separator: field.split ?? known?.split,
                label: field.label ?? known?.label ?? .text(source), icon: field.icon ?? known?.icon,
                visibility: field.show ?? known?.show ?? .public)
        }
    }
}

/// An order by a field, or by the place in the file.
public struct FieldOrder: Hashable, Sendable {
    public enum Kind: Hashable, Sendable { case text, number }

    /// `place`, `surname`, or the key of a field.
    public var key: String
    public var kind: Kind
    /// The index of the field in ``FieldPlan/fields``; `nil` for `place` and `surname`.
    public var field: Int?

    /// Returns `nil` for the orders that every directory has, and for keys that no public field has.
    init?(_ key: String, _ fields: [Field]) {
        self.key = key
        if ["id", "login", "name", "reputation"].contains(key) { return nil }
        if key == "place" || key == "surname" {
            kind = key == "place" ? .number : .text
            return
        }
        guard let index = fields.firstIndex(where: { $0.key == key && $0.visibility == .public }) else { return nil }
        field = index
        kind = [.number, .date].contains(fields[index].type) ? .number : .text
    }
}

extension FieldPlan: Equatable {
    public static func == (plan: FieldPlan, other: FieldPlan) -> Bool {
        plan === other || plan.settings == other.settings
    }
}
