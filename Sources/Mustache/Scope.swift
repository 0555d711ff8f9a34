/// The names that are visible at a position of a template: those of each list around it, of the template itself, and of
/// its document.
struct Scope {
    /// The levels, outermost first.
    var levels: [Schema]

    /// Returns the innermost field called `name`.
    func find(_ name: String) -> (place: Place, kind: FieldKind)? {
        for level in levels.indices.reversed() {
            guard let slot = levels[level].fields.firstIndex(where: { $0.name == name }) else { continue }
            return (Place(level: UInt16(level), slot: UInt16(slot)), levels[level].fields[slot].kind)
        }
        return nil
    }

    /// Returns the error message for a `name` that does not exist.
    func explain(unknown name: String) -> String {
        let known = levels.reversed().map { $0.fields.map(\.name) }
        let hint = nearest(to: name, among: known.flatMap(\.self)).map { "; did you mean \"\($0)\"?" } ?? "."
        let lists = known.map { $0.joined(separator: ", ") }.joined(separator: "; and from outside: ")
        return "unknown name \"\(name)\"\(hint) Names here: \(lists)"
    }

    private func nearest(to name: String, among names: [String]) -> String? {
        let ranked = names.map { (name: $0, distance: editDistance($0.lowercased(), name.lowercased())) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        // At most a third of the letters may differ; beyond that, it is another word.
        return best.distance <= (name.count + 1) / 3 ? best.name : nil
    }
}

/// Returns the number of letters to insert, delete or replace to turn `a` into `b` (Levenshtein distance).
private func editDistance(_ a: String, _ b: String) -> Int {
    let b = Array(b)
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for j in b.indices {
            let replaced = diagonal + (letter == b[j] ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
        }
    }
    return row[b.count]
}
