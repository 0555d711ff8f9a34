import Base
import People
import Publishing

extension ImportSummary {
    /// Sentences that tell a publisher how an import has understood its source: who the people are, which of their
    /// values are shown or not stored, who is left out, and then the greatest doubts, each with the option that decides
    /// it.
    public var sentences: [String] {
        guard let schema, schema.isLearned else { return (schema.map(notStored) ?? []) + progress.leftOut.lines }
        var lines = [who(schema)]
        if schema.isFirst || schema.isExplained { lines.append(shown(schema)) }
        lines += notStored(schema) + progress.leftOut.lines + doubts(schema).prefix(Self.maxDoubts)
        if schema.isExplained { lines += schema.explanations }
        return lines
    }

    private static let maxDoubts = 3

    /// `180 people (2 hidden) of sheet "Staff" (row 4 is the header), known by E-Mail`
    private func who(_ schema: ImportSchema) -> String {
        var line = counted(progress.users, "person", "people")
        if progress.hidden > 0 { line += " (\(progress.hidden.grouped) hidden)" }
        if let sheet = layout?.sheet { line += " of sheet \"\(sheet)\"" }
        if let layout, let reading = layout.reading { line += Self.words(forHeader: reading.header, layout.row) }
        return line + ", known by \(schema.knownBy)"
    }

    private static func words(forHeader rows: ClosedRange<Int>?, _ noun: String) -> String {
        switch rows {
        case nil: " (no header)"
        case let rows? where rows.count > 1: " (\(noun)s \(rows.lowerBound) to \(rows.upperBound) are the header)"
        case let rows? where rows.lowerBound > 1: " (\(noun) \(rows.lowerBound) is the header)"
        default: ""
        }
    }

    /// `names from Vorname and Nachname; rows show Position and Abteilung; filters Abteilung, Standort; pages also show
    /// Website`
    private func shown(_ schema: ImportSchema) -> String {
        let settings = schema.resolved.shown
        let labels = { (indexes: [Int]) in
            indexes.map { settings.fields[$0].source.onlyColumn ?? settings.fields[$0].key }
        }
        let name = schema.resolved.field(.name)
        let order = settings.defaultSort
        let bySurname = order.key.name == "name" && settings.wholeNameSurname != nil ? " (by surname)" : ""
        let parts = [
            ("names from", listed(name?.source.columns ?? [])), ("rows show", listed(labels(settings.rows))),
            ("filters", labels(settings.filters).joined(separator: ", ")),
            ("pages also show", schema.columnsOfPages.joined(separator: ", ")),
            ("order", "\(order.key.name)\(order.direction == .descending ? ":desc" : "")\(bySurname)"),
            ("language", settings.language),
        ]
        return parts.filter { !$1.isEmpty }.map { "\($0) \($1)" }.joined(separator: "; ")
    }

    /// `not stored: E-Mail, Telefon (--publish shows one)`
    private func notStored(_ schema: ImportSchema) -> [String] {
        let hidden = schema.hiddenInSheet
        let columns = schema.withheld
        return [false, true].compactMap { isHiddenInSheet in
            let columns = columns.filter { hidden.contains($0) == isHiddenInSheet }
            if columns.isEmpty { return nil }
            let reason = isHiddenInSheet ? ", because the sheet hides \(columns.count == 1 ? "it" : "them")" : ""
            return "not stored\(reason): \(columns.joined(separator: ", ")) (--keep stores one, --publish shows one)"
        }
    }

    /// The weightiest first.
    private func doubts(_ schema: ImportSchema) -> [String] {
        var doubts: [String] = []
        if let layout, let reading = layout.reading, reading.header == nil {
            let headings = reading.headings.filter { !$0.isEmpty }.joined(separator: ", ")
            doubts.append(
                "no \(layout.row) has headings: columns are called \(headings) "
                    + "(--header N names the \(layout.row) of the header)")
        }
        return doubts + [layout?.sheetDoubt, schema.doubtfulLeavers, schema.doubtfulName].compactMap(\.self)
    }
}

extension ImportSchema {
    /// A doubt about names that many people share.
    fileprivate var doubtfulName: String? {
        guard isFirst, let name = resolved.field(.name)?.source.onlyColumn,
            let column = survey.columns.first(where: { $0.heading == name }), column.values.count >= 8,
            case let distinct = Set(column.values.map { $0.text?.folded ?? "" }).count,
            distinct * 3 <= column.values.count
        else { return nil }
        return "\"\(name)\" may be no name of people: \(counted(distinct, "different value")) in "
            + "\(counted(column.values.count, "row")) (--map name=COLUMN reads another one)"
    }

    /// A line for each column: what it was taken for, and the evidence.
    fileprivate var explanations: [String] {
        let meanings = ColumnMeanings(survey).columns
        return zip(zip(survey.columns, columnPreviews), meanings).map { known, meaning in
            let (column, preview) = known
            var parts: [String] = []
            switch preview.key {
            case "withheld": parts.append("not stored")
            case "dropped": parts.append("left out as you said")
            default:
                parts.append("\(preview.key == "-" ? "no field" : preview.key), shown \(Self.places(preview.shown))")
            }
            if let role = meaning.role { parts.append(Self.evidence(of: role, meaning.reasons)) }
            let kinds = meaning.withheld.map { "\($0)" }.sorted()
            if !kinds.isEmpty { parts.append("the heading is one of \(kinds.joined(separator: ", "))") }
            if meaning.isRelation { parts.append("names others") }
            if !preview.type.isEmpty { parts.append(preview.type) }
            let distinct = Set(column.values.map { "\($0)" }).count
            parts.append(
                "\(counted(column.values.count, "value")) in \(counted(survey.records, "record")), \(distinct.grouped) different"
            )
            return "column \(column.heading): \(parts.joined(separator: "; "))"
        }
    }

    /// `the heading means last_name beside a first name, and the values fit`
    private static func evidence(of role: FieldRole, _ reasons: [String]) -> String {
        guard reasons.contains("heading") else { return "the values look like those of \(role.rawValue)" }
        let neighbours = reasons.filter { $0 != "heading" && $0 != "values" }.map { " \($0)" }.joined()
        return
            "the heading means \(role.rawValue)\(neighbours)\(reasons.contains("values") ? ", and the values fit" : "")"
    }

    private static func places(_ shown: String) -> String {
        switch shown {
        case "": "nowhere"
        case "nobody": "to nobody"
        case "profile", "-": "on people's pages"
        default: "in \(shown.replacing(" ", with: ", "))"
        }
    }
}
