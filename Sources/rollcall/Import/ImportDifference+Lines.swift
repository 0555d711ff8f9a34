import Base
import Importers
import People

extension ImportDifference {
    /// Longer values are cut.
    private static let maxCharacters = 60

    /// The lines of a dry run about the people that the import would change.
    var lines: [String] {
        var lines = ["new: \(grouped(counts.new))"]
        lines += new.map { "  \($0.name)" } + more(counts.new - new.count)
        if isPruning || counts.leaving > 0 {
            lines.append("leaving: \(grouped(counts.leaving))")
            lines += Self.table(leaving.map { ($0.name, "/users/\($0.handle)") })
            lines += more(counts.leaving - leaving.count)
        }
        let people = counted(counts.changed, "person", "people")
        lines.append("changed: \(people), \(counted(counts.cells, "cell"))")
        lines += Self.table(
            changed.map { ($0.name, $0.cells.map(Self.text).joined(separator: "; ")) })
        return (lines + more(counts.changed - changed.count)).map(\.printable)
    }

    private func more(_ count: Int) -> [String] {
        count > 0 ? ["  … and \(grouped(count)) more (--all lists all)"] : []
    }

    private static func text(_ cell: Cell) -> String {
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

extension ImportSummary {
    /// The same for programs. Without a `difference` there is nothing to compare with: all people are new.
    func json(of directory: Slug, _ difference: ImportDifference?) -> JSONObject {
        let known = preview.people.map { ImportDifference.Person(name: $0.name, handle: $0.handle) }
        let counts: JSONObject = [
            "added": isCompared ? self.counts.added : progress.users, "changed": self.counts.changed,
            "unchanged": self.counts.unchanged, "removed": removed ?? 0,
        ]
        return [
            "directory": directory.text, "counts": counts, "new": difference?.new ?? known,
            "leaving": difference?.leaving ?? [], "changed": difference?.changed ?? [],
        ]
    }
}
