import Directories

/// Receives users and rejections.
protocol RecordSink {
    /// Adds the user that `decode` appends to the batch, or rejects the record with the error that `decode` throws.
    func take(at place: @autoclosure () -> String, _ decode: (UserBatch) throws(RecordError) -> DecodedRecord) throws
    func reject(_ rejection: Rejection) throws
    /// Reports a message that is not about one record.
    func note(_ text: String)
    /// Reports the layout of the file, before its first record and again at its end.
    func describe(_ layout: FileLayout)
}
