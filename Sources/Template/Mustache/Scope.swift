import Base

/// The names that are visible at a position of a template: those of its document, of the template itself, and of each
/// list around the position, the innermost last.
extension [Schema] {
    /// Returns the innermost field called `name`.
    func find(_ name: String) -> (place: Place, kind: FieldKind)? {
        for level in indices.reversed() {
            guard let slot = self[level].fields.firstIndex(where: { $0.name == name }) else { continue }
            return (Place(level: UInt16(level), slot: UInt16(slot)), self[level].fields[slot].kind)
        }
        return nil
    }

    /// Returns the error message for a `name` that does not exist.
    func explain(unknown name: String) -> String {
        let known = reversed().map { $0.fields.map(\.name) }
        // At most a third of the letters may differ; beyond that, it is another word.
        let nearest = known.joined().nearest(to: name) { _ in (name.count + 1) / 3 }
        if let nearest { return "unknown name \"\(name)\"; did you mean \"\(nearest)\"?" }
        let lists = known.map { $0.joined(separator: ", ") }.joined(separator: "; and from outside: ")
        return "unknown name \"\(name)\". Names here: \(lists)"
    }
}
