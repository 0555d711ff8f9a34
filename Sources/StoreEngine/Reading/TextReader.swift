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
        of ids: IDSet, in directory: Int64, _ body: (_ id: Int64, _ text: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        var last: Int64?
        try connection.forEachRow(
            .searchedTexts, in: directory,
            {
                last = ids.next(after: last, isDescending: false)
                return last
            }
        ) { id, row in
            count += 1
            return try body(id, row.bytes(1))
        }
    }

    /// Calls `body` with the row of each of `ids` that exists. The texts alone take half the time.
    func forEachRow(
        _ rows: KeyedRows = .texts, of ids: [Int64], in directory: Int64,
        _ body: (_ id: Int64, _ row: any StoreRow) throws -> Void
    ) throws {
        try connection.forEachRow(rows, of: ids, in: directory) { id, row in
            count += 1
            try body(id, row)
            return true
        }
    }

    /// Returns the keys of those of `ids` that exist, in `order`, ready to be sorted.
    func keys(of ids: IDSet, in order: IndexedOrder, of directory: Int64) throws -> SortBuffer {
        var buffer = SortBuffer()
        try connection.forEachRow(.texts, of: ids.all, in: directory) { id, row in
            let key = SeekKey(row, in: order)
            if order.isText {
                key.text.withUnsafeBytes { buffer.append(id, text: $0) }
            } else {
                buffer.append(id, number: key.key.number)
            }
            return true
        }
        return buffer
    }

    /// Calls `body` with the row of a user, which has the columns of ``KeyedRows/texts``. Returns `nil` if the user
    /// does not exist.
    func withRow<Result>(
        of id: Int64, in directory: Int64, _ body: (any StoreRow) throws -> Result
    ) throws -> Result? {
        count += 1
        return try connection.withRow(.texts, of: id, in: directory, body)
    }
}

extension SeekKey {
    /// The key in `order` of the user in `row`, one of ``KeyedRows/texts``.
    init(_ row: any StoreRow, in order: IndexedOrder) {
        let id = row.number(0)
        if let position = order.position {
            switch row.blob(3).orderKey(at: position) {
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
        case .number: self.init(number: order.key(stored: row.number(2)), id: id)
        case .text:
            let login = SearchedText(row.bytes(1)).loginKey(row.blob(3))
            self.init(text: Array(login), id: id)
        }
    }
}
