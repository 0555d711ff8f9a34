import People

/// Describes the values that a plan derives from users. If two plans have equal forms, nothing has to be derived again.
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
    private let searched: [Source]
    private let orders: [Order]
    private let filters: Filters

    init(_ plan: FieldPlan) {
        let source = { (index: Int) in Source(plan.fields[index]) }
        language = plan.language
        reading = plan.nameReading.map(source)
        searched = plan.searched.map(source)
        let surnames = plan.fields.filter { [.lastName, .reading].contains($0.role) && $0.visibility == .public }
        orders = plan.orders.map { order in
            let sources = order.field.map { [source($0)] } ?? (order.key == "surname" ? surnames.map(Source.init) : [])
            return Order(key: order.key, kind: order.kind, sources: sources)
        }
        filters = Filters(
            sources: plan.filters.map(source), areNamed: plan.hasFilters, maxValues: plan.maxFacetValues)
    }

    /// Whether the values of filters are the same.
    func hasSameFilters(as other: DerivedForm) -> Bool { filters == other.filters }
}
