import Base

/// The records that an import leaves out on purpose, counted by reason.
public struct LeftOutRecords: Equatable, Sendable {
    /// The rows of tables that are not people.
    private var kinds = Tally<RowKind>(maxPlaces: 1)
    /// People who have left, or must not be listed, by the column or attribute that says so, with a word of explanation
    /// where its name needs one: `deleted_at`, `Austritt before today`.
    private var marks = Tally<String>(maxPlaces: 1)

    public init() {}

    mutating func add(_ kind: RowKind, at place: @autoclosure () -> String) { kinds.add(kind, at: place()) }
    mutating func add(inactive mark: String, at place: @autoclosure () -> String) { marks.add(mark, at: place()) }

    static func += (total: inout LeftOutRecords, more: LeftOutRecords) {
        total.kinds += more.kinds
        total.marks += more.marks
    }

    /// The number of people who have left.
    public var inactive: Int { marks.total }

    /// A line about the rows that are not people, and one for each mark of people who have left.
    public var lines: [String] {
        let rows = kinds.counts.map { count in
            "\(count.reason.counted(count.count)) (\(count.count == 1 ? "" : "first in ")\(count.firstPlace))"
        }
        // Titles stand above the header, where nobody is.
        let cure = kinds.counts.contains { $0.reason != .title } ? " (--all-rows keeps them)" : ""
        let inactive = marks.counts.map { count in
            "\(counted(count.count, "inactive person", "inactive people")) (\(count.reason)): not listed; "
                + "--all-people lists \(count.count == 1 ? "this one" : "them")"
        }
        return (rows.isEmpty ? [] : ["left out: \(rows.joined(separator: ", "))\(cure)"]) + inactive
    }
}
