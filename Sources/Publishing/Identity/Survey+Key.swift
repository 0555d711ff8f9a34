import Base
import People

extension Survey {
    /// Returns the columns by which the people of a source are known, if the publisher names none: the first of the
    /// source's ids, e-mail addresses, personnel numbers and other codes that nine people in ten have and no two share,
    /// else the name, with the columns `apart` that tell people of one name apart. `nil` without any.
    ///
    /// ```swift
    /// let survey = Survey(columns: [
    ///     SurveyedColumn(heading: "Name", values: [.text("Ada"), .text("Bo")]),
    ///     SurveyedColumn(heading: "E-Mail", values: [.text("ada@example.org"), .text("bo@example.org")]),
    /// ], records: 2)
    /// survey.inferredKey(names: ["Name"])?.columns  // ["E-Mail"]
    /// ```
    ///
    /// - Parameter names: The columns of the name.
    public func inferredKey(names: [String]) -> (columns: [String], apart: [String]?)? {
        let columns = Array(zip(self.columns, ColumnMeanings(self).columns))
        for identifier in Identifier.allCases {
            let candidates = columns.filter { $1.identifier == identifier && Self.names($1) }.map(\.0)
            if let column = candidates.first(where: { $0.identifies(of: records) }) { return ([column.heading], nil) }
        }
        if names.isEmpty { return nil }
        let isName = Set(names.map { $0.folded })
        let apart = Self.apart(
            columns.filter { !isName.contains($0.0.heading.folded) },
            names: self.columns.filter { isName.contains($0.heading.folded) }, of: records)
        return (names, apart)
    }

    /// Whether a column with numbers, codes or addresses has those of the person: a postcode and a telephone number are
    /// others'.
    private static func names(_ meaning: ColumnMeaning) -> Bool {
        meaning.withheld.isSubset(of: [.mail, .number, .account, .papers])
    }

    /// Returns the first of the columns that differ least over time, and as many more as it takes to tell those of one
    /// name apart. Only columns in which everybody has a value can do that.
    private static func apart(
        _ columns: [(column: SurveyedColumn, meaning: ColumnMeaning)], names: [SurveyedColumn], of records: Int
    ) -> [String] {
        let ranked = columns.enumerated().compactMap { index, found -> (rank: Int, index: Int, SurveyedColumn)? in
            guard found.column.values.count == records, let rank = rank(of: found.meaning) else { return nil }
            return (rank, index, found.column)
        }.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.2)
        var rows = (0..<records).map { row in names.map { $0.values.count == records ? $0.text(row) : "" } }
        var apart: [String] = []
        for column in ranked where apart.isEmpty || Set(rows).count < records {
            let more = rows.indices.map { rows[$0] + [column.text($0)] }
            guard apart.isEmpty || Set(more).count > Set(rows).count else { continue }
            rows = more
            apart.append(column.heading)
        }
        return apart
    }

    /// How early a column counts: what people keep for life comes first. `nil` for what changes often.
    private static func rank(of meaning: ColumnMeaning) -> Int? {
        if meaning.withheld.contains(.birth) { return 0 }
        let lasting: [FieldRole] = [.joined, .email, .organization, .department, .country, .location, .title]
        if let role = meaning.role { return lasting.firstIndex(of: role).map { $0 + 1 } }
        if meaning.identifier != nil { return lasting.count + 1 }
        return meaning.withheld.isEmpty || meaning.isRelation ? lasting.count + 2 : nil
    }
}

extension SurveyedColumn {
    /// Whether nine of ten records have a value, no two the same one, and the values do more than count the records.
    func identifies(of records: Int) -> Bool {
        guard records > 0, values.count * 10 >= records * 9 else { return false }
        var texts: Set<String> = []
        for value in values {
            guard let text = value.text, texts.insert(text.folded).inserted else { return false }
        }
        return !countsRecords
    }

    /// Whether the column is the numbers of its rows alone, as programs write them under no heading.
    var isRowNumbers: Bool { heading.hasPrefix("Column ") && countsRecords }

    /// Whether the values count the records, each one more than the one before: if a row is removed, all later people
    /// get other numbers.
    private var countsRecords: Bool {
        var last: Int?
        return values.allSatisfy { value in
            guard let number = value.text.flatMap({ Int($0) }), last.map({ number == $0 + 1 }) ?? true else {
                return false
            }
            last = number
            return true
        }
    }

    /// The folded value of a record; empty for a value that is not a text. Every record has a value.
    fileprivate func text(_ record: Int) -> String {
        values[record].text?.folded ?? ""
    }
}
