import Base
import Indexes
import People

// Makes pages of a search in the order by relevance.
//
// Matches of one relevance follow each other in the directory's order, so a page walks through one relevance after
// another. For each, the candidates may have other users, too: the text of every user decides. So nobody comes twice,
// and a page costs the same at any depth.

extension SearchEngine {
    /// Returns the page by walking from its start.
    func walkPage(_ work: SearchState) throws -> Page? {
        let walk = try RelevanceWalk(work, self)
        return try page(work) { try ($0 ? walk.reversed : walk).matches(limit: $1) }
    }
}

// MARK: - Sorting

extension SearchEngine {
    /// Returns all matches, best first.
    func sortByRelevance(_ work: inout SearchState) throws -> SortedMatches {
        guard comparesAccents(work) else { return try sortByTier(work) }
        let words = work.search.words
        var groups = SearchMatch.all.map { _ in SortBuffer() }
        var matches: [Int64] = []  // in ascending order
        matches.reserveCapacity(work.candidates.ids.count)
        try texts.forEachText(of: work.candidates.ids.all, in: work.directory.id) { id, text in
            guard let relevance = text.searched.match(words) else { return }
            matches.append(id)
            groups[relevance.rank].append(text, of: id, in: work.order)
        }
        var (ids, ends): ([Int64], [Int]) = ([], [])
        for rank in groups.indices {
            let group = groups[rank].sortedIDs()
            ids += work.matchOrder.isDescending ? group.reversed() : group
            ends.append(ids.count)
        }
        if work.candidates.verification == .pending {
            take(work.candidates.verified(.list(IDList(matches).withFilter)), &work)
        }
        return SortedMatches(ids, ends: ends)
    }

    /// Returns the same from a scan of the directory's order. The index proves most matches to belong to a tier, so
    /// fewer texts are read.
    private func sortByTier(_ work: SearchState) throws -> SortedMatches {
        let sorted = try sortByScan(work)
        let found = try RelevanceWalk(work, self).sorted(work.matchOrder.isDescending ? sorted.reversed() : sorted)
        let ends = SearchMatch.all.map { match in found.count { $0.relevance.rank <= match.rank } }
        return SortedMatches(found.map(\.id), ends: ends)
    }
}

// MARK: - Walking

/// A walk through the matches of a search in the order by relevance, from the start of a page.
struct RelevanceWalk {
    private let work: SearchState
    private let engine: SearchEngine
    private var scan: IndexScan
    /// Whether the walk goes from the least relevance to the best.
    private var isReversed: Bool
    private let candidates: RelevanceCandidates
    private let test: RelevanceTest

    init(_ work: SearchState, _ engine: SearchEngine) throws {
        (self.work, self.engine) = (work, engine)
        scan = try IndexScan(work.query, work.directory.settings)
        isReversed = (work.query.sort.direction == .descending) != work.query.start.isBackward
        candidates = try engine.relevanceCandidates(work)
        test = RelevanceTest(candidates, engine.texts, in: work.directory.id)
    }

    /// The walk in the other direction, which begins with the user at the start.
    var reversed: RelevanceWalk {
        var walk = self
        (walk.scan, walk.isReversed) = (scan.reversed, !isReversed)
        return walk
    }

    /// Returns the first matches of the walk.
    func matches(limit: Int) throws -> [Match] {
        var found: [Match] = []
        var start = work.query.start.cursor?.relevance
        if !candidates.comparesAccents { start?.isExact = true }
        let all = SearchMatch.all.filter { $0.isExact || candidates.comparesAccents }
        let walked = (isReversed ? all.reversed() : all).drop { start != nil && $0 != start }
        for relevance in walked where found.count < limit {
            let seek = relevance == start ? work.seek : nil
            found += try ids(of: relevance, from: seek, limit: limit - found.count).map {
                Match(id: $0, relevance: relevance)
            }
        }
        return found
    }

    /// Returns `ids`, which are all matches in the directory's order, with the best first.
    func sorted(_ ids: [Int64]) throws -> [Match] {
        var found: [Match] = []
        var others = ids
        for relevance in SearchMatch.all where relevance.isExact {
            let candidates = try candidates.ids(of: relevance)
            try test.begin(relevance, proven(relevance.tier, limit: ids.count))
            try test.prepare(others.filter(candidates.contains))
            others = try others.filter { id in
                guard candidates.contains(id), try test.isWanted(id) else { return true }
                found.append(Match(id: id, relevance: relevance))
                return false
            }
        }
        return found
    }

