import NGramIndex

/// The n-gram index of a directory, in `userGram`.
enum SearchIndex {
    static func writer(of directory: Int64, on connection: Connection) -> NGramIndexWriter<SQLiteBlobs> {
        NGramIndexWriter(SQLiteBlobs(.userGram, of: directory, on: connection))
    }
}
