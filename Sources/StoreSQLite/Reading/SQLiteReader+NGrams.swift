import Directories

/// Whom the search index finds.
struct Candidates {
    let ids: IDSet
    let plan: SearchPlan
    /// Whether all grams of the search have been asked for.
    let isWhole: Bool
    /// Whether all of them match, whatever their texts are.
    let areProven: Bool

    init(_ ids: IDSet, _ plan: SearchPlan, isWhole: Bool) {
        self.ids = ids
        self.plan = plan
        self.isWhole = isWhole
        areProven = isWhole && plan.unproven.isEmpty
    }

    /// Those of `candidates` who match.
    init(_ ids: IDSet, of candidates: Candidates) {
        self.ids = ids
        plan = candidates.plan
        isWhole = candidates.isWhole
        areProven = true
    }

    /// Whether the one with this text matches.
    func isProven(by text: UnsafeRawBufferPointer) -> Bool { isWhole ? plan.isProven(by: text) : plan.matches(text) }
}

extension SQLiteReader {
    /// Everyone who has all grams of `plan`.
    func candidates(_ plan: SearchPlan, in directory: Int64) throws -> Candidates {
        guard let first = plan.ngrams.first, let range = try rangeOfIDs(in: directory) else {
            return Candidates(.list(IDList()), plan, isWhole: true)
        }
        var collection = IDSetBuilder(range)
        try forEachEntry(of: first, in: directory) { collection.insert($0) }
        var found = collection.finished()
        var isWhole = true
        for ngram in plan.ngrams.dropFirst() where isWhole {
            isWhole = found.count == 0 || !plan.readsTexts(of: found.count, ratherThan: ngram, limits)
            if isWhole { found = try users(with: ngram, among: found, range, in: directory) }
        }
        if case .list(var list) = found {
            list.filtered()
            found = .list(list)
        }
        return Candidates(found, plan, isWhole: isWhole)
    }

    /// Those of `others`, in `range`, who have `ngram`.
    private func users(
        with ngram: NGram, among others: IDSet, _ range: ClosedRange<Int64>, in directory: Int64
    ) throws -> IDSet {
        switch others {
        case .list(let others):
            var list = IDList()
            try forEachEntry(of: ngram, in: directory) { list.insert($0, among: others) }
            list.sorted()
            return .list(list)
        case .bits(let others):
            var bits = Bitmap(range)
            try forEachEntry(of: ngram, in: directory) { bits.insert($0) }
            bits.formIntersection(others)
            bits.counted()
            return IDSet(bits)
        }
    }

    private func rangeOfIDs(in directory: Int64) throws -> ClosedRange<Int64>? {
        // Two questions, because SQLite would read the whole table to answer them as one.
        let statement = try connection.statement(
            "SELECT (SELECT min(id) FROM userText\(directory)), (SELECT max(id) FROM userText\(directory))")
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(0) else { return nil }
        let (first, last) = (statement.number(0), statement.number(1))
        guard 0 < first, first <= last else { throw BlockDecoder.damage }
        return first...last
    }

    func forEachEntry(of ngram: NGram, in directory: Int64, _ body: (PostingList) -> Void) throws {
        let rows = try connection.statement(NGramIndexWriter.rows(directory, "entries"))
        rows.bind(NGramIndexWriter.firstRow(ngram.bucket), at: 1)
        rows.bind(NGramIndexWriter.firstRow(ngram.bucket + 1), at: 2)
        defer { rows.reset() }
        while try rows.step() {
            let row = rows.blob(0)
            var index = 0
            while let entry = PostingList(row, at: &index) {
                if entry.ngram == ngram { body(entry) }
            }
        }
    }
}
