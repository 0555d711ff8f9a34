import Bytes
import Directories

// Those whose login or name begins with the word that is looked for. They stand together in that order: that they match, and
// how they follow each other, is known without reading their texts. Most words that people look for are such beginnings.

/// Matches, in two parts.
struct MatchParts {
    /// Those who stand together in the order, as they do.
    var together: [Int64] = []
    /// All others.
    var apart: IDSet
}

extension SQLiteReader {
    /// Those of `matches` who stand together in the order by `key`, and the others.
    func parts(_ matches: Candidates, by key: Sort.Key, in directory: Directory) throws -> MatchParts {
        var parts = MatchParts(apart: matches.ids)
        guard key.isText, areCounted(matches), matches.ids.count >= limits.few, let word = matches.plan.soleWord else {
            return parts
        }
        parts.together = try ids(beginningWith: word, by: key, in: directory).filter(matches.ids.contains)
        guard !parts.together.isEmpty else { return parts }
        let together = IDList(parts.together.sorted()).withFilter
        let all = matches.ids.all
        parts.apart = matches.ids.filtered { !together.contains(all[$0]) }
        return parts
    }

    /// Marks, by rank, those of `candidates` who match because they begin with what is looked for.
    func proveByBeginnings(_ isMatch: inout [Bool], _ candidates: Candidates, in directory: Directory) throws {
        guard let word = candidates.plan.soleWord else { return }
        var ids = try ids(beginningWith: word, by: .name, in: directory)
        ids += try self.ids(beginningWith: word, by: .login, in: directory)
        if ids.isEmpty { return }
        let beginning = IDList(Set(ids).sorted()).withFilter
        for (rank, id) in candidates.ids.all.enumerated() where !isMatch[rank] {
            isMatch[rank] = beginning.contains(id)
        }
    }

    /// Whose login, or name, begins with `word`, in the ascending order; somewhat more than are counted at most.
    private func ids(
        beginningWith word: [UInt8], by key: Sort.Key, in directory: Directory
    ) throws -> [Int64] {
        var ids: [Int64] = []
        // Before everyone who is called so, for no id is 0.
        try walkPlaces(IndexScan(key: key, isDescending: false), from: SeekKey(text: word, id: 0), in: directory) {
            place, text in
            guard text[place.text].starts(with: word) else { return false }
            ids.append(place.id)
            return ids.count <= limits.counted
        }
        return ids
    }
}
