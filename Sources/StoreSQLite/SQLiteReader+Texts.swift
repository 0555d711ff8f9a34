import Bytes
import Directories

extension SQLiteReader {
    /// How many texts a statement reads.
    private static let textsAtOnce = 32

    /// Calls `body` with a statement that stands on `id, text, reputation` of each user in `ids`, ascending, until it answers
    /// `false`.
    ///
    /// Several at once: a statement for each one takes a sixth longer.
    func forEachText(of ids: IDSet, in directory: Int64, _ body: (Statement) throws -> Bool) throws {
        let places = (1...Self.textsAtOnce).map { "(?\($0))" }.joined(separator: ", ")
        let statement = try connection.statement(
            .texts(of: directory),
            """
            SELECT id, text, reputation FROM (VALUES \(places)) AS wanted
            CROSS JOIN userText\(directory) ON id = wanted.column1
            """)
        defer { statement.reset() }
        var id = ids.next(after: nil, isDescending: false)
        while id != nil {
            for place in 1...Self.textsAtOnce {
                statement.bind(id ?? 0, at: Int32(place))  // Nobody has the id 0.
                id = id.flatMap { ids.next(after: $0, isDescending: false) }
            }
            while try statement.step() {
                guard try body(statement) else { return }
            }
            statement.reset()
        }
    }

    /// The same of one user, whose id is to be bound.
    func text(of directory: Int64) throws -> Statement {
        try connection.statement("SELECT id, text, reputation FROM userText\(directory) WHERE id = ?")
    }
}

/// Users with what an order compares, to be sorted.
struct Sorting {
    /// The texts of `places`.
    private var text: [UInt8] = []
    private var places: [SortKey] = []
    private let key: Sort.Key

    init(by key: Sort.Key) {
        self.key = key
    }

    var count: Int { places.count }

    /// Takes the user on whose `id, text, reputation` `statement` stands.
    mutating func append(_ statement: Statement) {
        let id = statement.number(0)
        switch key {
        case .id: places.append(SortKey(number: .min, id: id))
        case .reputation: places.append(SortKey(number: statement.number(2), id: id))
        case .login: places.append(SortKey(keeping: SearchedText(statement.bytes(1)).loginKey, in: &text, id: id))
        case .name: places.append(SortKey(keeping: SearchedText(statement.bytes(1)).nameKey, in: &text, id: id))
        }
    }

    /// The ids in the ascending order.
    mutating func sorted() -> [Int64] {
        // They came in the order by id.
        if key != .id {
            text.withUnsafeBytes { bytes in places.sort { $0.compare(in: bytes, to: $1, in: bytes) < 0 } }
        }
        return places.map(\.id)
    }
}
