import People

/// The part of a file's column that was read ahead. The meaning of the column is inferred from it.
public struct SurveyedColumn: Equatable, Sendable {
    /// A value that is not empty.
    public enum Value: Equatable, Sendable {
        /// A cell of a table, or a string, number or Boolean of JSON, without white space around it.
        case text(String)
        /// The texts in an array of JSON.
        case list([String])
        /// A JSON object, or an array that contains objects.
        case object

        /// `nil` for lists and objects.
        public var text: String? { if case .text(let text) = self { text } else { nil } }
    }

    public var heading: String
    /// The values in the order of the records; records without one are left out.
    public var values: [Value] = []
    /// Whether the column is not shown in its sheet.
    public var isHiddenInSheet = false
    /// Whether it is one of the many attributes that a source adds to what describes people.
    public var isOther = false

    public init(heading: String, values: [Value] = []) {
        self.heading = heading
        self.values = values
    }
}

/// The part of a file that was read ahead.
public struct Survey: Equatable, Sendable {
    /// In the order of the file.
    public var columns: [SurveyedColumn] = []
    /// The columns with the handles of exports, of this directory or of other ones, which are not among the others.
    public var handles: [HandleHeading] = []
    public var records = 0

    public init(columns: [SurveyedColumn] = [], records: Int = 0) {
        self.columns = columns
        self.records = records
    }

    public var headings: [String] { columns.map(\.heading) }

    /// Whether the first values are headings, as in a table with two rows of them: half of them are known.
    var beginsWithHeadings: Bool {
        let texts = columns.compactMap { $0.values.first?.text }
        let known = texts.count { HeaderWords.isExplained($0, byPersonsAlone: false) }
        return known >= 2 && known * 2 >= columns.count
    }
}
