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
    }

    public var heading: String
    /// The values in the order of the records; records without one are left out.
    public var values: [Value] = []
    /// Whether the column is not shown in its sheet.
    public var isHidden = false
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
    /// The number of records.
    public var records = 0

    public init(columns: [SurveyedColumn] = [], records: Int = 0) {
        self.columns = columns
        self.records = records
    }

    public var headings: [String] { columns.map(\.heading) }
}
