import People

/// Receives what a reader finds in a file: a survey of its columns first, and then the import.
protocol RecordSink {
    func take(_ record: RawRecord, at place: @autoclosure () -> String) throws
    func reject(_ rejection: Rejection) throws
    /// Reports a message that is not about one record.
    func note(_ text: String)
    /// Reports the layout of the file, before its first record and again at its end. Only tables have a header.
    func describe(_ layout: FileLayout, _ header: CSVHeader?)
}
