import Base
import Indexes
import People

// Sorts the matches of a search, and cuts pages out of the sorted list.

extension SearchEngine {
    /// Finds the matches whose login begins with the word. Their order is known without reading their keys one by one.
    ///
    /// Names are sorted by a language's rules: not all people whose names begin with a word are next to each other.
    func groupByPrefix(_ work: inout SearchState) throws {
        let matches = work.candidates.ids
        work.group = ([], matches)
        guard let word = work.candidates.terms.soleWord else { return }
        let ids = try ids(beginningWith: word, in: work.order, of: work.directory).filter(matches.contains)
        if ids.isEmpty { return }
        let group = IDSet.list(IDList(ids.sorted()).withFilter)
        let all = matches.all
        work.group = (ids, matches.filtered { !group.contains(all[$0]) })
    }

    /// Returns the matches in ascending order, picked from a scan of the whole order.
    func sortByScan(_ work: SearchState) throws -> [Int64] {
        let scan = IndexScan(order: work.order, isDescending: false)
        return try matches(on: scan, work, limit: work.candidates.ids.count) ?? []
    }

    /// Returns the matches in ascending order. Reads the keys of those outside the group.
    func sortByKey(_ work: SearchState) throws -> [Int64] {
        let others = work.group?.others ?? work.candidates.ids
        var keys = try texts.keys(of: others, in: work.order, of: work.directory.id)
        // No other user is between those of the group.
        return keys.sortedIDs(around: work.group?.ids ?? [], at: work.candidates.terms.soleWord ?? [])
    }
}

// MARK: - Cutting pages

extension SearchEngine {
    /// Returns the page out of the sorted matches.
    func cutPage(_ matches: SortedMatches, _ work: SearchState) throws -> Page {
        let count = matches.ids.count
        let range = try range(work, of: matches)
        let found = range.map { matches.match(at: work.isReversed ? count - 1 - $0 : $0) }
        return Page(
            users: try users(found, work), directory: work.directory.directory,
            firstPosition: range.isEmpty ? nil : range.lowerBound + 1, total: count,
            hasPrevious: range.lowerBound > 0, hasNext: range.upperBound < count)
    }

    /// Returns which matches the page shows, counted in the direction of the page's order.
    private func range(_ work: SearchState, of matches: SortedMatches) throws -> Range<Int> {
        let (count, limit) = (matches.ids.count, work.query.limit)
        let isBackward = work.query.start.isBackward
        var start = isBackward ? count : 0
        if case .at(let position) = work.query.start { start = min(position, count) }
        if let seek = work.seek {
            let before = try self.count(of: matches, before: seek, orAt: isBackward == work.isReversed, work)
            start = work.isReversed ? count - before : before
        }
        return isBackward ? max(0, start - limit)..<start : start..<min(start + limit, count)
    }

    /// Returns the number of `matches` before `seek`, or before and at it.
    private func count(
        of matches: SortedMatches, before seek: SeekKey, orAt: Bool, _ work: SearchState
    ) throws -> Int {
        guard work.matchOrder.isByRelevance, let relevance = work.query.start.cursor?.relevance else {
            return try count(of: matches.ids, before: seek, orAt: orAt, work.order, in: work.directory.id)
        }
        let isDescending = work.matchOrder.isDescending
        // The matches of the same relevance, in the ascending order of the index.
        let group = matches.range(of: relevance)
        let same = isDescending ? Array(matches.ids[group].reversed()) : Array(matches.ids[group])
        let below = try count(
            of: same, before: seek, orAt: orAt != isDescending, work.order, in: work.directory.id)
        return group.lowerBound + (isDescending ? same.count - below : below)
    }

    /// Returns the number of `matches` before `seek`, or before and at it, by binary search; with several pivots at a
    /// time, if the store reads several rows as fast as one.
    func count(
        of matches: [Int64], before seek: SeekKey, orAt: Bool, _ indexedOrder: IndexedOrder, in directory: Int64
    ) throws -> Int {
        let pivotCount = indexedOrder == .id ? 1 : min(connection.rowsAtOnce, 15)
        var (low, high) = (0, matches.count)
        while low < high {
            let pivots = Set((1...pivotCount).map { low + (high - low) * $0 / (pivotCount + 1) }).sorted()
            let ids = pivots.map { matches[$0] }
            let areBefore = try areBefore(ids, seek, orAt: orAt, indexedOrder, in: directory)
            for (pivot, isBefore) in zip(pivots, areBefore) {
                guard isBefore else {
                    high = pivot
                    break
                }
                low = pivot + 1
            }
        }
        return low
    }

    /// Returns for each of `ids` whether it comes before `seek`, or before or at it.
    private func areBefore(
        _ ids: [Int64], _ seek: SeekKey, orAt: Bool, _ order: IndexedOrder, in directory: Int64
    ) throws -> [Bool] {
        var areBefore = ids.map { orAt ? $0 <= seek.key.id : $0 < seek.key.id }
        if order == .id { return areBefore }
        var index = 0
        try texts.forEachText(of: ids, in: directory) { id, text in
            while ids[index] != id { index += 1 }
            let place = SeekKey(text, of: id, in: order).compare(to: seek)
            areBefore[index] = orAt ? place <= 0 : place < 0
        }
        return areBefore
    }
}

// MARK: - Pages of matches that are not sorted

extension SearchEngine {
    /// Returns the page that begins where `work` does. `matches` returns the first matches from there on, or, reversed,
    /// those at the cursor and before it; `nil` if it gives up, and then there is no page.
    func page(
        _ work: SearchState, _ matches: (_ isReversed: Bool, _ limit: Int) throws -> [Match]?
    ) throws -> Page? {
        let (start, limit) = (work.query.start, work.query.limit)
        var skipped = 0
        // All of them are found, so only the first thousands of matches have pages by number.
        if case .at(let position) = start { skipped = position }
        guard let found = try matches(false, skipped + limit + 1)?.dropFirst(skipped) else { return nil }
        // The page starts at an end of the order if no match is at the cursor or on its other side.
        let isAtEnd = try start.cursor == nil ? skipped == 0 : (matches(true, 1) ?? []).isEmpty
        let hasMore = found.count > limit
        var shown = Array(found.prefix(limit))
        if start.isBackward { shown.reverse() }
        let page = Page(
            users: try users(shown, work), directory: work.directory.directory,
            firstPosition: try position(of: shown, isAtEnd: isAtEnd, work), total: work.total(limits),
            hasPrevious: start.isBackward ? hasMore : !isAtEnd, hasNext: start.isBackward ? !isAtEnd : hasMore)
        rememberEdges(of: page, work)
        return page
    }

    private func users(_ matches: [Match], _ work: SearchState) throws -> UserRows {
        var users = try rows.users(matches.map(\.id), in: work.order, of: work.directory)
        for (index, match) in matches.enumerated() { users.rows[index].relevance = match.relevance }
        return users
    }
}
