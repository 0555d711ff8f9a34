import Bytes

/// The search index of one directory, as its writer changes it.
///
/// Its rows hold ``PostingList``s, those of one bucket under neighbouring numbers; new ones are appended to the bucket's last row.
/// So a batch writes each bucket once, however many grams its users have.
struct NGramIndexWriter {
    /// A row that fits a page of 4 KiB. Tests make it small.
    static let maxRow = 4000
    let directory: Int64
    let connection: Connection
    var maxRow = Self.maxRow

    /// The number of a bucket's first row; there is room for four thousand million.
    static func firstRow(_ bucket: Int) -> Int64 { Int64(bucket) << 32 }

    /// Takes `removed` out, then adds `added`. Nobody who is added may be there.
    func apply(added: PostingBuilder, removed: PostingBuilder) throws {
        if !removed.isEmpty { try remove(removed) }
        if !added.isEmpty { try add(added) }
    }
}

// MARK: - Making it anew

extension NGramIndexWriter {
    /// From the texts and facets of all users.
    func rebuild() throws {
        try connection.execute("DELETE FROM userGram\(directory)")
        let users = try connection.statement(
            """
            SELECT userText\(directory).id, text, facets
            FROM userText\(directory) JOIN user\(directory) USING (id) ORDER BY userText\(directory).id
            """)
        defer { users.reset() }
        let batch = PostingBuilder()
        var count = 0
        while try users.step() {
            batch.add(users.number(0), users.bytes(1), UserFacets(bits: users.number(2)))
            count += 1
            if count % Self.rebuiltAtOnce == 0 {
                try add(batch)
                batch.removeAll()
            }
        }
        try add(batch)
    }

    private static let rebuiltAtOnce = 65_536
}

// MARK: - Adding

extension NGramIndexWriter {
    private func add(_ batch: PostingBuilder) throws {
        let entries = ByteBuffer(capacity: 16_384)
        let ids = ByteBuffer(capacity: 4096)
        let row = ByteBuffer(capacity: 8192)
        var ends: [Int] = []
        try batch.forEachBucket { bucket, lists in
            entries.removeAll()
            ends.removeAll(keepingCapacity: true)
            for list in lists {
                ids.removeAll()
                batch.appendIDs(of: list, to: ids)
                entries.append(batch.ngram(of: list), ids.bytes)
                ends.append(entries.count)
            }
            try append(entries, ends, to: bucket, row)
        }
    }

    /// Appends entries to a bucket's last row, and to new rows when that is full.
    private func append(_ entries: ByteBuffer, _ ends: [Int], to bucket: Int, _ row: ByteBuffer) throws {
        row.removeAll()
        var number = try lastRow(of: bucket, into: row)
        var isNew = number == nil
        var start = 0
        for end in ends {
            let entry = UnsafeRawBufferPointer(rebasing: entries.bytes[start..<end])
            if row.count + entry.count > maxRow, !row.isEmpty {
                // Small batches leave many short entries of the same grams; together they may take much less.
                let isRoomMade = number != nil && compact(row) && row.count + entry.count <= maxRow
                if !isRoomMade {
                    try write(row, number ?? Self.firstRow(bucket), isNew: isNew)
                    number = (number ?? Self.firstRow(bucket)) + 1
                    isNew = true
                    row.removeAll()
                }
            }
            row.append(entry)
            start = end
        }
        try write(row, number ?? Self.firstRow(bucket), isNew: isNew)
    }

    private func lastRow(of bucket: Int, into row: ByteBuffer) throws -> Int64? {
        let statement = try connection.statement(
            .lastGrams,
            "SELECT id, entries FROM userGram\(directory) WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1")
        statement.bind(Self.firstRow(bucket), at: 1)
        statement.bind(Self.firstRow(bucket + 1), at: 2)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        row.append(statement.blob(1))
        return statement.number(0)
    }

    private func write(_ row: ByteBuffer, _ number: Int64, isNew: Bool) throws {
        let statement =
            isNew
            ? try connection.statement(
                .insertGrams, "INSERT INTO userGram\(directory) (entries, id) VALUES (?, ?)")
            : try connection.statement(.updateGrams, "UPDATE userGram\(directory) SET entries = ? WHERE id = ?")
        statement.bind(blob: row.bytes, at: 1)
        statement.bind(number, at: 2)
        try statement.run()
    }

