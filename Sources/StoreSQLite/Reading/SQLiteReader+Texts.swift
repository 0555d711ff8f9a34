import Bytes
import Directories

extension SQLiteReader {
    /// Calls `body` with each of `ids`, ascending, and the user's text, until it answers `false`.
    func forEachText(
        of ids: IDSet, in directory: Int64, _ body: (_ id: Int64, _ text: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        let texts = BlobReader(connection, table: "userText\(directory)", column: "text")
        defer { texts.close() }
        var next = ids.next(after: nil, isDescending: false)
        while let id = next {
            if let text = try texts.value(id), try !body(id, text) { return }
            next = ids.next(after: id, isDescending: false)
        }
    }

    /// Those of `ids` who are there, to be sorted.
    func sorting(_ ids: IDSet, by key: Sort.Key, in directory: Int64) throws -> SortBuffer {
        var sorting = SortBuffer(by: key)
        if key.isText {
            try forEachText(of: ids, in: directory) { id, text in
                sorting.append(id, text)
                return true
            }
            return sorting
        }
        let statement = try text(of: directory)
        for id in ids.all {
            statement.bind(id, at: 1)
            defer { statement.reset() }
            if try statement.step() { sorting.append(id, reputation: statement.number(2)) }
        }
        return sorting
    }

    /// The statement that stands on `id, text, reputation` of one user, whose id is to be bound.
    func text(of directory: Int64) throws -> Statement {
        try connection.statement("SELECT id, text, reputation FROM userText\(directory) WHERE id = ?")
    }
}

/// Users with what an order compares, to be sorted.
struct SortBuffer {
    /// The texts of `places`.
    private var text: [UInt8] = []
    private var places: [SortKey] = []
    private let key: Sort.Key

    init(by key: Sort.Key) {
        self.key = key
    }

    /// Takes the user `id` of the order by id or by reputation.
    mutating func append(_ id: Int64, reputation: Int64) {
        places.append(SortKey(number: key == .id ? .min : reputation, id: id))
    }

    /// Takes the user `id` of an order by what is in `text`.
    mutating func append(_ id: Int64, _ text: UnsafeRawBufferPointer) {
        let texts = SearchedText(text)
        places.append(SortKey(keeping: key == .login ? texts.loginKey : texts.nameKey, in: &self.text, id: id))
    }

    /// The ids in the ascending order; with `together` in their midst, who stand together because they begin with `word`.
    mutating func sorted(around together: [Int64] = [], who word: [UInt8] = []) -> [Int64] {
        // They came in the order by id.
        if key != .id {
            text.withUnsafeBytes { bytes in places.sort { $0.compare(in: bytes, to: $1, in: bytes) < 0 } }
        }
        if together.isEmpty { return places.map(\.id) }
        let after = text.withUnsafeBytes { bytes in
            let place = SeekKey(text: word, id: 0)
            return place.text.withUnsafeBytes { word in
                places.firstIndex { $0.compare(in: bytes, to: place.place, in: word) > 0 } ?? places.count
            }
        }
        return places[..<after].map(\.id) + together + places[after...].map(\.id)
    }
}
