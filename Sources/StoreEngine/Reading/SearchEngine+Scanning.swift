import NGramIndex
import People
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
        let test = MatchTest(work, texts)
        if work.candidates.verification == .tooMany, limit >= limits.provenFrom {
            test.proven = try relevanceCandidates(work).provenMatches()
        }
        var ids: [Int64] = []
        if scan.order == .id {
            let id = seek?.key.id
            if let first = id, isInclusive, candidates.contains(first), try test.isMatch(first) { ids.append(first) }
            if ids.count >= limit { return ids }
            try forEachMember(
                of: candidates, after: id, isDescending: scan.isDescending, preparing: test.prepare
            ) { id in
                if try test.isMatch(id) { ids.append(id) }
                return ids.count < limit
            }
            return ids
        }
        // Looking for the candidates among all ids of the order reads no texts.
        let isComplete = try orders.scanIDs(
            scan, from: seek, isInclusive: isInclusive, maxBlocks: maxBlocks, in: work.directory
        ) { block in
            try forEachMember(of: block, in: candidates, preparing: test.prepare) { id in
                if try test.isMatch(id) { ids.append(id) }
                return ids.count < limit
            }
        }
        return isComplete ? ids : nil
    }

    /// Calls `body` with those of `ids` that are members of `candidates`, until it returns `false`. Before, calls
    /// `prepare` with the members that `body` is called with next, if the store reads several rows as fast as one.
    func forEachMember(
        of ids: UnsafeBufferPointer<Int64>, in candidates: IDSet, preparing prepare: ([Int64]) throws -> Void,
        _ body: (Int64) throws -> Bool
    ) throws -> Bool {
        guard connection.rowsAtOnce > 1 else { return try candidates.forEachMember(of: ids, body) }
        var members: [Int64] = []
        _ = candidates.forEachMember(of: ids) { id in
            members.append(id)
            return true
        }
        if !members.isEmpty { try prepare(members) }
        for id in members { guard try body(id) else { return false } }
        return true
    }

    /// Calls `body` with the members of `candidates` after `start`, in the order of ids, until it returns `false`.
    func forEachMember(
        of candidates: IDSet, after start: Int64?, isDescending: Bool, preparing prepare: ([Int64]) throws -> Void,
        _ body: (Int64) throws -> Bool
    ) throws {
        var last = start
        while true {
            var members: [Int64] = []
            while members.count < connection.rowsAtOnce,
                let next = candidates.next(after: last, isDescending: isDescending)
            {
                members.append(next)
                last = next
            }
            if members.isEmpty { return }
            if members.count > 1 { try prepare(members) }
            for id in members { guard try body(id) else { return } }
        }
    }
}

/// Decides whether candidates match, by their texts unless all of them do.
private final class MatchTest {
    private let candidates: Candidates
    private let texts: TextReader
    private let directory: Int64
    /// The candidates that are looked at next.
    private var prepared: [Int64: Bool] = [:]
    /// Candidates that are proven to match.
    var proven: IDSet?

    init(_ work: OngoingSearch, _ texts: TextReader) {
        candidates = work.candidates
        self.texts = texts
        directory = work.directory.id
    }

    func prepare(_ ids: [Int64]) throws {
        if candidates.verification == .done { return }
        prepared.removeAll(keepingCapacity: true)
        let unproven = ids.filter { proven?.contains($0) != true }
        try texts.forEachRow(of: unproven, in: directory) { id, row in prepared[id] = candidates.matches(row.bytes(1)) }
    }

    func isMatch(_ id: Int64) throws -> Bool {
        if candidates.verification == .done { return true }
        if proven?.contains(id) == true { return true }
        if let known = prepared[id] { return known }
        return try texts.withRow(of: id, in: directory) { candidates.matches($0.bytes(1)) } ?? false
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
