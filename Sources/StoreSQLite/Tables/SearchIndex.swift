import NGramIndex

/// The n-gram index of a directory, in `userGram`.
enum SearchIndex {
    static func writer(of directory: Int64, on connection: Connection) -> NGramIndexWriter<SQLiteBlobs> {
        NGramIndexWriter(SQLiteBlobs(.userGram, of: directory, on: connection))
    }

    /// Replaces the index by one of the texts and facets of all users.
    static func rebuild(of directory: Int64, on connection: Connection) throws {
        try connection.execute("DELETE FROM userGram\(directory)")
        let writer = writer(of: directory, on: connection)
        let users = try connection.statement(
            """
            SELECT userText\(directory).id, text, filters
            FROM userText\(directory) JOIN user\(directory) USING (id) ORDER BY userText\(directory).id
            """)
        defer { users.reset() }
        let batch = PostingBuilder()
        var count = 0
        while try users.step() {
            batch.add(users.number(0), users.bytes(1), tags: FilterValues(stored: users.blob(2)).tags[...])
            count += 1
            if count % batchSize == 0 {
                try writer.apply(added: batch, removed: PostingBuilder())
                batch.removeAll()
            }
        }
        try writer.apply(added: batch, removed: PostingBuilder())
    }

    /// The number of users whose postings are in memory at once.
    private static let batchSize = 65_536
}
