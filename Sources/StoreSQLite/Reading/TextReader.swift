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

    /// Returns the keys of those of `ids` that exist, in the order by `key`, ready to be sorted.
    func keys(of ids: IDSet, by key: Sort.Key, in directory: Int64) throws -> SortBuffer {
        var buffer = SortBuffer()
        if key.isText {
            try forEachText(of: ids, in: directory) { id, text in
                buffer.append(id, text: SearchedText(text).key(key))
                return true
            }
            return buffer
        }
        let row = try row(in: directory)
        for id in ids.all {
            row.bind(id, at: 1)
            defer { row.reset() }
            if try row.step() { buffer.append(id, number: key == .id ? .min : row.number(2)) }
        }
        return buffer
    }

    /// The statement that reads `id, text, reputation` of the user whose id is its parameter.
    func row(in directory: Int64) throws -> Statement {
        try connection.statement("SELECT id, text, reputation FROM userText\(directory) WHERE id = ?")
    }
}
