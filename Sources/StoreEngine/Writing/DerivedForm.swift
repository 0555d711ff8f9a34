import People

/// Describes the values that settings derive from users. If two have equal forms, nothing has to be derived again.
struct DerivedForm: Equatable {
    /// The source of a field's values, and the way to read them.
    private struct Source: Equatable {
        var key: String
        var template: FieldTemplate
        var type: FieldType
        var format: String?
        var separator: String?

        init(_ field: Field) {
            (key, template, type, format, separator) = (
                field.key, field.source, field.type, field.format, field.separator
            )
        }
    }

    private struct Order: Equatable {
        var key: String
        var kind: FieldOrder.Kind
        var sources: [Source]
    }

    private struct Filters: Equatable {
        var sources: [Source]
        var areNamed: Bool
        var maxValues: Int
    }

    /// The language of collation keys and of variants.
    private let language: String
    private let reading: Source?
    private let lastName: Source?
    private let searched: [Source]
    private let orders: [Order]
    private let filters: Filters

    init(_ settings: ResolvedSettings) {
        let source = { (index: Int) in Source(settings.fields[index]) }
        language = settings.language
        reading = settings.nameReading.map(source)
        lastName = settings.lastName.map(source)
        searched = settings.searched.map(source)
        let surnames = settings.fields.filter { [.lastName, .reading].contains($0.role) && $0.visibility == .public }
        orders = settings.orders.map { order in
            let sources = order.field.map { [source($0)] } ?? (order.key == "surname" ? surnames.map(Source.init) : [])
            return Order(key: order.key, kind: order.kind, sources: sources)
        }
        filters = Filters(
            sources: settings.filters.map(source), areNamed: settings.hasFilters, maxValues: settings.maxFilterValues)
    }

    /// Whether the values of filters are the same.
    func hasSameFilters(as other: DerivedForm) -> Bool { filters == other.filters }
}
