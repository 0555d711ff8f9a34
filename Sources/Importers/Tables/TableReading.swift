import Base
import People
import Publishing

/// How a table is read: its header, the names of its columns, and the rules by which rows below the header are people.
/// Judged by its first rows alone, whatever file they come from.
struct TableReading: Equatable {
    /// The numbers of the rows of the header; `nil` if the table has none.
    let header: ClosedRange<Int>?
    /// One for each column; empty without one.
    let headings: [String]
    let rules: RowRules
    /// Whether rows name parts of the organization to which the people below them belong.
    private(set) var hasSections = false
    /// The number of people among the first rows.
    private(set) var people = 0
    /// The number of columns whose headings have a meaning.
    let explained: Int

    /// The rows that are looked at.
    static let maxRows = 256

    /// Hints of the publisher and of the directory about a table.
    struct Hints {
        /// The publisher's names for columns.
        var names: ColumnNames
        /// The number of the row of the header, if the publisher names it.
        var line: Int?
        /// The word for a row in messages.
        var noun = "line"
        /// Whether the table may have no header.
        var mayLackHeader = true

        /// Whether headings name or identify people; see ``HeaderWords/hasName(_:byPersonsAlone:)``.
        func isName(_ headings: [String], byPersonsAlone: Bool = true) -> Bool {
            CSVHeader.hasName(CSVHeader.titles(headings), names, byPersonsAlone: byPersonsAlone)
        }
    }

    /// Judges `rows`, the first ones with text. Throws an error if none of them can be the header.
    init(_ rows: [TableRow], _ hints: Hints) throws(RollcallError) {
        try expect(!rows.isEmpty, "expected a header that names the columns, found nothing")
        let chosen = try Self.named(in: rows, hints) ?? Self.best(in: rows, hints) ?? Self.headerless(rows, hints)
        guard let chosen else {
            let widest = rows.prefix(CSVHeader.maxLines).max { $0.filled.count < $1.filled.count } ?? rows[0]
            throw CSVHeader.lacksName(CSVHeader.titles(widest.cells))
        }
        header = chosen.rows.first.map { $0.number...(chosen.rows.last?.number ?? $0.number) }
        (headings, explained) = (chosen.headings, chosen.explained)
        let below = rows[chosen.rows.endIndex...]
        rules = RowRules(
            headers: chosen.rows.map(\.cells) + [headings], names: Self.names(among: headings, hints), above: below)
        count(below)
    }

    /// Counts the people below the header.
    private mutating func count(_ rows: ArraySlice<TableRow>) {
        var sorter = RowSorter(rules)
        func note(_ kind: RowKind?, _: TableRow) {
            people += kind == nil ? 1 : 0
            hasSections = hasSections || kind == .section
        }
        for row in rows { sorter.judge(row, note) }
        sorter.close(isBeforePeople: false, note)
    }

    /// Returns the columns with names or parts of them.
    private static func names(among headings: [String], _ hints: Hints) -> [Int] {
        let roles = FieldRole.of(headings: headings)
        for wanted: [FieldRole?] in [[.name], [.firstName, .lastName]] where roles.contains(where: wanted.contains) {
            return roles.indices.filter { wanted.contains(roles[$0]) }
        }
        return headings.indices.filter { !headings[$0].isEmpty && hints.isName([headings[$0]]) }
    }
}

extension TableReading {
    /// One or two rows that may be the header; none of a table without one.
    fileprivate struct Candidate {
        let rows: ArraySlice<TableRow>
        let headings: [String]
        /// Those that are not empty.
        let filled: [String]
        let explained: Int

        init(_ rows: ArraySlice<TableRow>, headings: [String]) {
            (self.rows, self.headings) = (rows, headings)
            filled = headings.filter { !$0.isEmpty }
            explained = HeaderWords.explained(filled)
        }

        /// Whether the headings are written for programs: `emp_name`, `jobTitle`, `FIRSTNAME`.
        var isTechnical: Bool {
            let technical = filled.count { heading in
                !heading.contains(" ")
                    && (heading.contains("_")
                        || heading.count > 2 && heading == heading.uppercased()
                            && heading.contains(where: \.isCased)
                        || heading.unicodeScalars.allSatisfy { !$0.properties.isUppercase }
                        || heading.dropFirst().contains { $0.isUppercase } && heading.contains { $0.isLowercase })
            }
            return technical * 2 > filled.count
        }
    }

