import Directories
import NGramIndex
import SortIndex

// Makes pages of a search by scanning the order: for matches that are not counted, and for pages near an end.

extension SearchEngine {
    /// Returns the page, or `nil` if it is not complete after `maxBlocks` blocks.
    func scanPage(_ work: OngoingSearch, maxBlocks: Int) throws -> Page? {
        let (query, seek) = (work.query, work.seek)
        let scan = try IndexScan(query, work.directory.plan)
        if case .at(let position) = query.start { return try scanPage(work, at: position, on: scan) }
        guard
            var ids = try matches(on: scan, from: seek, work, limit: query.limit + 1, maxBlocks: maxBlocks)
        else { return nil }
        let isBackward = query.start.isBackward
        let hasMore = ids.count > query.limit
        if hasMore { ids.removeLast() }
        if isBackward { ids.reverse() }
        // The page starts at an end of the order if no match is at the key or on its other side.
        let isEnd = try seek.map { try matches(on: scan.reversed, from: $0, isInclusive: true, work, limit: 1).isEmpty }
        let isAtEnd = isEnd ?? true
        let page = Page(
            users: try rows.users(ids, in: work.order, of: work.directory), directory: work.directory,
            firstPosition: try isAtEnd && !isBackward && !ids.isEmpty ? 1 : position(of: ids, work),
            total: work.total(limits), hasPrevious: isBackward ? hasMore : !isAtEnd,
            hasNext: isBackward ? !isAtEnd : hasMore)
        rememberEdges(of: page, work)
        return page
    }

    /// Returns the page after `position` matches. It scans all of them, so only the first thousands of matches have
    /// such pages.
    private func scanPage(_ work: OngoingSearch, at position: Int, on scan: IndexScan) throws -> Page {
        let limit = work.query.limit
        let ids = try matches(on: scan, work, limit: position + limit + 1).dropFirst(position)
        return Page(
            users: try rows.users(Array(ids.prefix(limit)), in: work.order, of: work.directory),
            directory: work.directory, firstPosition: ids.isEmpty ? nil : position + 1, total: work.total(limits),
            hasPrevious: position > 0, hasNext: ids.count > limit)
    }

    /// Returns the first matches of a scan.
    func matches(
        on scan: IndexScan, from seek: SeekKey? = nil, isInclusive: Bool = false, _ work: OngoingSearch, limit: Int
    ) throws -> [Int64] {
        try matches(on: scan, from: seek, isInclusive: isInclusive, work, limit: limit, maxBlocks: .max) ?? []
    }

    /// Returns the first matches of a scan, or `nil` if there are fewer than `limit` in `maxBlocks` blocks.
    private func matches(
        on scan: IndexScan, from seek: SeekKey?, isInclusive: Bool = false, _ work: OngoingSearch, limit: Int,
        maxBlocks: Int
    ) throws -> [Int64]? {
        let candidates = work.candidates.ids
        let isMatch = try matchTest(work)
        var ids: [Int64] = []
        if scan.order == .id {
            var id = seek?.key.id
            if let first = id, isInclusive, candidates.contains(first), try isMatch(first) { ids.append(first) }
            while ids.count < limit, let next = candidates.next(after: id, isDescending: scan.isDescending) {
                if try isMatch(next) { ids.append(next) }
                id = next
            }
            return ids
        }
        // Looking for the candidates among all ids of the order reads no texts.
        let isComplete = try orders.scanIDs(
            scan, from: seek, isInclusive: isInclusive, maxBlocks: maxBlocks, in: work.directory
        ) { block in
            try candidates.forEachMember(of: block) { id in
                if try isMatch(id) { ids.append(id) }
                return ids.count < limit
            }
        }
        return isComplete ? ids : nil
    }

    /// Returns a function that says whether a candidate matches.
    private func matchTest(_ work: OngoingSearch) throws -> (Int64) throws -> Bool {
        let candidates = work.candidates
        if candidates.verification == .done { return { _ in true } }
        let row = try texts.row(in: work.directory.id)
        return { id in
            row.bind(id, at: 1)
            defer { row.reset() }
            return try row.step() && candidates.matches(row.bytes(1))
        }
    }
}

// MARK: - Positions

extension SearchEngine {
    /// Returns the position of the user that `query` starts from, counted from 1, if a page next to it was read lately.
    func knownPosition(_ query: UserQuery, _ directory: Directory) -> Int? {
        switch query.start {
        case .after(let cursor), .before(let cursor):
            edge(query, cursor, directory.generation).flatMap { cache.position(of: $0) }
        case .first, .last, .at, .letter: nil
        }
    }

    /// Remembers the positions of a page's first and last user, from which the pages next to it start.
    func rememberEdges(of page: Page, _ work: OngoingSearch) {
        guard let first = page.firstPosition, work.key != .id, !page.users.rows.isEmpty else { return }
        for index in Set([0, page.users.rows.count - 1]) {
            let cursor = page.users.cursor(of: index, in: work.key)
            if let edge = edge(work.query, cursor, page.directory.generation) { cache.note(first + index, of: edge) }
        }
    }

    private func edge(_ query: UserQuery, _ cursor: Cursor, _ generation: Int64) -> SearchCache.Edge? {
        query.search.map { SearchCache.Edge(search: $0, sort: query.sort, generation: generation, cursor: cursor) }
    }

    /// Returns the position of the first of `ids`, which are adjacent matches, counted from 1. `nil` if the matches are
    /// not counted.
    private func position(of ids: [Int64], _ work: OngoingSearch) throws -> Int? {
        guard let id = ids.first, let total = work.total(limits) else { return nil }
        if case .last = work.query.start { return total - ids.count + 1 }
        let candidates = work.candidates.ids
        if work.key == .id {
            let before = candidates.count(before: id)
            return work.isDescending ? total - before : before + 1
        }
        if let known = work.seekPosition { return work.query.start.isBackward ? known - ids.count : known + 1 }
        var position = 0
        var isFound = false
        let scan = IndexScan(order: work.order, isDescending: work.isDescending)
        try orders.scanIDs(scan, from: nil, in: work.directory) { block in
            candidates.forEachMember(of: block) { other in
                position += 1
                isFound = other == id
                return !isFound
            }
        }
        return isFound ? position : nil
    }
}
