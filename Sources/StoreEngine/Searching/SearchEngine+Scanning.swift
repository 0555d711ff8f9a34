import Indexes
import People

// Makes pages of a search by scanning the order: for matches that are not counted, and for pages near an end.

extension SearchEngine {
    /// Returns the page, or `nil` if it is not complete after `maxBlocks` blocks.
    func scanPage(_ work: SearchState, maxBlocks: Int) throws -> Page? {
        let scan = try IndexScan(work.query, work.directory.settings).from(work.seek)
        return try page(work) { isReversed, limit in
            let (scan, maxBlocks) = isReversed ? (scan.reversed, .max) : (scan, maxBlocks)
            return try matches(on: scan, work, limit: limit, maxBlocks: maxBlocks)?.map { Match(id: $0) }
        }
    }

    /// Returns the first matches of a scan, or `nil` if there are fewer than `limit` in `maxBlocks` blocks.
    func matches(on scan: IndexScan, _ work: SearchState, limit: Int, maxBlocks: Int = .max) throws -> [Int64]? {
        let candidates = work.candidates.ids
        let test = MatchTest(work, texts)
        let isDeep = work.candidates.verification == .tooMany && limit >= limits.provenFrom
        if isDeep { test.proven = try relevanceCandidates(work).provenMatches() }
        let found = ScannedUsers(
            limit: limit, atOnce: connection.rowsAtOnce, isDeep: isDeep, preparing: test.prepare, where: test.isMatch)
        let isComplete = try take(candidates, by: scan, maxBlocks: maxBlocks, into: found, in: work.directory)
        return isComplete ? found.ids : nil
    }

    /// Takes the candidates that a scan finds, until no more are wanted. Returns `false` if the scan ended because it
    /// had read `maxBlocks` blocks.
    func take(
        _ candidates: IDSet, by scan: IndexScan, maxBlocks: Int, into found: ScannedUsers,
        in directory: ShownDirectory
    ) throws -> Bool {
        if scan.order == .id {
            let start = scan.start?.key.id
            if let start, scan.isInclusive, candidates.contains(start) { try found.take(start) }
            try found.take(candidates, after: start, isDescending: scan.isDescending)
            return true
        }
        // Looking for the candidates among all ids of the order reads no texts.
        let isComplete = try orders.scanIDs(scan, maxBlocks: maxBlocks, in: directory) { block in
            try found.take(block, in: candidates)
        }
        try found.decide()
        return isComplete
    }
}

/// The first users of a scan who are accepted.
final class ScannedUsers {
    private(set) var ids: [Int64] = []
    private let limit: Int
    private let atOnce: Int
    private let isDeep: Bool
    private let prepare: ([Int64]) throws -> Void
    private let isAccepted: (Int64) throws -> Bool
    /// The users who were taken, and are not decided about.
    private var waiting: [Int64] = []

    /// - Parameters:
    ///   - atOnce: How many rows the store reads as fast as one. With 1, no users are prepared, unless the scan
    ///     `isDeep`: thousands of users come before the end of the page. As many as are missing are then decided about
    ///     together, so that their texts are read in the order of the table.
    ///   - prepare: Finds out about users who are asked for next.
    init(
        limit: Int, atOnce: Int, isDeep: Bool, preparing prepare: @escaping ([Int64]) throws -> Void,
        where isAccepted: @escaping (Int64) throws -> Bool
    ) {
        (self.limit, self.atOnce, self.isDeep) = (limit, atOnce, isDeep)
        (self.prepare, self.isAccepted) = (prepare, isAccepted)
    }

    private var isFull: Bool { ids.count >= limit }

    /// Takes the next user of the scan. Returns whether more are wanted.
    @discardableResult func take(_ id: Int64) throws -> Bool {
        if isFull { return false }
        waiting.append(id)
        if waiting.count >= (isDeep ? max(limit - ids.count, Self.minDeep) : atOnce) { try decide() }
        return !isFull
    }

    /// The last few are not decided about one by one.
    private static let minDeep = 256

