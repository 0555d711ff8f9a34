import NGramIndex
import People
import Synchronization

/// The sets of users that filters have found, shared by all readers of a store. Each is kept until the directory
/// changes, or until others need the memory.
final class FilterCache: Sendable {
    /// The value or the ranges that a set was found for.
    enum Key: Hashable {
        case value(FilterValues.Value)
        case ranges(IndexedOrder, [ClosedRange<Int64>])
        /// The ranges of a filter that is not an order.
        case valuesInRanges(filter: Int64, [ClosedRange<Int64>])
    }

    /// The values of a filter, the most frequent ones first.
    struct Values {
        let texts: [String]
        let numbers: [Int64]
        private let index: ValueIndex

        init(_ texts: [String], _ numbers: [Int64]) {
            self.texts = texts
            self.numbers = numbers
            index = ValueIndex(texts)
        }

        /// Returns the index of a value in any case.
        func index(of text: String) -> Int? { index.index(of: text) }
    }

    /// The numbers and dates that the values of a filter mean, ascending, and the values' own numbers.
    struct SortNumbers {
        private let numbers: [(meant: Int64, value: Int64)]

        init(_ numbers: [(meant: Int64, value: Int64)]) { self.numbers = numbers.sorted { $0 < $1 } }

        /// Returns the values in `ranges`, which ascend and do not overlap.
        func values(in ranges: [ClosedRange<Int64>]) -> [Int64] {
            var index = 0
            return ranges.flatMap { range in
                while index < numbers.count, numbers[index].meant < range.lowerBound { index += 1 }
                let start = index
                while index < numbers.count, numbers[index].meant <= range.upperBound { index += 1 }
                return numbers[start..<index].map(\.value)
            }
        }
    }

    private struct Question: Hashable {
        var filter: ChosenFilter
        var search: Search
    }

    private struct Kept {
        var generation: Int64
        /// All ids; `nil` as long as they are not known, and `.some(nil)` without any. Kept when memory is short: no
        /// search can do without.
        var space: IDSpace??
        var sets: [Key: IDSet] = [:]
        var values: [Int64: Values] = [:]
        var sortNumbers: [Int64: SortNumbers] = [:]
        var answers: [Question: [Int]?] = [:]
        var memory = 0
    }

    /// Each takes about a kilobyte.
    private static let maxAnswers = 1000

    /// Enough for 50 values of ten million users.
    private static let maxMemory = 64 << 20
    private let directories = Mutex<[Int64: Kept]>([:])

    /// Returns the ids of a directory that were read, or else what `read` returns.
    func space(of directory: Directory, _ read: () throws -> IDSpace?) rethrows -> IDSpace? {
        if let known = kept(of: directory, { $0.space }) { return known }
        let found = try read()
        change(directory) { $0.space = .some(found) }
        return found
    }

    /// Returns the set that was found for `key`, or else what `find` returns.
    func ids(_ key: Key, of directory: Directory, _ find: () throws -> IDSet) rethrows -> IDSet {
        if let known = kept(of: directory, { $0.sets[key] }) { return known }
        let found = try find()
        change(directory) { kept in
            guard kept.sets.updateValue(found, forKey: key) == nil else { return }
            kept.memory += found.memory + 64
        }
        return found
    }

    /// Returns the values of a filter that were read, or else what `read` returns.
    func values(of filter: Int64, in directory: Directory, _ read: () throws -> Values) rethrows -> Values {
        if let known = kept(of: directory, { $0.values[filter] }) { return known }
        let found = try read()
        change(directory) { $0.values[filter] = found }
        return found
    }

    /// Returns what the values of a filter mean, or else what `read` returns.
    func sortNumbers(
        of filter: Int64, in directory: Directory, _ read: () throws -> SortNumbers
    ) rethrows -> SortNumbers {
        if let known = kept(of: directory, { $0.sortNumbers[filter] }) { return known }
        let found = try read()
        change(directory) { $0.sortNumbers[filter] = found }
        return found
    }

    /// Returns the numbers of users that were counted, or else what `count` returns.
    func counts(
        of filter: ChosenFilter, among search: Search, in directory: Directory, _ count: () throws -> [Int]?
    ) rethrows -> [Int]? {
        let question = Question(filter: filter, search: search)
        if let known = kept(of: directory, { $0.answers[question] }) { return known }
        let counts = try count()
        change(directory) { kept in
            if kept.answers.count >= Self.maxAnswers { kept.answers = [:] }
            kept.answers[question] = .some(counts)
        }
        return counts
    }

    private func kept<Result>(of directory: Directory, _ body: (Kept) -> Result?) -> Result? {
        directories.withLock { directories in
            guard let kept = directories[directory.id], kept.generation == directory.generation else { return nil }
            return body(kept)
        }
    }

    /// Changes the entry of a directory unless it is of a later generation.
    private func change(_ directory: Directory, _ body: (inout Kept) -> Void) {
        directories.withLock { directories in
            var kept = directories.removeValue(forKey: directory.id) ?? Kept(generation: directory.generation)
            if kept.generation < directory.generation { kept = Kept(generation: directory.generation) }
            if kept.generation == directory.generation { body(&kept) }
            if directories.values.reduce(kept.memory, { $0 + $1.memory }) > Self.maxMemory { directories = [:] }
            if kept.memory > Self.maxMemory { kept = Kept(generation: kept.generation, space: kept.space) }
            directories[directory.id] = kept
        }
    }
}
