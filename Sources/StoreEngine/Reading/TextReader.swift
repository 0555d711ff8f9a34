import Indexes
import People

/// Reads the texts that searches look at, and sorts a few users by them. Confined to one queue at a time.
final class TextReader {
    private let connection: any StoreConnection
    /// How many texts have been read.
    private(set) var count = 0

    init(_ connection: any StoreConnection) {
        self.connection = connection
    }

    /// Calls `body` with each of `ids`, ascending, and the user's text, until it returns `false`.
    func forEachText(
        of ids: IDSet, in directory: Int64, _ body: (_ id: Int64, _ text: SavedText) throws -> Bool
    ) throws {
        var last: Int64?
        try connection.forEachRow(
            .texts, in: directory,
            {
                last = ids.next(after: last, isDescending: false)
                return last
            }
        ) { id, row in
            count += 1
            return try body(id, SavedText(row))
        }
    }

    /// Calls `body` with each of `ids` that exists, in their sequence, and the user's text.
    func forEachText(
        of ids: [Int64], in directory: Int64, _ body: (_ id: Int64, _ text: SavedText) throws -> Void
    ) throws {
        try connection.forEachRow(.texts, of: ids, in: directory) { id, row in
            count += 1
            try body(id, SavedText(row))
            return true
        }
    }

    /// Returns the keys of those of `ids` that exist, in `order`, ready to be sorted.
    func keys(of ids: IDSet, in order: IndexedOrder, of directory: Int64) throws -> SortBuffer {
        var buffer = SortBuffer()
        try connection.forEachRow(.texts, of: ids.all, in: directory) { id, row in
            buffer.append(SavedText(row), of: id, in: order)
            return true
        }
        return buffer
    }

    /// Calls `body` with the text of a user. Returns `nil` if the user does not exist.
    func withText<Result>(
        of id: Int64, in directory: Int64, _ body: (SavedText) throws -> Result
    ) throws -> Result? {
        count += 1
        return try connection.withRow(.texts, of: id, in: directory) { try body(SavedText($0)) }
    }
}

extension SavedText {
    /// Calls `body` with the key of the user in the index of `order`.
    @inline(__always)
    func withKey<Result>(in order: IndexedOrder, _ body: (OrderKeys.Key) throws -> Result) rethrows -> Result {
        try order.withKey(of: keys, login: loginKey, body)
    }
}

extension SeekKey {
    /// The key in `order` of the user with `id` and `text`.
    init(_ text: SavedText, of id: Int64, in order: IndexedOrder) {
        self = text.withKey(in: order) { key in
            switch key {
            case .number(let number): SeekKey(number: number, id: id)
            case .text(let text): SeekKey(text: Array(text), id: id)
            }
        }
    }
}

extension SortBuffer {
    /// Adds the user with `id` and `text`, to be sorted in `order`.
    mutating func append(_ text: SavedText, of id: Int64, in order: IndexedOrder) {
        text.withKey(in: order) { key in
            switch key {
            case .number(let number): append(id, number: number)
            case .text(let text): append(id, text: text)
            }
        }
    }
}
