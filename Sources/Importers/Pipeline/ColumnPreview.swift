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

    /// Whether the column is not stored.
    public var isLeftOut: Bool { key == "withheld" || key == "dropped" }
}

extension ImportSchema {
    /// The columns of the file, in order.
    public var columnPreviews: [ColumnPreview] {
        let withheld = Set(withheld)
        return columns.map { column in
            let heading = column.heading
            if resolved.visibility(ofColumn: heading) == .never {
                return ColumnPreview(heading: heading, key: withheld.contains(heading) ? "withheld" : "dropped")
            }
            return preview(column, field(of: heading))
        }
    }

    /// The columns that only people's pages show, in order.
    var columnsOfPages: [String] {
        columns.map(\.heading).filter { heading in
            resolved.visibility(ofColumn: heading) != .never && field(of: heading).map(places) == "profile"
        }
    }

    private func field(of heading: String) -> ResolvedField? {
        resolved.fields.first { $0.role == .name && $0.source.reads(heading) } ?? resolved.field(ofColumn: heading)
    }

    /// Where a field is shown, as ``ColumnPreview/shown`` has it.
    private func places(of field: ResolvedField) -> String {
        let isInEveryRow = field.role == .name || field.role == .photo
        let shown = resolved.shown
        let isIn = { (list: [Int]) in isInEveryRow || list.contains { shown.fields[$0].key == field.key } }
        let places = [isIn(shown.rows) ? "row" : nil, isIn(shown.cards) ? "card" : nil].compactMap(\.self)
        if field.visibility == .private { return "nobody" }
        return places.isEmpty ? "profile" : places.joined(separator: " ")
    }

    private func preview(_ column: SurveyedColumn, _ field: ResolvedField?) -> ColumnPreview {
        let isPublic = resolved.visibility(ofColumn: column.heading) == .public
        var example = isPublic ? Self.example(column) : "(private)"
        guard let field else {
            return ColumnPreview(
                heading: column.heading, key: "-", shown: resolved.others == .private ? "nobody" : "-", example: example
            )
        }
        let others = field.source.columns.filter { $0.lowercased() != column.heading.lowercased() }
        if !others.isEmpty, field.source.columns.first?.lowercased() == column.heading.lowercased() {
            example += " (+ \(others.joined(separator: ", ")))"
        }
        let shown = resolved.shown
        let isIn = { (list: [Int]) in list.contains { shown.fields[$0].key == field.key } }
        return ColumnPreview(
            heading: column.heading, key: field.key, shown: places(of: field),
            isSearched: field.visibility == .public
                && (isIn(shown.searched) || field.role == .name || field.role == .login),
            filterValues: isIn(shown.filters) ? Self.values(of: column, field.field) : nil,
            type: Self.type(field.field), example: example)
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
