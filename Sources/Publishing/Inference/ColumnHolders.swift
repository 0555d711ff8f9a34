import Base
import JSON
import People

/// Counts the people of a directory who have a value in some of its columns.
public struct ColumnHolders {
    /// A column, and how many people have a value in it.
    public struct Count: Equatable, Sendable {
        public var column: String
        public var people: Int
    }

    /// The columns that somebody has a value in, in the order of the directory's columns.
    public var counts: [Count] {
        let places = Dictionary(settings.columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        return found.map { Count(column: $0.key, people: $0.value) }.sorted {
            (places[$0.column] ?? .max, $0.column) < (places[$1.column] ?? .max, $1.column)
        }
    }

    private let settings: ResolvedSettings
    private let isCounted: (String) -> Bool
    private let reader: FieldReader
    /// The fields that a user has a place of its own for, by their columns.
    private let columnsOfUsers: [(column: String, field: Int)]
    private var found: [String: Int] = [:]
    private var isKnown: [String: Bool] = [:]

    /// - Parameters:
    ///   - settings: The settings by which the people are stored.
    ///   - isCounted: Whether a column counts.
    public init(_ settings: ResolvedSettings, isCounted: @escaping (_ column: String) -> Bool) {
        self.settings = settings
        self.isCounted = isCounted
        reader = FieldReader(settings.shown(to: .publisher))
        columnsOfUsers = settings.fields.indices.compactMap { index in
            guard let role = settings.fields[index].role, FieldRole.columnsOfUsers.contains(role), role != .type,
                let column = settings.fields[index].source.onlyColumn, isCounted(column)
            else { return nil }
            return (column, index)
        }
    }

    /// Adds a person, read with the private columns. A photo of the publisher's own is a value, too.
    public mutating func add(_ record: UserColumns<UnsafeRawBufferPointer>, hasOwnPhoto: Bool) {
        var filled: Set<String> = []
        if !record.more.isEmpty {
            try? JSON.forEachMember(of: record.more) { key, value in
                let column = key.text
                let counts = isKnown[column] ?? isCounted(column)
                isKnown[column] = counts
                if counts, SurveyedColumn.Value(value) != nil { filled.insert(column) }
            }
        }
        if !columnsOfUsers.isEmpty {
            reader.read(record)
            for (column, field) in columnsOfUsers {
                let isOwnPhoto = hasOwnPhoto && settings.fields[field].role == .photo
                if isOwnPhoto || !reader.text(of: field).isEmpty { filled.insert(column) }
            }
        }
        for column in filled { found[column, default: 0] += 1 }
    }
}
