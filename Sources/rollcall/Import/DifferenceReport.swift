import Base
import Importers
import People

/// The report of a dry run about the people that the import would change.
struct DifferenceReport {
    let difference: ImportDifference
    /// Whether people who left would be removed.
    let isPruning: Bool

    /// Longer values are cut.
    private static let maxCharacters = 60

    var lines: [String] {
        let counts = difference.counts
        var lines = ["new: \(grouped(counts.new))"]
        lines += difference.new.map { "  \($0.name)" } + more(counts.new - difference.new.count)
        if isPruning || counts.leaving > 0 {
            lines.append("leaving: \(grouped(counts.leaving))")
            lines += Self.table(difference.leaving.map { ($0.name, "/users/\($0.handle)") })
            lines += more(counts.leaving - difference.leaving.count)
        }
        let people = counted(counts.changed, "person", "people")
        lines.append("changed: \(people), \(counted(counts.cells, "cell"))")
        lines += Self.table(
            difference.changed.map { ($0.name, $0.cells.map(Self.text).joined(separator: "; ")) })
        return (lines + more(counts.changed - difference.changed.count)).map(\.printable)
    }

    private func more(_ count: Int) -> [String] {
        count > 0 ? ["  … and \(grouped(count)) more (--all lists all)"] : []
    }

    private static func text(_ cell: ImportDifference.Cell) -> String {
        if cell.private == true { return "\(cell.column): (private)" }
        return "\(cell.column): \(shown(cell.old)) → \(shown(cell.new))"
    }

    private static func shown(_ text: String?) -> String {
        guard let text, !text.isEmpty else { return "(empty)" }
        return text.count > maxCharacters ? text.prefix(maxCharacters) + "…" : text
    }

    private static func table(_ rows: [(String, String)]) -> [String] {
        aligned(rows.map { ["  " + $0.0, $0.1] }, gap: 3)
    }
}

/// The same for programs.
struct DifferenceJSON: Encodable {
    struct Counts: Encodable {
        var added, changed, unchanged, removed: Int
    }

    var directory: String
    var counts: Counts
    var new: [ImportDifference.Person]
    var leaving: [ImportDifference.Person]
    var changed: [ImportDifference.Change]

    /// - Parameter difference: `nil` if there is nothing to compare with: all people are new.
    init(_ directory: Slug, _ summary: ImportSummary, _ difference: ImportDifference?) {
        self.directory = directory.text
        let added = summary.isCompared ? summary.counts.added : summary.progress.users
        counts = Counts(
            added: added, changed: summary.counts.changed, unchanged: summary.counts.unchanged,
            removed: summary.removed ?? 0)
        new =
            difference?.new
            ?? summary.preview.people.map { ImportDifference.Person(name: $0.name, handle: $0.handle) }
        (leaving, changed) = (difference?.leaving ?? [], difference?.changed ?? [])
    }
}
