import Foundation

/// The lines that differ between two texts, in the unified format of diff(1).
struct LineDifference {
    /// All lines, each behind a space if both texts have it, or a minus or plus if only the old or new one has.
    private var lines: [String] = []
    /// The lines around a change that are shown.
    private static let context = 3

    init(from old: [String], to new: [String]) {
        var removed: Set<Int> = [], added: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var (i, j) = (0, 0)
        while i < old.count || j < new.count {
            if removed.contains(i) {
                lines.append("-\(old[i])")
                i += 1
            } else if added.contains(j) {
                lines.append("+\(new[j])")
                j += 1
            } else {
                lines.append(" \(old[i])")
                (i, j) = (i + 1, j + 1)
            }
        }
    }

    private var changes: [Int] { lines.indices.filter { Self.mark(lines[$0]) != " " } }

    /// A space, plus or minus. As a `Character`, it would be another one where the line begins with a combining mark.
    private static func mark(_ line: String) -> Unicode.Scalar? { line.unicodeScalars.first }

    var isEmpty: Bool { changes.isEmpty }

    /// The hunks of the unified format, which `patch` and `git apply` read.
    var text: String {
        var shown = IndexSet()
        for change in changes {
            shown.insert(integersIn: max(0, change - Self.context)...min(lines.count - 1, change + Self.context))
        }
        return shown.rangeView.map { range in
            let before = lines[..<range.lowerBound], hunk = lines[range]
            return "@@ -\(Self.place(of: hunk, after: before, without: "+")) "
                + "+\(Self.place(of: hunk, after: before, without: "-")) @@\n" + hunk.map { "\($0)\n" }.joined()
        }.joined()
    }

    /// The number of the first line of `hunk` and how many it has, in the text that lacks the lines of the other mark.
    private static func place(
        of hunk: ArraySlice<String>, after before: ArraySlice<String>, without mark: Unicode.Scalar
    ) -> String {
        let count = hunk.count { Self.mark($0) != mark }
        return "\(before.count { Self.mark($0) != mark } + min(count, 1)),\(count)"
    }
}
