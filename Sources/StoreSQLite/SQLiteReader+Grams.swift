import Directories

/// Whom the search index finds.
struct Candidates {
    var ids: IDSet
    private let plan: SearchPlan
    /// Whether all grams of the search have been asked for.
    private let isWhole: Bool

    init(_ ids: IDSet, _ plan: SearchPlan, isWhole: Bool) {
        self.ids = ids
        self.plan = plan
        self.isWhole = isWhole
    }

    /// Whether all of them match, whatever their texts are.
    var areProven: Bool { isWhole && plan.unproven.isEmpty }

    /// Whether the one with this text matches.
    func isProven(by text: UnsafeRawBufferPointer) -> Bool { isWhole ? plan.isProven(by: text) : plan.matches(text) }
}

extension SQLiteReader {
    /// Everyone who has all grams of `plan`.
    func candidates(_ plan: SearchPlan, in directory: Directory) throws -> Candidates {
        guard let first = plan.grams.first, let range = try rangeOfIDs(in: directory.id) else {
            return Candidates(.list(IDList()), plan, isWhole: true)
        }
        switch IDSet(range, count: directory.total) {
        case .bits(let empty): return try candidates(plan, first, empty, in: directory.id)
        case .list(let empty): return try candidates(plan, first, empty, in: directory.id)
        }
    }

    private func candidates(
        _ plan: SearchPlan, _ first: Gram, _ empty: IDBits, in directory: Int64
    ) throws -> Candidates {
        var ids = empty
        try forEachEntry(of: first, in: directory) { ids.insert($0) }
        ids.counted()
        var others = empty
        for gram in plan.grams.dropFirst() {
            if plan.readsTexts(of: ids.count, ratherThan: gram, limits) {
                return Candidates(.bits(ids), plan, isWhole: ids.count == 0)
            }
            others.removeAll()
            try forEachEntry(of: gram, in: directory) { others.insert($0) }
            ids.formIntersection(others)
        }
        return Candidates(.bits(ids), plan, isWhole: true)
    }

    private func candidates(
        _ plan: SearchPlan, _ first: Gram, _ empty: IDList, in directory: Int64
    ) throws -> Candidates {
        var ids = empty
        try forEachEntry(of: first, in: directory) { ids.insert($0, among: nil) }
        ids.sorted()
        var isWhole = true
        for gram in plan.grams.dropFirst() where isWhole {
            isWhole = ids.ids.isEmpty || !plan.readsTexts(of: ids.ids.count, ratherThan: gram, limits)
            if !isWhole { break }
            var both = empty
            try forEachEntry(of: gram, in: directory) { both.insert($0, among: ids) }
            both.sorted()
            ids = both
        }
        ids.filtered()
        return Candidates(.list(ids), plan, isWhole: isWhole)
    }

    private func rangeOfIDs(in directory: Int64) throws -> ClosedRange<Int64>? {
        // Two questions, because SQLite would read the whole table to answer them as one.
        let statement = try connection.statement(
            "SELECT (SELECT min(id) FROM userText\(directory)), (SELECT max(id) FROM userText\(directory))")
        defer { statement.reset() }
        // There is no id below 1; 0 stands for null.
        guard try statement.step(), statement.number(0) > 0 else { return nil }
        return statement.number(0)...statement.number(1)
    }

    private func forEachEntry(of gram: Gram, in directory: Int64, _ body: (GramEntry) -> Void) throws {
        let rows = try connection.statement(GramTable.rows(directory, "entries"))
        rows.bind(GramTable.firstRow(gram.bucket), at: 1)
        rows.bind(GramTable.firstRow(gram.bucket + 1), at: 2)
        defer { rows.reset() }
        while try rows.step() {
            let row = rows.blob(0)
            var index = 0
            while let entry = GramEntry(row, at: &index) {
                if entry.gram == gram { body(entry) }
            }
        }
    }
}
