import Directories
import NGramIndex
import SortIndex

/// Reads the texts that searches look at, and sorts a few users by them.
struct TextReader {
    private let connection: Connection

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// Calls `body` with each of `ids`, ascending, and the user's text, until it returns `false`.
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

    /// Returns the keys of those of `ids` that exist, in `order`, ready to be sorted.
    func keys(of ids: IDSet, in order: IndexedOrder, of directory: Int64) throws -> SortBuffer {
        var buffer = SortBuffer()
        let row = try row(in: directory)
        for id in ids.all {
            row.bind(id, at: 1)
            defer { row.reset() }
            guard try row.step() else { continue }
            let key = SeekKey(row, in: order)
            if order.isText {
                key.text.withUnsafeBytes { buffer.append(id, text: $0) }
            } else {
                buffer.append(id, number: key.key.number)
            }
        }
        return buffer
    }

    /// The statement that reads `id, text, reputation, keys, exact` of the user whose id is its parameter.
    func row(in directory: Int64) throws -> Statement {
        try connection.statement("SELECT id, text, reputation, keys, exact FROM userText\(directory) WHERE id = ?")
    }
}

extension SeekKey {
    /// The key in `order` of the user in the current row of `statement`, which selects `id, text, reputation, keys`.
    init(_ statement: Statement, in order: IndexedOrder) {
        let id = statement.number(0)
        if let position = order.position {
            switch statement.blob(3).orderKey(at: position) {
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
        case .number: self.init(number: statement.number(2), id: id)
        case .text:
            let login = SearchedText(statement.bytes(1)).loginKey(statement.blob(3))
            self.init(text: Array(login), id: id)
        }
    }
}
