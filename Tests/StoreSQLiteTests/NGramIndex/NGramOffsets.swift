import Testing

@testable import StoreSQLite

/// The offset of each n-gram in each user's text.
struct NGramOffsets: Equatable {
    private var places: [NGram: [Int64: UInt8]] = [:]

    /// Reads them from the index of a directory.
    init(in connection: StoreSQLite.Connection, directory: Int64) throws {
        let rows = try connection.statement("SELECT id, entries FROM userGram\(directory) ORDER BY id")
        defer { rows.reset() }
        while try rows.step() {
            let row = rows.blob(1)
            var index = 0
            while let entry = PostingList(row, at: &index) {
                #expect(Int64(entry.ngram.bucket) == rows.number(0) >> 32)
                var ids: [Int64] = []
                entry.forEachID { ids.append($0) }
                var count = 0
                entry.forEach { id, place in
                    #expect(places[entry.ngram, default: [:]].updateValue(place, forKey: id) == nil && ids[count] == id)
                    count += 1
                    return id
                }
                #expect(count == ids.count)
            }
            #expect(index == row.count)
        }
    }

    /// Computes them from `texts`.
    init(of texts: [Int64: String]) {
        for (id, text) in texts {
            let scalars = Array(text.unicodeScalars)
            for end in scalars.indices {
                for start in max(0, end - 2)...end
                where !scalars[start...end].contains(where: \.properties.isWhitespace) {
                    let ngram = NGram(scalars[start...end])
                    let place = ngram.hasPlace && end < 254 ? UInt8(end) : PostingList.unknownPlace
                    if places[ngram]?[id] == nil { places[ngram, default: [:]][id] = place }
                }
            }
        }
    }
}