    /// Returns the first users with a relevance after `seek`.
    private func ids(of relevance: SearchMatch, from seek: SeekKey?, limit: Int) throws -> [Int64] {
        let candidates = try candidates.ids(of: relevance)
        if candidates.count == 0 { return [] }
        try test.begin(relevance, proven(relevance.tier, limit: limit))
        let found = ScannedUsers(
            limit: limit, atOnce: engine.connection.rowsAtOnce, isDeep: isDeep(limit), preparing: test.prepare,
            where: test.isWanted)
        // The block of the scan in which the page ends may be far away. A scan that reads more blocks than reading the
        // keys of all candidates would cost gives up.
        let affordable = candidates.count / engine.limits.keysPerBlock
        if scan.order == .id || candidates.count >= engine.limits.maxTextsReadFirst,
            try engine.take(
                candidates, by: scan.from(seek), maxBlocks: affordable, into: found, in: work.directory)
        {
            return found.ids
        }
        return try idsByKey(among: candidates, from: seek, limit: limit)
    }

    /// Whether so many users come before the page's end that the index, and texts read together, cost less.
    private func isDeep(_ limit: Int) -> Bool { limit >= engine.limits.provenFrom }

    /// Returns the users who need no text, where that costs less than reading the texts of all before the page.
    private func proven(_ tier: SearchMatch.Tier, limit: Int) throws -> IDSet? {
        guard !candidates.comparesAccents, try isDeep(limit) || candidates.isCut(tier) else { return nil }
        return try candidates.proven(tier)
    }

    /// Returns the first of the wanted users after `seek` from the keys of all candidates.
    private func idsByKey(among candidates: IDSet, from seek: SeekKey?, limit: Int) throws -> [Int64] {
        var buffer = SortBuffer()
        try engine.texts.forEachText(of: candidates.all, in: work.directory.id) { id, text in
            guard try test.isWanted(id, in: text) else { return }
            if let seek {
                let place = SeekKey(text, of: id, in: scan.order).compare(to: seek)
                guard place == 0 ? scan.isInclusive : scan.isDescending == (place < 0) else { return }
            }
            buffer.append(text, of: id, in: scan.order)
        }
        let ids = buffer.sortedIDs()
        return scan.isDescending ? ids.suffix(limit).reversed() : Array(ids.prefix(limit))
    }
}

/// Decides whether users have the relevance that is walked, by their texts unless the index proves it. Remembers the
/// relevance of the users that a page has looked at.
private final class RelevanceTest {
    private let candidates: RelevanceCandidates
    private let texts: TextReader
    private let directory: Int64
    private var matches: [Int64: SearchMatch?] = [:]
    private var wanted = SearchMatch(.whole, isExact: true)
    /// Users who have the wanted relevance, as is proven without their texts.
    private var proven: IDSet?

    init(_ candidates: RelevanceCandidates, _ texts: TextReader, in directory: Int64) {
        (self.candidates, self.texts, self.directory) = (candidates, texts, directory)
    }

    /// Decides about another relevance from now on.
    func begin(_ wanted: SearchMatch, _ proven: IDSet?) { (self.wanted, self.proven) = (wanted, proven) }

    func isWanted(_ id: Int64) throws -> Bool {
        if proven?.contains(id) == true { return true }
        return try isWanted(id) { try texts.withText(of: id, in: directory, match) ?? nil }
    }

    /// Decides about the user with `id` and `text`.
    func isWanted(_ id: Int64, in text: SavedText) throws -> Bool { try isWanted(id) { match(text) } }

    /// Finds out the relevance of users who are looked at next.
    func prepare(_ ids: [Int64]) throws {
        let unknown = ids.filter { matches[$0] == nil && proven?.contains($0) != true }
        try texts.forEachText(of: unknown, in: directory) { id, text in
            matches.updateValue(match(text), forKey: id)
        }
    }

    /// Decides about a user as far as the tier that is walked matters: `find` reads the relevance from the text.
    private func isWanted(_ id: Int64, or find: () throws -> SearchMatch?) throws -> Bool {
        let found: SearchMatch?
        if let known = matches[id] {
            found = known
        } else {
            found = try find()
            matches.updateValue(found, forKey: id)
        }
        guard var relevance = found else { return false }
        relevance.tier = try candidates.tier(of: id, relevance.tier, among: wanted.tier)
        return relevance == wanted
    }

    private func match(_ text: SavedText) -> SearchMatch? {
        if candidates.comparesAccents { return text.searched.match(candidates.words) }
        return text.searched.tier(candidates.words).map { SearchMatch($0, isExact: true) }
    }
}

// MARK: - Candidates

extension SearchEngine {
    /// Returns the candidates of a search by how well they match.
    func relevanceCandidates(_ work: SearchState) throws -> RelevanceCandidates {
        let generation = work.directory.generation
        if let known = cache[work.search, generation].relevance { return known }
        let space = try filters.space(of: work.directory) ?? IDSpace(1...1)
        let found = RelevanceCandidates(work, self, in: space)
        cache[work.search, generation].relevance = found
        return found
    }

    /// Whether a search lists users with the accents of its words before others.
    ///
    /// A search with thousands of matches does not: few of these may have the accents, and only texts tell who does.
    func comparesAccents(_ work: SearchState) -> Bool {
        work.candidates.verification != .tooMany && work.candidates.ids.count <= limits.maxAccentsCompared
    }
}
