import Bytes
import Directories
import JSON
import Mustache

/// What people are chosen by, and what of that shows on their rows.
extension PageRenderer {
    /// Only where there is a choice, or one was made: other pages say nothing of it. Answers whether there is any.
    ///
    /// How many have a value is kept for the whole directory, and said only as long as it holds: where words or another
    /// facet leave fewer, counting them anew would take a search for each value.
    func setFacets(_ frame: Frame<PageField>, _ directory: Directory, _ request: PageRequest) -> Bool {
        let shown = directory.facets.compactMap { counts in
            let chosen = request.facets.first { $0.facet == counts.facet }?.value
            return counts.values.count > 1 || chosen != nil ? (counts, chosen) : nil
        }
        if shown.isEmpty { return false }
        let rows = model.makeList(frame, .facets, of: FacetField.self, count: shown.count)
        for (row, (counts, chosen)) in zip(rows, shown) {
            model.set(row, .name, counts.facet.name)
            model.set(row, .label, counts.facet.label)
            var values = counts.values
            if let chosen, !values.contains(where: { $0.value == chosen }) {
                values.append(.init(value: chosen, count: 0))
            }
            let isAlone = request.searchText == nil && request.facets.allSatisfy { $0.facet == counts.facet }
            let options = values.map { value in
                (value.value, value.value + (isAlone ? " (\(value.count.grouped))" : ""), value.value == chosen)
            }
            setOptions(row, .options, [("", "Any", chosen == nil)] + options) { $0 }
        }
        return true
    }

    /// Marks of a person, where the directory is of a source that has some.
    func setMarks<F: Field>(_ frame: Frame<F>, _ field: F, _ person: UserView, of directory: Directory) {
        let marks: [Badge]
        switch directory.facets.first?.facet {
        case .userType: marks = Badge.badges(in: person.more)
        case .status, .species: marks = Badge.character(in: person.more)
        default: return
        }
        if marks.isEmpty { return }
        let rows = model.makeList(frame, field, of: BadgeField.self, count: marks.count)
        for (row, mark) in zip(rows, marks) {
            if let colour = mark.colour { model.set(row, .colour, colour) }
            model.set(row, .text, mark.text)
            if let label = mark.label { model.set(row, .label, label) }
        }
    }
}

/// Something that shows at a glance about somebody.
struct Badge: Equatable {
    var colour: String?
    var text: String
    /// What a number counts.
    var label: String?

    /// Status and species of a character.
    static func character(in more: UnsafeRawBufferPointer) -> [Badge] {
        var (status, species): (String?, String?)
        try? JSON.forEachMember(of: more) { key, value in
            if key.equals("status") { status = value.string?.text }
            if key.equals("species") { species = value.string?.text }
        }
        let colours = ["Alive": "#2a9d4a", "Dead": "#d13c3c"]
        let all = [
            status.map { Badge(colour: colours[$0] ?? "#8a8899", text: $0) }, species.map { Badge(text: $0) },
        ]
        return all.compactMap { $0 }.filter { !$0.text.isEmpty }
    }

    /// Badges of Stack Exchange, gold before silver before bronze, as far as there are any.
    static func badges(in more: UnsafeRawBufferPointer) -> [Badge] {
        var counts: [String: Int64] = [:]
        try? JSON.forEachMember(of: more) { key, value in
            guard key.equals("badge_counts"), value.kind == .object else { return }
            try JSON.forEachMember(of: value.raw) { key, value in counts[key.text] = value.int64 }
        }
        return [("gold", "#d4a017"), ("silver", "#9a9fa8"), ("bronze", "#b5713a")].compactMap { name, colour in
            guard let count = counts[name], count > 0 else { return nil }
            return Badge(colour: colour, text: Int(count).grouped, label: "\(name) badge\(count == 1 ? "" : "s")")
        }
    }
}

extension Facet {
    var label: String {
        switch self {
        case .type, .userType: "Type"
        case .status: "Status"
        case .species: "Species"
        case .gender: "Gender"
        }
    }
}

extension Int {
    /// With its digits in groups of three.
    var grouped: String {
        let buffer = ByteBuffer(capacity: 32)
        buffer.append(grouped: Int64(self))
        return String(buffer)
    }
}
