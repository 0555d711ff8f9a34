import Bytes
import Directories

// Positions. How many come before a run is known from memory, or else summed up; the rest is the user's place in the run.

extension SQLiteReader {
    /// How many users come before `row` in the ascending order by `key`.
    func rank(of row: UserRows.Row, in rows: UserRows, by key: Sort.Key, of directory: Directory) throws -> Int {
        try rows.text.withUnsafeBytes { text in
            switch key {
            case .id: try rank(of: SortKey(number: .min, id: row.id), text, in: .id, of: directory)
            case .reputation:
                try rank(
                    of: SortKey(number: row.reputation ?? Schema.noReputation, id: row.id), text, in: .reputation,
                    of: directory)
            case .login, .name:
                try rank(
                    of: SortKey(text: row.sortText, in: text, id: row.id), text, in: IndexedOrder(key), of: directory)
            }
        }
    }

    private func rank(
        of place: SortKey, _ text: UnsafeRawBufferPointer, in order: IndexedOrder, of directory: Directory
    ) throws -> Int {
        guard let ranks = state.ranks(of: directory.id), ranks.generation == directory.generation else {
            return try rankOnDisk(of: place, text, in: order, of: directory)
        }
        let runs = ranks.runs(order)
        let run = runs.index(of: place, text)
        let before = ranks.count(before: run, in: order)
        if order == .id, run + 1 < runs.starts.count {
            // Starts ascend, and ids are not negative.
            let start = runs.starts[run].id
            if runs.starts[run + 1].id - start == Int64(runs.counts[run]), place.id >= start {
                return before + Int(place.id - start)  // No id of the run is missing.
            }
        }
        return try before + entries(runs.rows[run], order, of: directory).count(before: place, text, orAt: false)
    }

    /// The same while the snapshot is of another generation.
    private func rankOnDisk(
        of place: SortKey, _ text: UnsafeRawBufferPointer, in order: IndexedOrder, of directory: Directory
    ) throws -> Int {
        let (row, start) = try runOnDisk(with: place, text, in: order, of: directory.id)
        let before = try connection.statement(
            "SELECT sum(count) FROM userRank\(directory.id) WHERE sort = ? AND (key, id) < (?, ?)")
        defer { before.reset() }
        before.bind(order.rawValue, at: 1)
        let isThere = try start.text.withUnsafeBytes { startText in
            before.bind(start.place, startText, in: order, at: 2)
            return try before.step()
        }
        let inRun = try entries(row, order, of: directory).count(before: place, text, orAt: false)
        return isThere ? try before.count(0, "the length of an order") + inRun : inRun
    }
}
