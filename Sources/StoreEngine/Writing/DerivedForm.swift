import People
import Publishing

/// Describes the values that settings derive from users. If two have equal forms, nothing has to be derived again.
struct DerivedForm: Equatable {
    private struct Order: Equatable {
        var key: String
        var kind: FieldOrder.Kind
        var sources: [Field]
    }

    /// The language of collation keys and of variants.
    private let language: String
    private let reading: Field?
    private let lastName: Field?
    private let readsSurnames: Bool
    private let searched: [Field]
    private let orders: [Order]
    private let filters: [Field]
    private let maxFilterValues: Int

    init(_ settings: ShownSettings) {
        let fields = settings.fields.map(\.asRead)
        let source = { (index: Int) in fields[index] }
        language = settings.language
        reading = settings.nameReading.map(source)
        lastName = settings.lastName.map(source)
        readsSurnames = settings.wholeNameSurname != nil
        searched = settings.searched.map(source)
        orders = settings.orders.map { order in
            let sources = order.field.map { [source($0)] } ?? (order.key == "surname" ? fields.filter(\.isSurname) : [])
            return Order(key: order.key, kind: order.kind, sources: sources)
        }
        filters = settings.filters.map(source)
        maxFilterValues = settings.maxFilterValues
    }

    func hasSameFilters(as other: DerivedForm) -> Bool {
        filters == other.filters && maxFilterValues == other.maxFilterValues
    }
}

extension Field {
    /// The same in what its values depend on: without a label.
    fileprivate var asRead: Field {
        Field(
            key: key, source: source, type: type, format: format, separator: separator, label: .text(""), role: role)
    }
}

extension StoreConnection {
    /// Derives the texts, orders and search index of directories again whose searched texts have the form of another
    /// version, which may have had other orders, too: see ``SearchedText/form(ofLanguage:)``. Each directory takes one
    /// transaction, during which servers go on reading. `progress` is called with each directory and the number of
    /// users done so far, from 0.
    package func rebuildSearchedTexts(
        nextGeneration: () throws -> Int64, _ progress: (StoredDirectory, Int) -> Void
    ) throws {
        for id in try directoriesWithOtherTexts() {
            defer { removeStatements() }
            try transaction {
                // Another process may have done it meanwhile.
                guard try directoriesWithOtherTexts().contains(id), var directory = try directory(id) else { return }
                progress(directory, 0)
                let tables = try UserTables(directory, on: self)
                try tables.filters.load(directory)
                try tables.reindex(from: directory.settings, to: directory.settings, erasing: nil) {
                    progress(directory, $0)
                }
                try save(&directory, as: nextGeneration())
            }
        }
    }

    package func hasOtherTexts() throws -> Bool { try !directoriesWithOtherTexts().isEmpty }

    private func directoriesWithOtherTexts() throws -> [Int64] {
        try all("SELECT id, settings, textForm FROM directory ORDER BY id") { row in
            let settings = try SettingsCache.shared.settings(row.bytes(1))
            return row.text(2) == SearchedText.form(ofLanguage: settings.language) ? nil : row.number(0)
        }.compactMap(\.self)
    }
}
