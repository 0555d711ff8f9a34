import People

/// Reads the bytes of a file in chunks of any size and decodes users.
protocol RecordReader {
    mutating func read(_ chunk: UnsafeRawBufferPointer, into sink: some RecordSink) throws
    /// Reads the rest after the last chunk.
    mutating func finish(into sink: some RecordSink) throws
}