    /// Joins the entries of each gram, where they are short; answers whether a quarter of the row or more became free.
    private func compact(_ row: ByteBuffer) -> Bool {
        let before = row.count
        guard Self.entries(of: row.bytes) * Self.shortEntry > before else { return false }
        let joined = Self.users(of: row.bytes)
        row.removeAll()
        let scratch = ByteBuffer(capacity: 4096)
        for (ngram, users) in joined { row.append(ngram, users.sorted { $0.id < $1.id }, scratch: scratch) }
        return row.count <= before - before / 4
    }

    /// In bytes: one id and what tells of the gram take some ten.
    private static let shortEntry = 40

    private static func entries(of row: UnsafeRawBufferPointer) -> Int {
        var count = 0
        var index = 0
        while PostingList(row, at: &index) != nil { count += 1 }
        return count
    }

    /// Everyone in a row, by gram, in the order of the grams' first entries.
    private static func users(of row: UnsafeRawBufferPointer) -> [(ngram: NGram, users: [(id: Int64, place: UInt8)])] {
        var users: [(ngram: NGram, users: [(id: Int64, place: UInt8)])] = []
        var numbers: [NGram: Int] = [:]
        var index = 0
        while let entry = PostingList(row, at: &index) {
            let number = numbers[entry.ngram] ?? users.count
            if number == users.count {
                numbers[entry.ngram] = number
                users.append((entry.ngram, []))
            }
            entry.forEach { id, place in
                users[number].users.append((id, place))
                return id
            }
        }
        return users
    }
}

// MARK: - Removing

extension NGramIndexWriter {
    /// Rewrites the rows that have someone who goes: nothing of them stays.
    private func remove(_ batch: PostingBuilder) throws {
        let ids = ByteBuffer(capacity: 4096)
        try batch.forEachBucket { bucket, lists in
            var gone: [NGram: Set<Int64>] = [:]
            for list in lists {
                ids.removeAll()
                batch.appendIDs(of: list, to: ids)
                PostingList(batch.ngram(of: list), ids.bytes).forEachID {
                    gone[batch.ngram(of: list), default: []].insert($0)
                }
            }
            try remove(gone, from: bucket)
        }
    }

    private func remove(_ gone: [NGram: Set<Int64>], from bucket: Int) throws {
        var changed: [(number: Int64, row: [UInt8])] = []
        let rows = try connection.statement(.bucketGrams, Self.rows(directory, "id, entries"))
        rows.bind(Self.firstRow(bucket), at: 1)
        rows.bind(Self.firstRow(bucket + 1), at: 2)
        defer { rows.reset() }
        while try rows.step() {
            if let row = without(gone, rows.blob(1)) { changed.append((rows.number(0), row)) }
        }
        rows.reset()
        let buffer = ByteBuffer(capacity: 4096)
        for (number, row) in changed {
            buffer.removeAll()
            buffer.append(row)
            try write(buffer, number, isNew: false)
        }
    }

    /// The row without those who go; `nil` where nobody of them is in it.
    private func without(_ gone: [NGram: Set<Int64>], _ row: UnsafeRawBufferPointer) -> [UInt8]? {
        let result = ByteBuffer(capacity: row.count)
        let scratch = ByteBuffer(capacity: 4096)
        var hasChanged = false
        var index = 0
        var start = 0
        while let entry = PostingList(row, at: &index) {
            defer { start = index }
            if let gone = gone[entry.ngram] {
                var kept: [(id: Int64, place: UInt8)] = []
                var count = 0
                entry.forEach { id, place in
                    count += 1
                    if !gone.contains(id) { kept.append((id, place)) }
                    return id
                }
                if kept.count < count {
                    hasChanged = true
                    result.append(entry.ngram, kept, scratch: scratch)
                    continue
                }
            }
            result.append(UnsafeRawBufferPointer(rebasing: row[start..<index]))
        }
        return hasChanged ? [UInt8](result) : nil
    }

    /// The rows of a bucket; parameters: its first one and that of the next bucket.
    static func rows(_ directory: Int64, _ columns: String) -> String {
        "SELECT \(columns) FROM userGram\(directory) WHERE id >= ? AND id < ? ORDER BY id"
    }
}
