extension FieldTemplate {
    init(_ parts: [Part]) {
        if parts.count == 1, case .column(let name) = parts[0], !name.contains("{") {
            self.init(name)
        } else {
            self.init(
                parts.map { part in
                    switch part {
                    case .text(let text): Self.escaped(text)
                    case .column(let name): "{\(Self.escaped(name))}"
                    }
                }.joined())
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: #"\\"#).replacing("{", with: #"\{"#).replacing("}", with: #"\}"#)
    }

    /// Returns the template with its columns renamed.
    func renaming(_ name: (String) -> String) -> FieldTemplate {
        let renamed = parts.map { part in
            if case .column(let column) = part { Part.column(name(column)) } else { part }
        }
        return renamed == parts ? self : FieldTemplate(renamed)
    }

    func reads(_ column: String) -> Bool {
        let lowered = column.lowercased()
        return columns.contains { $0.lowercased() == lowered }
    }

    /// Returns the template without the columns for which `isKept` is false, and without the text between them and the
    /// next column.
    func keeping(_ isKept: (String) -> Bool) -> FieldTemplate {
        var kept: [Part] = []
        var pending: [Part] = []
        for part in parts {
            switch part {
            case .text: pending.append(part)
            case .column(let name):
                if isKept(name) { kept += (kept.isEmpty && part != parts[0] ? [] : pending) + [part] }
                pending = []
            }
        }
        return kept.isEmpty ? self : FieldTemplate(kept)
    }
}
