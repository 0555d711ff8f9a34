import Base
import People
import Publishing

/// A column of a file, and its use.
public struct ColumnPreview: Sendable {
    public var heading: String
    /// The key of the field; `withheld` or `dropped` for a column that is not stored.
    public var key: String
    /// Where it is shown: `row card`, `row`, `profile`, `nobody`.
    public var shown = ""
    public var isSearched = false
    /// The number of different values among the records read ahead; `nil` if the field is not a filter.
    public var filterValues: Int?
    /// The type and its format, unless it is text: `date d.m.y`.
    public var type = ""
    public var example = ""

    public var isLeftOut: Bool { key == "withheld" || key == "dropped" }
}

extension ImportSchema {
    /// The columns of the file, in order.
    public var columnPreviews: [ColumnPreview] {
        let withheld = Set(withheld)
        let split = resolved.split(survey.headings)
        let (shown, leftOut) = (Set(split.shown), Set(split.leftOut))
        return survey.columns.map { column in
            let heading = column.heading
            if leftOut.contains(heading) {
                return ColumnPreview(heading: heading, key: withheld.contains(heading) ? "withheld" : "dropped")
            }
            return preview(column, isShown: shown.contains(heading))
        }
    }

    /// The columns that only people's pages show, in order.
    var columnsOfPages: [String] {
        // Every import says these, so that no values are counted for them, as previews do.
        resolved.split(survey.headings).stored.filter { heading in
            field(of: heading).flatMap(shownIndex).map(places) == "profile"
        }
    }

    private func field(of heading: String) -> ResolvedField? {
        resolved.fields.first { $0.role == .name && $0.source.reads(heading) } ?? resolved.field(ofColumn: heading)
    }

    /// Returns the index of a field among those that readers see; `nil` if they do not see it.
    private func shownIndex(of field: ResolvedField) -> Int? {
        resolved.shown.fields.firstIndex { $0.key == field.key }
    }

    /// Returns where the field of an index is shown, as ``ColumnPreview/shown`` has it.
    private func places(ofField index: Int) -> String {
        let shown = resolved.shown
        let isInEveryRow = [.name, .photo].contains(shown.fields[index].role)
        let places = [("row", shown.rows), ("card", shown.cards)].filter { isInEveryRow || $1.contains(index) }
        return places.isEmpty ? "profile" : places.map(\.0).joined(separator: " ")
    }

    private func preview(_ column: SurveyedColumn, isShown: Bool) -> ColumnPreview {
        var preview = ColumnPreview(heading: column.heading, key: "-", shown: isShown ? "-" : "nobody")
        preview.example = isShown ? Self.example(column) : "(private)"
        guard let field = field(of: column.heading) else { return preview }
        (preview.key, preview.type) = (field.key, Self.type(field.field))
        let others = field.source.columns.lacking(in: [column.heading])
        if !others.isEmpty, field.source.columns.first?.lowercased() == column.heading.lowercased() {
            preview.example += " (+ \(others.joined(separator: ", ")))"
        }
        guard let index = shownIndex(of: field) else { return preview }
        let shown = resolved.shown
        preview.shown = places(ofField: index)
        preview.isSearched = shown.searched.contains(index) || field.role == .name || field.role == .login
        if shown.filters.contains(index) { preview.filterValues = Self.values(of: column, field.field) }
        return preview
    }

    /// The first value that readers will see: those with addresses, and colleagues' accounts, are withheld one by one.
    private static func example(_ column: SurveyedColumn) -> String {
        let isRelation = Withheld.isRelation(heading: column.heading)
        return column.values.lazy.map(text).first { text in
            Array(text.utf8).withUnsafeBytes { bytes in
                !PersonalValue.hasAddress(bytes) && (!isRelation || PersonName.isOfPerson(bytes))
            }
        } ?? ""
    }

    private static func text(_ value: SurveyedColumn.Value) -> String {
        switch value {
        case .text(let text): text
        case .list(let texts): texts.joined(separator: ", ")
        case .object: "{…}"
        }
    }

    private static func values(of column: SurveyedColumn, _ field: Field) -> Int {
        var values: Set<String> = []
        for value in column.values {
            switch value {
            case .text(let text):
                let separator = field.type == .list ? field.separator : nil
                let parts = separator.map { text.components(separatedBy: $0) } ?? [text]
                values.formUnion(parts.map { $0.trimmed.folded }.filter { !$0.isEmpty })
            case .list(let texts): values.formUnion(texts.map(\.folded))
            case .object: break
            }
        }
        return values.count
    }

    private static func type(_ field: Field) -> String {
        switch field.type {
        case .text: return ""
        case .list: return field.separator.map { "list \($0)" } ?? "list"
        case .date: return "date \(field.format.map { $0.map(String.init).joined(separator: ".") } ?? "y-m-d")"
        case .number: return field.format.map { "number \($0)" } ?? "number"
        case .link, .boolean: return field.role == .photo || field.role == .website ? "" : field.type.rawValue
        }
    }
}
