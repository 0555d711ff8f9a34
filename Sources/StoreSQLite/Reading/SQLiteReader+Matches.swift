import Bytes
import Directories

// Pages of a search whose matches are all known.

extension SQLiteReader {
    /// A page of `matches`, who are all, in the ascending order.
    func page(_ query: UserQuery, _ bound: SeekKey?, of matches: [Int64], in directory: Directory) throws -> Page {
        let range = try range(query, bound, of: matches, in: directory.id)
        let count = matches.count
        let isDescending = query.sort.direction == .descending
        let ids = range.map { matches[isDescending ? count - 1 - $0 : $0] }
        return Page(
            users: try users(ids, by: query.sort.key, in: directory.id), directory: directory,
            firstPosition: range.isEmpty ? nil : range.lowerBound + 1, total: count,
            hasPrevious: range.lowerBound > 0, hasNext: range.upperBound < count)
    }

    /// Which matches a page shows, counted in the order it shows them in.
    private func range(
        _ query: UserQuery, _ bound: SeekKey?, of matches: [Int64], in directory: Int64
    ) throws -> Range<Int> {
        let count = matches.count
        if case .at(let position) = query.start {
            let first = min(position, count)
            return first..<min(first + query.limit, count)
        }
        guard let bound else {
            return query.start.isBackward ? max(0, count - query.limit)..<count : 0..<min(query.limit, count)
        }
        let isDescending = query.sort.direction == .descending
        let isAtIncluded = query.start.isBackward == isDescending
        let before = try self.count(of: matches, before: bound, orAt: isAtIncluded, query.sort.key, in: directory)
        let place = isDescending ? count - before : before
        if query.start.isBackward { return max(0, place - query.limit)..<place }
        return place..<min(place + query.limit, count)
    }

    /// How many of `matches` are before `bound`, or before and at it: by halves.
    private func count(
        of matches: [Int64], before bound: SeekKey, orAt: Bool, _ key: Sort.Key, in directory: Int64
    ) throws -> Int {
        let statement = try text(of: directory)
        var low = 0
        var high = matches.count
        while low < high {
            let middle = (low + high) / 2
            var order = matches[middle] < bound.place.id ? -1 : matches[middle] == bound.place.id ? 0 : 1
            if key != .id {
                statement.bind(matches[middle], at: 1)
                defer { statement.reset() }
                if try statement.step() { order = bound.compare(statement, by: key) }
            }
            if order < 0 || (orAt && order == 0) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension SeekKey {
    /// Negative, zero or positive as the user on whose text `statement` stands comes before, at or after this bound.
    fileprivate func compare(_ statement: Statement, by key: Sort.Key) -> Int {
        text.withUnsafeBytes { text in
            let id = statement.number(0)
            if !key.isText {
                return SortKey(number: statement.number(2), id: id).compare(in: text, to: place, in: text)
            }
            let texts = SearchedText(statement.bytes(1))
            let found = key == .login ? texts.loginKey : texts.nameKey
            return SortKey(text: Slice(offset: 0, count: found.count), in: found, id: id)
                .compare(in: found, to: place, in: text)
        }
    }
}
