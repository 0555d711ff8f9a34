import Bytes
import Directories

// Positions. A run of users (see RankSnapshot) is counted through to the user in question, at most some hundred entries of
// an index; how many come before the run is known.

extension SQLiteReader {
    /// How many users come before `row` in the ascending order by `key`.
    func rank(of row: UserRows.Row, in rows: UserRows, by key: Sort.Key, of directory: Directory) throws -> Int {
        let order = RankOrder(key)
        return try rows.text.withUnsafeBytes { text in
            var place = SortKey(number: .min, id: row.id)
            switch key {
            case .id: break  // All have the same number, the least; the id decides.
            case .reputation: place = SortKey(number: row.reputation ?? Schema.noReputation, id: row.id)
            case .login, .name: place = SortKey(text: row.sortText, in: text, id: row.id)
            }
            if let ranks = state.ranks(of: directory.id), ranks.generation == directory.generation {
                let run = ranks.run(with: place, text: text, in: order)
                if order == .id, let next = run.next, next.id - run.start.id == Int64(run.count) {
                    return run.before + Int(row.id - run.start.id)  // No id of the run is missing.
                }
                return try run.text.withUnsafeBytes {
                    run.before
                        + (try count(from: run.start, $0, to: place, text[place.text], in: order, of: directory.id))
                }
            }
            return try rankBySum(place, text[place.text], in: order, of: directory.id)
        }
    }

    /// The same while the snapshot is of another generation: sums up the runs on disk.
    private func rankBySum(
        _ place: SortKey, _ text: UnsafeRawBufferPointer, in order: RankOrder, of directory: Int64
    ) throws -> Int {
        let statement = try connection.statement(
            """
            SELECT key, id, (SELECT sum(count) FROM userRank\(directory)
                WHERE sort = ?1 AND (key, id) < (run.key, run.id))
            FROM userRank\(directory) AS run WHERE sort = ?1 AND (key, id) <= (?2, ?3) ORDER BY key DESC, id DESC LIMIT 1
            """)
        defer { statement.reset() }
        statement.bind(order.rawValue, at: 1)
        bind(order, place, text, to: statement, at: 2)
        guard try statement.step() else { return 0 }
        let before = Int(statement.number(2))
        if order.isText {
            let key = statement.bytes(0)
            var start = SortKey(number: 0, id: statement.number(1))
            start.prefix = SortKey.prefix(key)
            return before + (try count(from: start, key, to: place, text, in: order, of: directory))
        }
        let start = SortKey(number: statement.number(0), id: statement.number(1))
        return before + (try count(from: start, text, to: place, text, in: order, of: directory))
    }

    /// How many users are at or after `start` and before `end`.
    private func count(
        from start: SortKey, _ startText: UnsafeRawBufferPointer, to end: SortKey, _ endText: UnsafeRawBufferPointer,
        in order: RankOrder, of directory: Int64
    ) throws -> Int {
        let statement = try connection.statement(.count(order, of: directory), order.count(directory))
        defer { statement.reset() }
        if order == .id {
            statement.bind(start.id, at: 1)
            statement.bind(end.id, at: 2)
        } else {
            bind(order, start, startText, to: statement, at: 1)
            bind(order, end, endText, to: statement, at: 3)
        }
        return try statement.step() ? Int(statement.number(0)) : 0
    }

    private func bind(
        _ order: RankOrder, _ place: SortKey, _ text: UnsafeRawBufferPointer, to statement: Statement, at index: Int32
    ) {
        if order.isText {
            statement.bind(text, at: index)
        } else {
            statement.bind(order == .id ? Int64.min : place.number, at: index)
        }
        statement.bind(place.id, at: index + 1)
    }
}

extension RankOrder {
    var column: String { key.column }

    /// Counts from a place, included, to another, excluded.
    func count(_ directory: Int64) -> String {
        // Ids are counted in the narrow table: ten times fewer pages.
        if self == .id { return "SELECT count(*) FROM userText\(directory) WHERE id >= ? AND id < ?" }
        // In parts, because SQLite would read all equal keys before the place (see Walk).
        let count = "SELECT count(*) FROM user\(directory) WHERE \(column)"
        return """
            SELECT CASE WHEN ?1 = ?3 THEN (\(count) = ?1 AND id >= ?2 AND id < ?4) ELSE
            (\(count) = ?1 AND id >= ?2) + (\(count) > ?1 AND \(column) < ?3) + (\(count) = ?3 AND id < ?4) END
            """
    }
}
