import Foundation

/// The lines that differ between two texts, in the unified format of diff(1).
struct LineDifference {
    private enum Line: Equatable {
        case both(String), removed(String), added(String)

        var isChange: Bool { if case .both = self { false } else { true } }
        var isOld: Bool { if case .added = self { false } else { true } }
        var isNew: Bool { if case .removed = self { false } else { true } }

        var text: String {
            switch self {
            case .both(let line): " \(line)"
            case .removed(let line): "-\(line)"
            case .added(let line): "+\(line)"
            }
        }
    }

    private var lines: [Line] = []
    /// The lines around a change that are shown.
    private static let context = 3

    init(from old: [String], to new: [String]) {
        let difference = new.difference(from: old)
        var removed: Set<Int> = [], added: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var (i, j) = (0, 0)
        while i < old.count || j < new.count {
            if removed.contains(i) {
                lines.append(.removed(old[i]))
                i += 1
            } else if added.contains(j) {
                lines.append(.added(new[j]))
                j += 1
            } else {
                lines.append(.both(old[i]))
                (i, j) = (i + 1, j + 1)
            }
        }
    }

    var isEmpty: Bool { !lines.contains(where: \.isChange) }

    /// The hunks of the unified format, which `patch` and `git apply` read.
    var text: String {
        let changes = lines.indices.filter { lines[$0].isChange }
        var shown = IndexSet()
        for change in changes {
            shown.insert(integersIn: max(0, change - Self.context)...min(lines.count - 1, change + Self.context))
        }
        return shown.rangeView.map { range in
            let before = lines[..<range.lowerBound], hunk = lines[range]
            let (old, new) = (hunk.count(where: \.isOld), hunk.count(where: \.isNew))
            return "@@ -\(before.count(where: \.isOld) + (old > 0 ? 1 : 0)),\(old) "
                + "+\(before.count(where: \.isNew) + (new > 0 ? 1 : 0)),\(new) @@\n"
                + hunk.map { "\($0.text)\n" }.joined()
        }.joined()
    }
}