    /// Takes those of `block` that are in `candidates`. Returns whether more are wanted.
    func take(_ block: UnsafeBufferPointer<Int64>, in candidates: IDSet) throws -> Bool {
        guard try candidates.forEachMember(of: block, take) else { return false }
        if !isDeep { try decide() }
        return !isFull
    }

    /// Takes the members of `candidates` after `start`, in the order of ids, until no more are wanted.
    func take(_ candidates: IDSet, after start: Int64?, isDescending: Bool) throws {
        var last = start
        while !isFull, let next = candidates.next(after: last, isDescending: isDescending) {
            last = next
            try take(next)
        }
        try decide()
    }

    /// Decides about the users who were taken last.
    func decide() throws {
        if waiting.count > 1 { try prepare(waiting.sorted()) }
        for id in waiting where try !isFull && isAccepted(id) { ids.append(id) }
        waiting.removeAll(keepingCapacity: true)
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

    init(_ work: SearchState, _ texts: TextReader) {
        candidates = work.candidates
        self.texts = texts
        directory = work.directory.id
    }

    func prepare(_ ids: [Int64]) throws {
        if candidates.verification == .done { return }
        prepared.removeAll(keepingCapacity: true)
        let unproven = ids.filter { proven?.contains($0) != true }
        try texts.forEachText(of: unproven, in: directory) { id, text in
            prepared[id] = candidates.matches(text.text)
        }
    }

    func isMatch(_ id: Int64) throws -> Bool {
        if candidates.verification == .done { return true }
        if proven?.contains(id) == true { return true }
        if let known = prepared[id] { return known }
        return try texts.withText(of: id, in: directory) { candidates.matches($0.text) } ?? false
    }
}

// MARK: - Positions

extension SearchEngine {
    /// Returns the position of the user that `query` starts from, counted from 1, if a page next to it was read lately.
    func knownPosition(_ query: UserQuery, _ directory: ShownDirectory) -> Int? {
        query.start.cursor.flatMap { edge(query, $0, directory.generation) }.flatMap { cache.position(of: $0) }
    }

    /// Remembers the positions of a page's first and last user, from which the pages next to it start.
    func rememberEdges(of page: Page, _ work: SearchState) {
        guard let first = page.firstPosition, work.key != .id, !page.users.rows.isEmpty else { return }
        for index in Set([0, page.users.rows.count - 1]) {
            let cursor = page.users.cursor(of: index, in: work.key)
            if let edge = edge(work.query, cursor, page.directory.generation) { cache.note(first + index, of: edge) }
        }
    }

    private func edge(_ query: UserQuery, _ cursor: Cursor, _ generation: Int64) -> SearchCache.Edge? {
        query.search.map { SearchCache.Edge(generation: generation, cursor: cursor, sort: query.sort, search: $0) }
    }

    /// Returns the position of the first of `found`, which are adjacent matches, counted from 1. `nil` if it is not
    /// known.
    func position(of found: [Match], isAtEnd: Bool, _ work: SearchState) throws -> Int? {
        guard let id = found.first?.id else { return nil }
        if case .at(let position) = work.query.start { return position + 1 }
        let isBackward = work.query.start.isBackward
        if isAtEnd, !isBackward { return 1 }
        guard let total = work.total(limits) else { return nil }
        if case .last = work.query.start { return total - found.count + 1 }
        let candidates = work.candidates.ids
        if work.key == .id {
            let before = candidates.count(before: id)
            return work.isDescending ? total - before : before + 1
        }
        if let known = work.seekPosition { return isBackward ? known - found.count : known + 1 }
        if case .relevance = work.key { return nil }
        var position = 0
        var isFound = false
        let scan = IndexScan(order: work.order, isDescending: work.isDescending)
        try orders.scanIDs(scan, in: work.directory) { block in
            candidates.forEachMember(of: block) { other in
                position += 1
                isFound = other == id
                return !isFound
            }
        }
        return isFound ? position : nil
    }
}
