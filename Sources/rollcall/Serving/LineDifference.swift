import Foundation

extension [String] {
    /// Returns the lines in which this text differs from `old`, in the unified format of diff(1), which `patch` and
    /// `git apply` read; empty if none does.
    func difference(fromLines old: [String]) -> String {
        let lines = lines(after: old)
        // The lines around a change that are shown.
        let context = 3
        var shown = IndexSet()
        for change in lines.indices where Self.mark(lines[change]) != " " {
            shown.insert(integersIn: Swift.max(0, change - context)...Swift.min(lines.count - 1, change + context))
        }
        return shown.rangeView.map { range in
            let before = lines[..<range.lowerBound], hunk = lines[range]
            return "@@ -\(Self.place(of: hunk, after: before, without: "+")) "
                + "+\(Self.place(of: hunk, after: before, without: "-")) @@\n" + hunk.map { "\($0)\n" }.joined()
        }.joined()
    }

    /// All lines, each behind a space if both texts have it, or a minus or plus if only the old or new one has.
    private func lines(after old: [String]) -> [String] {
        var lines: [String] = []
        var removed: Set<Int> = [], added: Set<Int> = []
        for change in difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var (i, j) = (0, 0)
        while i < old.count || j < count {
            if removed.contains(i) {
                lines.append("-\(old[i])")
                i += 1
            } else if added.contains(j) {
                lines.append("+\(self[j])")
                j += 1
            } else {
                lines.append(" \(old[i])")
                (i, j) = (i + 1, j + 1)
            }
        }
        return lines
    }

    /// A space, plus or minus. As a `Character`, it would be another one where the line begins with a combining mark.
    private static func mark(_ line: String) -> Unicode.Scalar? { line.unicodeScalars.first }

    /// The number of the first line of `hunk` and how many it has, in the text that lacks the lines of the other mark.
    private static func place(
        of hunk: ArraySlice<String>, after before: ArraySlice<String>, without mark: Unicode.Scalar
    ) -> String {
        let count = hunk.count { Self.mark($0) != mark }
        return "\(before.count { Self.mark($0) != mark } + Swift.min(count, 1)),\(count)"
    }
}
