import Base

/// The records that an import leaves out on purpose, counted by reason.
public struct LeftOutRecords: Equatable, Sendable {
    private struct Counts<Reason: Equatable & Sendable>: Equatable, Sendable {
        struct Count: Equatable, Sendable {
            var reason: Reason
            var count: Int
            var place: String
        }

        /// In the order in which they occurred first.
        private(set) var list: [Count] = []

        var total: Int { list.reduce(0) { $0 + $1.count } }

        mutating func add(_ reason: Reason, _ count: Int = 1, at place: @autoclosure () -> String) {
            if let index = list.firstIndex(where: { $0.reason == reason }) {
                list[index].count += count
            } else {
                list.append(Count(reason: reason, count: count, place: place()))
            }
        }

        static func += (total: inout Counts, more: Counts) {
            for count in more.list { total.add(count.reason, count.count, at: count.place) }
        }
    }

    /// The rows of tables that are no people.
    private var kinds = Counts<RowKind>()
    /// People who have left, or must not be listed, by the column or attribute that says so, with a word of explanation
    /// where its name needs one: `deleted_at`, `Austritt before today`.
    private var marks = Counts<String>()

    public init() {}

    mutating func add(_ kind: RowKind, at place: @autoclosure () -> String) { kinds.add(kind, at: place()) }
    mutating func add(inactive mark: String, at place: @autoclosure () -> String) { marks.add(mark, at: place()) }

    static func += (total: inout LeftOutRecords, more: LeftOutRecords) {
        total.kinds += more.kinds
        total.marks += more.marks
    }

    /// The number of people who have left.
    public var inactive: Int { marks.total }

    /// The number of rows that are no people.
    public var rows: Int { kinds.total }

    /// A line about the rows that are no people, and one for each mark of people who have left.
    public var lines: [String] {
        let rows = kinds.list.map { "\($0.reason.counted($0.count)) (\($0.count == 1 ? "" : "first in ")\($0.place))" }
        // Titles stand above the header, where nobody is.
        let cure = kinds.list.contains { $0.reason != .title } ? " (--all-rows keeps them)" : ""
        let inactive = marks.list.map { count in
            "\(counted(count.count, "inactive person", "inactive people")) (\(count.reason)): not listed; "
                + "--all-people lists \(count.count == 1 ? "this one" : "them")"
        }
        return (rows.isEmpty ? [] : ["left out: \(rows.joined(separator: ", "))\(cure)"]) + inactive
    }
}
