import Base
import People

/// The values of a person by which the list can be filtered: each is a link to the people who have it, too.
struct ProfileFilters {
    /// A value as the directory spells it, and the number of people who have it.
    typealias Value = (filter: Filter, value: String, count: Int)

    private(set) var all: [Value] = []

    /// A person with more skills than this shows the first ones.
    private static let maxCount = 8

    /// None.
    init() {}

    init(of person: Profile, in directory: Directory) {
        for counts in directory.filters where all.count < Self.maxCount {
            for text in Self.texts(of: counts.filter, person) {
                guard all.count < Self.maxCount, let known = counts.value(text) else { continue }
                all.append((counts.filter, known.value, known.count))
            }
        }
    }

    /// The value that names the person's colleagues: a department or an organization.
    var team: Value? {
        let keys = [FieldRole.department, .organization].map(\.rawValue)
        return keys.lazy.compactMap { key in all.first { $0.filter.key == key } }.first
    }

    /// Whether a value of this field is among these.
    func contains(key: String) -> Bool { all.contains { $0.filter.key == key } }

    /// Returns the texts of a field. Numbers, dates and yes or no say nothing without their label.
    private static func texts(of filter: Filter, _ person: Profile) -> [String] {
        let fields = person.fields.settings.fields
        guard let index = fields.firstIndex(where: { $0.key == filter.key }) else { return [] }
        let field = fields[index]
        // The title stands below the name, languages are among the details, and an ordinary user has no type.
        let isElsewhere = field.role == .title || field.role == .languages
        guard [.text, .list].contains(field.type), !isElsewhere, field.role != .type || !person.type.isEmpty
        else { return [] }
        return person.fields.filterValues(of: index)
    }
}
