import Directories

// Who of those whom the index finds has the words as they stand.

extension SQLiteReader {
    /// Those of `candidates` who match; the candidates as they are where more than ``SearchLimits/counted`` do.
    func matches(among candidates: Candidates, in directory: Directory) throws -> Candidates {
        if candidates.areProven { return candidates }
        var isMatch = try provenByPlaces(candidates, in: directory.id)
        // Where login and name share letters, as `soren` and `sören` do, places tell of neither.
        if isMatch.count(where: { !$0 }) >= limits.placed {
            try proveByBeginnings(&isMatch, candidates, in: directory)
        }
        let unknown = candidates.ids.filtered { !isMatch[$0] }
        var count = candidates.ids.count - unknown.count
        if count > limits.counted { return candidates }
        var ranks = zip(unknown.all, isMatch.indices.filter { !isMatch[$0] }).makeIterator()
        try forEachText(of: unknown, in: directory.id) { id, text in
            guard candidates.isProven(by: text) else { return true }
            while let (other, rank) = ranks.next() {
                guard other == id else { continue }
                isMatch[rank] = true
                break
            }
            count += 1
            return count <= limits.counted
        }
        return count > limits.counted ? candidates : Candidates(candidates.ids.filtered { isMatch[$0] }, of: candidates)
    }

    /// Who matches for certain, by rank: whom the places of grams in their texts tell it of.
    private func provenByPlaces(_ candidates: Candidates, in directory: Int64) throws -> [Bool] {
        let chains = candidates.plan.chains
        let count = candidates.ids.count
        guard candidates.isWhole, !chains.isEmpty, count >= limits.placed else {
            return [Bool](repeating: false, count: count)
        }
        let ranks = RankSelect(candidates.ids)
        var isProven = [Bool](repeating: true, count: count)
        for chain in chains {
            var proof = PhraseMatcher(count: count)
            for (number, link) in chain.links.enumerated() {
                try forEachEntry(of: link.ngram, in: directory) { entry in
                    ranks.forEach(in: entry) { proof.note($0, $1, of: link, number) }
                }
            }
            for rank in isProven.indices where !proof.isProven(rank, chain) { isProven[rank] = false }
        }
        return isProven
    }
}
