import NGramIndex
import People
import SortIndex

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
            let key = SeekKey(SavedText(row), of: id, in: order)
            if order.isText {
                key.text.withUnsafeBytes { buffer.append(id, text: $0) }
            } else {
                buffer.append(id, number: key.key.number)
            }
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

extension SeekKey {
    /// The key in `order` of the user with `id` and `text`.
    init(_ text: SavedText, of id: Int64, in order: IndexedOrder) {
        if let position = order.position {
            switch text.keys.orderKey(at: position) {
            case .number(let number): self.init(number: order.key(number), id: id)
            case .text(let text): self.init(text: order.key(text), id: id)
            case nil where order.isText:
                self.init(text: order.key(UnsafeRawBufferPointer(start: nil, count: 0)), id: id)
            case nil: self.init(number: order.key(nil), id: id)
            }
            return
        }
        switch order.kind {
        case .id: self.init(number: .min, id: id)
        case .number: self.init(number: order.key(stored: text.reputation), id: id)
        case .text:
            self.init(text: Array(text.loginKey), id: id)
        }
    }
}
