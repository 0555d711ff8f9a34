import Base
import People

/// Counts the people of a directory who have a value in some of its columns.
public struct ColumnHolders {
    /// The columns that somebody has a value in, in the order of the directory's columns, and how many have one.
    public var counts: [(column: String, people: Int)] {
        let places = Dictionary(settings.columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        return found.map { (column: $0.key, people: $0.value) }.sorted {
            (places[$0.column] ?? .max, $0.column) < (places[$1.column] ?? .max, $1.column)
        }
    }

    private let settings: ResolvedSettings
    private let isCounted: (String) -> Bool
    private let reader: FieldReader
    /// The fields that a user has a place of its own for, by their columns.
    private let fieldsOfUsers: [(column: String, field: Int, role: FieldRole)]
    private var found: [String: Int] = [:]
    private var isKnown: [String: Bool] = [:]

    /// - Parameters:
    ///   - settings: The settings by which the people are stored.
    ///   - isCounted: Whether a column counts.
    public init(_ settings: ResolvedSettings, isCounted: @escaping (_ column: String) -> Bool) {
        self.settings = settings
        self.isCounted = isCounted
        reader = FieldReader(settings.shown(to: .publisher))
        fieldsOfUsers = settings.fieldsOfUsers.filter { isCounted($0.column) }
    }

    /// Adds people, read with the private columns. A photo of the publisher's own is a value, too.
    public mutating func add(_ users: UserRows) {
        users.text.withUnsafeBytes { text in
            for row in users.rows { add(row.columns.bytes(in: text), hasOwnPhoto: row.hasOwnPicture) }
        }
    }

    private mutating func add(_ record: UserColumns<UnsafeRawBufferPointer>, hasOwnPhoto: Bool) {
        var filled: Set<String> = []
        try? JSON.forEachMember(of: record.more) { key, value in
            let column = key.text
            let counts = isKnown[column] ?? isCounted(column)
            isKnown[column] = counts
            if counts, SurveyedColumn.Value(value) != nil { filled.insert(column) }
        }
        reader.read(record)
        for (column, field, role) in fieldsOfUsers
        where hasOwnPhoto && role == .photo || !reader.text(of: field).isEmpty {
            filled.insert(column)
        }
        for column in filled { found[column, default: 0] += 1 }
    }
}
