import Base

/// Why a record is no person whom an import lists.
public enum LeftOutReason: Hashable, Sendable {
    /// The row of a table is no person.
    case row(RowKind)
    /// The person has left, or must not be listed. `mark` is the column or attribute that says so, with a word of
    /// explanation where its name needs one: `deleted_at`, `Austritt before today`.
    case inactive(mark: String)
}

/// The records that an import leaves out on purpose, counted by reason.
public struct LeftOutRecords: Equatable, Sendable {
    private struct Count: Equatable, Sendable {
        var reason: LeftOutReason
        var count: Int
        var place: String
    }

    /// In the order in which they occurred first.
    private var counts: [Count] = []

    public init() {}

    mutating func add(_ reason: LeftOutReason, _ count: Int = 1, at place: @autoclosure () -> String) {
        if let index = counts.firstIndex(where: { $0.reason == reason }) {
            counts[index].count += count
        } else {
            counts.append(Count(reason: reason, count: count, place: place()))
        }
    }

    static func += (total: inout LeftOutRecords, more: LeftOutRecords) {
        for count in more.counts { total.add(count.reason, count.count, at: count.place) }
    }

    /// The number of people who have left.
    public var inactive: Int {
        counts.reduce(0) { sum, count in if case .inactive = count.reason { sum + count.count } else { sum } }
    }

    /// The number of rows that are no people.
    public var rows: Int { counts.reduce(0) { $0 + $1.count } - inactive }

    /// A line about the rows that are no people, and one for each mark of people who have left.
    public var lines: [String] {
        let rows = counts.compactMap { count -> String? in
            guard case .row(let kind) = count.reason else { return nil }
            return "\(kind.counted(count.count)) (\(count.count == 1 ? "" : "first in ")\(count.place))"
        }
        let inactive = counts.compactMap { count -> String? in
            guard case .inactive(let mark) = count.reason else { return nil }
            return "\(counted(count.count, "inactive person", "inactive people")) (\(mark)): not listed; "
                + "--all-people lists \(count.count == 1 ? "this one" : "them")"
        }
        // Titles stand above the header, where nobody is.
        let isKeepable = counts.contains { count in
            if case .row(let kind) = count.reason { kind != .title } else { false }
        }
        let cure = isKeepable ? " (--all-rows keeps them)" : ""
        return (rows.isEmpty ? [] : ["left out: \(rows.joined(separator: ", "))\(cure)"]) + inactive
    }
}
