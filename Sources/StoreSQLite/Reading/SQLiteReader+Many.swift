import Directories

// Pages of a search whose matches are met one after the other: more than are counted, or those at an end.

extension SQLiteReader {
    /// A page of the candidates who match; `nil` if it is not met within `maxRuns` runs.
    func page(
        _ query: UserQuery, _ bound: SeekKey?, among candidates: Candidates, maxRuns: Int, in directory: Directory
    ) throws -> Page? {
        let isBackward = query.start.isBackward
        let scan = IndexScan(query)
        if case .at(let position) = query.start {
            return try page(query, at: position, on: scan, among: candidates, in: directory)
        }
        guard
            var ids = try idsMet(
                on: scan, from: bound, candidates, limit: query.limit + 1, maxRuns: maxRuns, in: directory)
        else { return nil }
        let hasMore = ids.count > query.limit
        if hasMore { ids.removeLast() }
        if isBackward { ids.reverse() }
        var isEnd = bound == nil
        if let bound {
            // Nobody at the bound or on the side of it that the walk leaves behind.
            isEnd = try self.ids(on: scan.reversed, from: bound, isInclusive: true, candidates, limit: 1, in: directory)
                .isEmpty
        }
        let page = Page(
            users: try users(ids, by: query.sort.key, in: directory.id), directory: directory,
            firstPosition: try isEnd && !isBackward && !ids.isEmpty
                ? 1 : position(of: ids, query, among: candidates, in: directory),
            total: total(query, candidates),
            hasPrevious: isBackward ? hasMore : !isEnd, hasNext: isBackward ? !isEnd : hasMore)
        noteEdges(of: page, query)
        return page
    }

    /// The place of the user whom `query` is asked by, counted from 1, where a page beside it has been read lately.
    func knownPosition(_ query: UserQuery, in directory: Directory) -> Int? {
        switch query.start {
        case .after(let cursor), .before(let cursor):
            edge(query, cursor, directory.generation).flatMap { searches.position(of: $0) }
        case .first, .last, .at: nil
        }
    }

    private func noteEdges(of page: Page, _ query: UserQuery) {
        guard let first = page.firstPosition, query.sort.key != .id, !page.users.rows.isEmpty else { return }
        for index in Set([0, page.users.rows.count - 1]) {
            let cursor = page.users.cursor(of: index, in: query.sort.key)
            if let edge = edge(query, cursor, page.directory.generation) { searches.note(first + index, of: edge) }
        }
    }

    private func edge(_ query: UserQuery, _ cursor: Cursor, _ generation: Int64) -> SearchCache.Edge? {
        query.search.map { SearchCache.Edge(search: $0, sort: query.sort, generation: generation, cursor: cursor) }
    }

    /// The place of the first of some candidates that follow each other, counted from 1, where all are known to match; else `nil`.
    private func position(
        of ids: [Int64], _ query: UserQuery, among candidates: Candidates, in directory: Directory
    ) throws -> Int? {
        guard let id = ids.first, let total = total(query, candidates) else { return nil }
        if case .last = query.start { return total - ids.count + 1 }
        let isDescending = query.sort.direction == .descending
        if query.sort.key == .id {
            let before = candidates.ids.count(before: id)
            return isDescending ? total - before : before + 1
        }
        if let known = knownPosition(query, in: directory) {
            return query.start.isBackward ? known - ids.count : known + 1
        }
        var position = 0
        var isFound = false
        try walkIDs(IndexScan(key: query.sort.key, isDescending: isDescending), from: nil, in: directory) { run in
            candidates.ids.forEachMember(of: run) { other in
                position += 1
                isFound = other == id
                return !isFound
            }
        }
        return isFound ? position : nil
    }

    /// The page after `position` matches, all of which are met: such pages are for the first thousands.
    private func page(
        _ query: UserQuery, at position: Int, on scan: IndexScan, among candidates: Candidates, in directory: Directory
    ) throws -> Page {
        let ids = try ids(on: scan, candidates, limit: position + query.limit + 1, in: directory).dropFirst(position)
        return Page(
            users: try users(Array(ids.prefix(query.limit)), by: query.sort.key, in: directory.id),
            directory: directory, firstPosition: ids.isEmpty ? nil : position + 1,
            total: total(query, candidates),
            hasPrevious: position > 0, hasNext: ids.count > query.limit)
    }

    /// The first who match on a walk.
    func ids(
        on scan: IndexScan, from bound: SeekKey? = nil, isInclusive: Bool = false, _ candidates: Candidates, limit: Int,
        in directory: Directory
    ) throws -> [Int64] {
        try idsMet(
            on: scan, from: bound, isInclusive: isInclusive, candidates, limit: limit, maxRuns: .max, in: directory)
            ?? []
    }

    /// The same; `nil` if they are not met within `maxRuns` runs.
    private func idsMet(
        on scan: IndexScan, from bound: SeekKey?, isInclusive: Bool = false, _ candidates: Candidates, limit: Int,
        maxRuns: Int, in directory: Directory
    ) throws -> [Int64]? {
        let isWanted = try proof(candidates, in: directory.id)
        var ids: [Int64] = []
        if scan.key == .id {
            var id = bound?.place.id
            if let first = id, isInclusive, candidates.ids.contains(first), try isWanted(first) { ids.append(first) }
            while ids.count < limit, let next = candidates.ids.next(after: id, isDescending: scan.isDescending) {
                if try isWanted(next) { ids.append(next) }
                id = next
            }
            return ids
        }
        // To look for the candidates among all ids of the order reads no texts.
        let isOver = try walkIDs(scan, from: bound, isInclusive: isInclusive, maxRuns: maxRuns, in: directory) { run in
            try candidates.ids.forEachMember(of: run) { id in
                if try isWanted(id) { ids.append(id) }
                return ids.count < limit
            }
        }
        return isOver ? ids : nil
    }

    /// How many match, where that is counted: of facets alone the index knows as much as of a whole directory.
    private func total(_ query: UserQuery, _ candidates: Candidates) -> Int? {
        let count = candidates.ids.count
        return candidates.areProven && (count <= limits.counted || query.search?.words.isEmpty == true) ? count : nil
    }

    /// Tells whether a candidate matches.
    private func proof(_ candidates: Candidates, in directory: Int64) throws -> (Int64) throws -> Bool {
        if candidates.areProven { return { _ in true } }
        let text = try text(of: directory)
        return { id in
            text.bind(id, at: 1)
            defer { text.reset() }
            return try text.step() && candidates.isProven(by: text.bytes(1))
        }
    }
}
