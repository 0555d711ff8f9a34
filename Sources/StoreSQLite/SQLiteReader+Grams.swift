import Directories

/// Whom the search index finds.
struct Candidates {
    /// Ascending.
    var ids: [Int64]
    private let plan: SearchPlan
    /// Whether all grams of the search have been asked for.
    private let isWhole: Bool

    init(_ ids: [Int64], _ plan: SearchPlan, isWhole: Bool) {
        self.ids = ids
        self.plan = plan
        self.isWhole = isWhole
    }

    /// Whether all of them match, whatever their texts are.
    var areProven: Bool { isWhole && plan.unproven.isEmpty }

    /// Whether the one with this text matches.
    func isProven(by text: UnsafeRawBufferPointer) -> Bool { isWhole ? plan.isProven(by: text) : plan.matches(text) }

    /// The places in ``ids`` that a walk by id meets.
    func range(on walk: Walk, from bound: Bound?, isInclusive: Bool) -> Range<Int> {
        guard let bound = bound?.place.id else { return ids.indices }
        let start = ids.firstIndex(atOrAfter: bound)
        // At the bound there is one or nobody.
        let end = start < ids.count && ids[start] == bound ? start + 1 : start
        return walk.isDescending ? 0..<(isInclusive ? end : start) : (isInclusive ? start : end)..<ids.count
    }

    func contains(_ id: Int64) -> Bool {
        let index = ids.firstIndex(atOrAfter: id)
        return index < ids.count && ids[index] == id
    }
}

extension SQLiteReader {
    /// Fewer than these are sooner looked at than looked for in another gram.
    private static let fewEnough = 64

    /// Everyone who has all grams of `plan`.
    func candidates(_ plan: SearchPlan, in directory: Int64) throws -> Candidates {
        guard let first = plan.grams.first else { return Candidates([], plan, isWhole: true) }
        var ids = try self.ids(with: first, in: directory)
        for gram in plan.grams.dropFirst() {
            if ids.count < Self.fewEnough { return Candidates(ids, plan, isWhole: ids.isEmpty) }
            ids = try self.ids(with: gram, among: ids, in: directory)
        }
        return Candidates(ids, plan, isWhole: true)
    }

    private func ids(with gram: Gram, in directory: Int64) throws -> [Int64] {
        var ids: [Int64] = []
        try forEachEntry(of: gram, in: directory) { entry in entry.forEachID { ids.append($0) } }
        return ids.inOrder
    }

    private func ids(with gram: Gram, among others: [Int64], in directory: Int64) throws -> [Int64] {
        var ids: [Int64] = []
        try others.withUnsafeBufferPointer { others in
            try forEachEntry(of: gram, in: directory) { entry in
                var index = -1
                entry.forEachID { id in
                    if index < 0 { index = others.firstIndex(atOrAfter: id) }
                    while index < others.count, others[index] < id { index += 1 }
                    if index < others.count, others[index] == id { ids.append(id) }
                }
            }
        }
        return ids.inOrder
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

extension [Int64] {
    /// The same, ascending: as they are already where users came in the order of their ids.
    fileprivate var inOrder: [Int64] { zip(self, dropFirst()).allSatisfy { $0 < $1 } ? self : sorted() }

    func firstIndex(atOrAfter id: Int64) -> Int { withUnsafeBufferPointer { $0.firstIndex(atOrAfter: id) } }
}

extension UnsafeBufferPointer<Int64> {
    /// The place of the first number that is not less than `id`, of numbers that ascend.
    func firstIndex(atOrAfter id: Int64) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
