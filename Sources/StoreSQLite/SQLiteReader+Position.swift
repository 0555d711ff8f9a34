import Directories

// Pages by number. How many users each run has says which one a position is in, so that no page is counted up to.

extension SQLiteReader {
    /// Where a page of `walk` starts from; `nil` for an end.
    func bound(_ start: UserQuery.Start, on walk: Walk, in directory: Directory) throws -> Bound? {
        guard case .at(let position) = start else { return try Bound(start, key: walk.key) }
        // After whom it starts; past the end, that is the last one.
        let last = min(position, directory.total) - 1
        guard last >= 0 else { return nil }
        return try bound(rank: walk.isDescending ? directory.total - 1 - last : last, in: walk.order, of: directory)
    }

    /// The place of the user before whom `rank` others come in the ascending order.
    private func bound(rank: Int, in order: RankOrder, of directory: Directory) throws -> Bound {
        let (row, index) = try run(rank: rank, in: order, of: directory)
        let run = try entries(row, order, of: directory)
        guard run.places.indices.contains(index) else { throw RunBytes.damage }
        let place = run.places[index]
        if order.isText { return Bound(text: Array(run.text.bytes[place.text]), id: place.id) }
        return Bound(number: place.number, id: place.id)
    }

    private func run(rank: Int, in order: RankOrder, of directory: Directory) throws -> (row: Int64, index: Int) {
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
        throw RunBytes.damage
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