    /// Returns the row that the publisher names, or the header of an export.
    private static func named(in rows: [TableRow], _ hints: Hints) throws(RollcallError) -> Candidate? {
        let found = rows.firstIndex { $0.number == hints.line }
        let wanted = try hints.line.map { line throws(RollcallError) in
            try required(found, "expected the header in \(hints.noun) \(line), found no text")
        }
        let export = rows.prefix(CSVHeader.maxLines).firstIndex { CSVHeader.isExport($0.cells) }
        guard let index = wanted ?? export else { return nil }
        let headings = rows[index].cells
        if !hints.isName(headings) { throw CSVHeader.lacksName(CSVHeader(CSVHeader.titles(headings)).titles) }
        return Candidate(rows[index...index], headings: headings)
    }

    /// Returns the first of the candidates that explain most columns.
    private static func best(in rows: [TableRow], _ hints: Hints) -> Candidate? {
        let width = rows.map(\.filled.count).max() ?? 1
        var best: Candidate?
        for index in rows.indices.prefix(CSVHeader.maxLines) {
            guard let single = single(rows, at: index, width: width) else { continue }
            let candidates = [joined(rows, at: index), single].compactMap(\.self)
            for candidate in candidates where hasNames(candidate, in: rows, hints) {
                let isBetter = candidate.explained > best?.explained ?? 0
                if isBetter || best.map({ isHuman(candidate, than: $0, in: rows) }) == true { best = candidate }
            }
        }
        return best.map { skippingNames(below: $0, rows, hints) }
    }

    /// Whether a heading names people, or is a word for people above names: `Director` may also be somebody's title.
    private static func hasNames(_ candidate: Candidate, in rows: [TableRow], _ hints: Hints) -> Bool {
        hints.isName(candidate.headings, byPersonsAlone: false)
            || hints.isName(candidate.headings)
                && candidate.headings.enumerated().filter { hints.isName([$0.element]) }.contains { column, heading in
                    let below = rows[candidate.rows.endIndex...].prefix(CSVHeader.maxLines)
                    let values = below.map { $0.text(column) }.filter { !$0.isEmpty }
                    let survey = SurveyedColumn(heading: heading, values: values.map { .text($0) })
                    return ColumnMeanings(Survey(columns: [survey], records: values.count)).roles == [.name]
                }
    }

    /// Returns a row as a header; `nil` if it has the values or labels that headers do not have.
    private static func single(_ rows: [TableRow], at index: Int, width: Int) -> Candidate? {
        let row = rows[index]
        let filled = row.filled.map { row.cells[$0] }
        // Dates head the columns of lists of presence.
        let values: [CellShape] = [.address, .link, .phone]
        guard filled.count >= min(2, width), !filled.contains(where: { values.contains(CellShape($0)) }) else {
            return nil
        }
        // `User: | JDOE | Date: | 2024-01-31`
        let isLabel = { (cell: String) in cell.hasSuffix(":") || cell.hasSuffix("：") }
        let labels = filled.count(where: isLabel)
        guard labels == 0 || labels * 2 > filled.count || !isLabel(filled[0]) else { return nil }
        return Candidate(rows[index...index], headings: row.cells)
    }

    /// Returns a row and the one below as a header of two rows, if the second divides columns of the first: `Name` over
    /// `First` and `Last`.
    private static func joined(_ rows: [TableRow], at index: Int) -> Candidate? {
        guard index + 1 < rows.count, rows[index + 1].number == rows[index].number + 1 else { return nil }
        let (top, low) = (rows[index], rows[index + 1])
        if low.cells.contains(where: { ![.empty, .name, .text].contains(CellShape($0)) }) { return nil }
        var (headings, group, hasGap) = ([String](), "", false)
        for column in 0..<max(top.cells.count, low.cells.count) {
            let (above, below) = (top.text(column), low.text(column))
            if !above.isEmpty || below.isEmpty { group = above } else { hasGap = true }
            // Two columns of their own are a header and a person.
            let isDivided = top.text(column + 1).isEmpty && !low.text(column + 1).isEmpty
            if !above.isEmpty, !below.isEmpty, above != below, !isDivided { return nil }
            headings.append(joined(group, below))
        }
        // Words of headings, or cells merged over both rows: else the row may be a person.
        let isMerged = zip(top.cells, low.cells).contains { above, below in !above.isEmpty && above == below }
        guard hasGap, isMerged || HeaderWords.explained(low.cells.filter { !$0.isEmpty }) > 0 else { return nil }
        // A heading over two columns that both have the same part keeps the two apart.
        for (column, heading) in headings.enumerated() where heading == low.text(column) && !heading.isEmpty {
            let above = top.cells.prefix(column + 1).last { !$0.isEmpty }
            if let above, above != heading, headings.count(where: { $0 == heading }) > 1 {
                headings[column] = "\(above) \(heading)"
            }
        }
        return Candidate(rows[index...(index + 1)], headings: headings)
    }

