/// Finds the intended name for a mistyped one.
package enum Suggestion {
    /// Returns the name in `names` that is nearest to `text`, or `nil` if none is near: at most three letters, and at
    /// most a third of them, may differ. Ignores case.
    package static func nearest(to text: String, in names: some Sequence<String>) -> String? {
        let wanted = Array(text.lowercased().unicodeScalars.prefix(100))
        let candidates = names.map { name in
            (name: name, distance: distance(wanted, Array(name.lowercased().unicodeScalars.prefix(100))))
        }
        guard let best = candidates.min(by: { $0.distance < $1.distance }),
            best.distance <= min(max(wanted.count / 3, 1), 3)
        else { return nil }
        return best.name
    }

    /// Returns ` (did you mean "filters"?)`, or nothing if no name in `names` is near `text`.
    package static func question(_ text: String, in names: some Sequence<String>) -> String {
        nearest(to: text, in: names).map { " (did you mean \"\($0)\"?)" } ?? ""
    }

    /// The Damerau–Levenshtein distance (optimal string alignment): the number of insertions, deletions, replacements
    /// and swaps of neighbours that turn `one` into `other`. No letter is edited twice.
    static func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
        var rows = [Array(0...other.count)]
        for (index, scalar) in one.enumerated() {
            var row = [index + 1]
            for (column, candidate) in other.enumerated() {
                var least = min(rows[index][column + 1], row[column]) + 1
                least = min(least, rows[index][column] + (scalar == candidate ? 0 : 1))
                if index > 0, column > 0, scalar == other[column - 1], one[index - 1] == candidate {
                    least = min(least, rows[index - 1][column - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
