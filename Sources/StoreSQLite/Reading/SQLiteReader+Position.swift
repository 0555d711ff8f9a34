import Directories

// Pages by number. How many users each run has says which one a position is in, so that no page is counted up to.

extension SQLiteReader {
    /// Where a page of `scan` starts from; `nil` for an end.
    func bound(_ start: UserQuery.Start, on scan: IndexScan, in directory: Directory) throws -> SeekKey? {
        guard case .at(let position) = start else { return try SeekKey(start, key: scan.key) }
        // After whom it starts; past the end, that is the last one.
        let last = min(position, directory.total) - 1
        guard last >= 0 else { return nil }
        return try bound(rank: scan.isDescending ? directory.total - 1 - last : last, in: scan.order, of: directory)
    }

    /// The place of the user before whom `rank` others come in the ascending order.
    private func bound(rank: Int, in order: IndexedOrder, of directory: Directory) throws -> SeekKey {
        let (row, index) = try run(rank: rank, in: order, of: directory)
        let run = try entries(row, order, of: directory)
        guard run.places.indices.contains(index) else { throw BlockDecoder.damage }
        let place = run.places[index]
        if order.isText { return SeekKey(text: Array(run.text.bytes[place.text]), id: place.id) }
        return SeekKey(number: place.number, id: place.id)
    }

    private func run(rank: Int, in order: IndexedOrder, of directory: Directory) throws -> (row: Int64, index: Int) {
        if let ranks = state.ranks(of: directory.id), ranks.generation == directory.generation {
            let (run, index) = ranks.place(rank, in: order)
            return (ranks.runs(order).rows[run], index)
        }
        // While the snapshot is of another generation.
        let statement = try connection.statement(
            "SELECT run, count FROM userRank\(directory.id) WHERE sort = ? ORDER BY key, id")
        defer { statement.reset() }
        statement.bind(order.rawValue, at: 1)
        var left = rank
        while try statement.step() {
            let count = try statement.count(1, "the length of a run")
            if left < count { return (statement.number(0), left) }
            left -= count
        }
        throw BlockDecoder.damage
    }
}

// MARK: - By id

extension SQLiteReader {
    func users(ids: [Int64], sort: Sort, directory id: Int64) throws -> Page? {
        try reading(id) { directory in
            var found = try sorting(.list(IDList(Set(ids).sorted())), by: sort.key, in: id)
            var ids = found.sorted()
            if sort.direction == .descending { ids.reverse() }
            return Page(
                users: try users(ids, by: sort.key, in: id), directory: directory, firstPosition: nil,
                total: directory.total, hasPrevious: false, hasNext: false)
        }
    }
}