    private static func joined(_ above: String, _ below: String) -> String {
        if below.isEmpty || above == below { return above }
        if above.isEmpty || HeaderWords.explained([below]) > 0 { return below }
        let phrase = "\(below) \(above)"
        return HeaderWords.explained([phrase]) > 0 ? phrase : "\(above) \(below)"
    }

    /// Whether `candidate`, a row below `other`, has labels for people where the other has names for programs: nearly
    /// all its cells are words of headings or half of them are the other's with spaces (`FIRSTNAME` over `First Name`),
    /// and there are people below. A person's row with one such word does not count.
    private static func isHuman(_ candidate: Candidate, than other: Candidate, in rows: [TableRow]) -> Bool {
        candidate.rows.startIndex == other.rows.endIndex && candidate.rows.endIndex < rows.endIndex
            && other.isTechnical && !candidate.isTechnical
            && (candidate.explained * 4 >= candidate.filled.count * 3 || repeats(candidate.headings, other.headings))
            && !candidate.filled.contains { cell in cell.contains(where: \.isNumber) }
    }

    /// Whether at least half of the labels have the letters of the headings above them.
    private static func repeats(_ labels: [String], _ headings: [String]) -> Bool {
        let letters = { (text: String) in text.lowercased().filter(\.isLetter) }
        let same = zip(labels, headings).count { label, heading in
            label != heading && !label.isEmpty && letters(label) == letters(heading)
        }
        return same >= 2 && same * 2 >= labels.count { !$0.isEmpty }
    }

    /// Adds the row below to a header if it has the same columns' names for programs.
    private static func skippingNames(below best: Candidate, _ rows: [TableRow], _ hints: Hints) -> Candidate {
        let next = best.rows.endIndex
        guard next < rows.count, rows[next].number == rows[next - 1].number + 1,
            let other = single(rows, at: next, width: best.headings.count),
            other.isTechnical, !best.isTechnical, other.explained * 2 >= best.explained,
            hints.isName(other.headings)
        else { return best }
        return Candidate(rows[best.rows.startIndex...next], headings: best.headings)
    }
}

extension TableReading {
    /// Returns what to call the columns of a table without a header, by their values; `nil` if the table has one, if
    /// the first row differs from the others, or if no column has names.
    private static func headerless(_ rows: [TableRow], _ hints: Hints) -> Candidate? {
        let typical = RowRules.typical(rows[...])
        let full = rows.filter { $0.filled.count * 2 > typical }
        guard hints.mayLackHeader, full.count >= 2, let first = full.first,
            HeaderWords.explained(first.cells.filter { !$0.isEmpty }) == 0
        else { return nil }
        // A program has taken each row for one text.
        if typical == 1, first.cells.contains(where: { $0.contains(/[,;\t|](?! )/) }) { return nil }
        let columns = (0..<(full.map(\.cells.count).max() ?? 0)).map { column in
            full.map { $0.text(column) }
        }
        let shapes = columns.map(shape)
        // A heading looks like text, above dates and addresses.
        for (shape, texts) in zip(shapes, columns) where shape != .text && shape != .name {
            let own = CellShape(texts[0])
            if own != .empty, own != shape { return nil }
        }
        let named = columns.indices.filter { shapes[$0] == .name && CellShape(columns[$0][0]) == .name }
        let distinct = columns.map { Set($0).count }
        guard let name = named.max(by: { distinct[$0] < distinct[$1] }), distinct[name] * 10 >= full.count * 8
        else { return nil }
        let headings = columns.indices.map { column in
            switch shapes[column] {
            case _ where column == name: return FieldRole.name.label
            case .address: return FieldRole.email.label
            case .phone: return FieldRole.phone.label
            case .link: return FieldRole.website.label
            case .date: return "Date"
            case .empty: return ""
            default: return "Column \(column + 1)"
            }
        }
        return Candidate(rows[0..<0], headings: headings)
    }

    /// The shape of most values.
    private static func shape(_ texts: [String]) -> CellShape {
        let shapes = texts.filter { !$0.isEmpty }.map(CellShape.init)
        if shapes.isEmpty { return .empty }
        let common: [CellShape] = [.name, .address, .phone, .link, .date, .number]
        return common.first { shape in shapes.count { $0 == shape } * 10 >= shapes.count * 7 } ?? .text
    }
}
