import Bytes
import Directories

/// The texts of users whose ids ascend.
struct TextReading {
    /// Some neighbours are sooner stepped over than sought.
    private static let near = 16
    private let statement: Statement
    private var current: Int64?

    /// Reset the statement when done: `id, text, reputation` of `userText` from an id on.
    init(_ statement: Statement) {
        self.statement = statement
    }

    /// Goes to the one with `id`; answers whether there is one.
    mutating func go(to id: Int64) throws -> Bool {
        if let current, id > current, id - current <= Int64(Self.near) {
            while try statement.step() {
                self.current = statement.number(0)
                if statement.number(0) >= id { return statement.number(0) == id }
            }
            self.current = nil
            return false
        }
        statement.reset()
        statement.bind(id, at: 1)
        current = nil
        guard try statement.step() else { return false }
        current = statement.number(0)
        return current == id
    }
}

extension SQLiteReader {
    /// The texts from an id on; see ``TextReading``.
    func texts(of directory: Int64) throws -> Statement {
        try connection.statement("SELECT id, text, reputation FROM userText\(directory) WHERE id >= ? ORDER BY id")
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

    /// Takes the user on whom a ``TextReading`` stands.
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
