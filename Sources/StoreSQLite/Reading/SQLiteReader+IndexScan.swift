import Bytes
import Directories

// Walks. Where a run begins is known from memory, or else from the table of starts; the runs are read one by one.

extension SQLiteReader {
    /// Gives the ids of everyone after `bound` in the direction of `scan`, a run at a time, until `body` answers `false`.
    /// With `isInclusive` also the one at the bound, if there is one. No walk may begin inside another.
    ///
    /// Answers whether it came to an end, and not to that of `maxRuns` runs.
    @discardableResult func walkIDs(
        _ scan: IndexScan, from bound: SeekKey?, isInclusive: Bool = false, maxRuns: Int = .max, in directory: Directory,
        _ body: (UnsafeBufferPointer<Int64>) throws -> Bool
    ) throws -> Bool {
        let blobs = BlobReader(connection, table: "userRun\(directory.id)", column: "entries")
        defer { blobs.close() }
        let ids = ByteBuffer(capacity: 1 << 12)
        var bound = bound
        var left = maxRuns
        try eachRun(on: scan, from: bound, in: directory) { row in
            left -= 1
            if left < 0 { return false }
            if let first = bound {
                bound = nil
                let run = try entries(row, scan.order, of: directory)
                var inRange = run.places[run.range(on: scan, from: first, isInclusive: isInclusive)].map(\.id)
                if scan.isDescending { inRange.reverse() }
                return try inRange.withUnsafeBufferPointer { try $0.isEmpty || body($0) }
            }
            guard let run = try blobs.value(row) else { throw BlockDecoder.damage }
            try BlockIDs(run).fill(ids, isReversed: scan.isDescending)
            return try ids.isEmpty || body(ids.bytes.bindMemory(to: Int64.self))
        }
        return left >= 0
    }

    /// Gives the places of everyone after `bound` and the bytes that have their texts, until `body` answers `false`.
    func walkPlaces(
        _ scan: IndexScan, from bound: SeekKey?, in directory: Directory,
        _ body: (SortKey, UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        var bound = bound
        try eachRun(on: scan, from: bound, in: directory) { row in
            let run = try entries(row, scan.order, of: directory)
            let range = bound.map { run.range(on: scan, from: $0, isInclusive: false) } ?? run.places.indices
            bound = nil
            for index in range {
                let index = scan.isDescending ? range.lowerBound + range.upperBound - 1 - index : index
                guard try body(run.places[index], run.text.bytes) else { return false }
            }
            return true
        }
    }

    /// A run of this generation. The last one that was read stays: a page is often of one run, and its rank, too.
    func entries(_ row: Int64, _ order: IndexedOrder, of directory: Directory) throws -> SortBlock {
        let run = lastBlock.flatMap { $0.order == order ? $0 : nil } ?? LastBlock(order: order)
        lastBlock = run
        // No two directories share a generation.
        if run.row == row, run.generation == directory.generation { return run.entries }
        run.row = nil
        run.entries.removeAll()
        let statement = try connection.run(row, of: directory.id)
        defer { statement.reset() }
        try run.entries.append(statement.blob(0))
        (run.row, run.generation) = (row, directory.generation)
        return run.entries
    }

    final class LastBlock {
        let order: IndexedOrder
        let entries: SortBlock
        var row: Int64?
        var generation: Int64 = 0

        init(order: IndexedOrder) {
            self.order = order
            entries = SortBlock(order)
        }
    }
}

extension SortBlock {
    /// Those that a walk from `bound` meets in this run.
    fileprivate func range(on scan: IndexScan, from bound: SeekKey, isInclusive: Bool) -> Range<Int> {
        let count = bound.text.withUnsafeBytes {
            self.count(before: bound.place, $0, orAt: scan.isDescending == isInclusive)
        }
        return scan.isDescending ? 0..<count : count..<places.count
    }
}

// MARK: - Which runs

extension SQLiteReader {
    /// Gives the rows of runs from the one that has the place of `bound`, until `body` answers `false`.
    private func eachRun(
        on scan: IndexScan, from bound: SeekKey?, in directory: Directory, _ body: (Int64) throws -> Bool
    ) throws {
        guard let ranks = state.ranks(of: directory.id), ranks.generation == directory.generation else {
            return try eachRunOnDisk(on: scan, from: bound, in: directory.id, body)
        }
        let runs = ranks.runs(scan.order)
        var run = scan.isDescending ? runs.starts.count - 1 : 0
        if let bound { run = bound.text.withUnsafeBytes { runs.index(of: bound.place, $0) } }
        while runs.rows.indices.contains(run), try body(runs.rows[run]) { run += scan.isDescending ? -1 : 1 }
    }

    /// The same while the snapshot is of another generation.
    private func eachRunOnDisk(
        on scan: IndexScan, from bound: SeekKey?, in directory: Int64, _ body: (Int64) throws -> Bool
    ) throws {
        var first = bound
        if let bound, !scan.isDescending {
            // The run that the bound is in begins before it.
            first = try bound.text.withUnsafeBytes {
                try runOnDisk(with: bound.place, $0, in: scan.order, of: directory).start
            }
        }
        let statement = try connection.statement(scan.runs(directory, isBounded: bound != nil))
        defer { statement.reset() }
        statement.bind(scan.order.rawValue, at: 1)
        try (first?.text ?? []).withUnsafeBytes { text in
            if let first { statement.bind(first.place, text, in: scan.order, at: 2) }
            while try statement.step(), try body(statement.number(0)) {}
        }
    }

    /// The run that has `place`, and where it begins.
    func runOnDisk(
        with place: SortKey, _ text: UnsafeRawBufferPointer, in order: IndexedOrder, of directory: Int64
    ) throws -> (row: Int64, start: SeekKey) {
        let statement = try connection.statement(
            """
            SELECT run, key, id FROM userRank\(directory) WHERE sort = ?1 AND (key, id) <= (?2, ?3)
            ORDER BY key DESC, id DESC LIMIT 1
            """)
        defer { statement.reset() }
        statement.bind(order.rawValue, at: 1)
        statement.bind(place, text, in: order, at: 2)
        guard try statement.step() else { throw BlockDecoder.damage }
        let id = statement.number(2)
        let start =
            order.isText ? SeekKey(text: Array(statement.bytes(1)), id: id) : SeekKey(number: statement.number(1), id: id)
        return (statement.number(0), start)
    }
}

extension IndexScan {
    /// The rows of runs. Parameters: the order; where the first one begins, or the bound for a descending walk.
    func runs(_ directory: Int64, isBounded: Bool) -> String {
        let bound = isBounded ? "AND (key, id) \(isDescending ? "<=" : ">=") (?2, ?3)" : ""
        let direction = isDescending ? " DESC" : ""
        return """
            SELECT run FROM userRank\(directory) WHERE sort = ?1 \(bound) ORDER BY key\(direction), id\(direction)
            """
    }
}

extension Statement {
    /// Binds what an order compares, and then the id.
    func bind(_ place: SortKey, _ text: UnsafeRawBufferPointer, in order: IndexedOrder, at index: Int32) {
        if order.isText { bind(text[place.text], at: index) } else { bind(place.number, at: index) }
        bind(place.id, at: index + 1)
    }
}
