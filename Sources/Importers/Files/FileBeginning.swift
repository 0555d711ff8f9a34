import Base

/// The beginning of a file, as UTF-8: read ahead to infer the meaning of its columns, and then decoded like the rest.
final class FileBeginning {
    let encoding: TextEncoding
    private var text: ByteBuffer
    private let decoder: TextConverter?
    private let reading: FileReading

    init(_ start: FileStart, _ reading: FileReading) {
        (encoding, text, decoder, self.reading) = (start.encoding, start.text, start.decoder, reading)
    }

    /// Creates the beginning of UTF-8 text that is read again, and was in `encoding`.
    init(ofText reading: FileReading, in encoding: TextEncoding) throws {
        (self.encoding, self.reading, decoder) = (encoding, reading, nil)
        text = ByteBuffer(capacity: ByteSource.chunkBytes)
        _ = try reading.append(to: text)
    }

    /// Valid until more is read.
    var bytes: UnsafeRawBufferPointer { text.bytes }

    /// Fills the survey of `sink` with `reader`, from as much of the file as it needs.
    func survey(with reader: any RecordReader, into sink: SurveySink) throws {
        var reader = reader
        try reader.read(text.bytes, into: sink)
        while text.count < RecordSurvey.maxBytes {
            let count = text.count
            // Without a record, nobody could be shown yet.
            guard try readMore(isPatient: !sink.hasRecords) else { return try reader.finish(into: sink) }
            try reader.read(UnsafeRawBufferPointer(rebasing: text.bytes[count...]), into: sink)
        }
    }

    /// Whether the rows read so far are too few to say what a table is.
    var lacksLines: Bool { Self.lacksLines(text.bytes) }

    static func lacksLines(_ start: UnsafeRawBufferPointer) -> Bool {
        start.count < ByteSource.chunkBytes && start.count { $0 == 0x0A } < TableReading.maxRows
    }

    /// Reads the next bytes of the file. Returns whether there are any: see ``FileReading/next(isPatient:)``.
    func readMore(isPatient: Bool = true) throws -> Bool {
        guard let chunk = try reading.next(isPatient: isPatient) else { return false }
        append(chunk)
        return true
    }

    private func append(_ chunk: UnsafeRawBufferPointer) {
        if let decoder { decoder.append(decoding: chunk, isLast: false, to: text) } else { text.append(chunk) }
    }

    /// Calls `body` with everything that was read ahead, in pieces, and discards it.
    func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        var rest = text.bytes
        while !rest.isEmpty {
            try body(UnsafeRawBufferPointer(rebasing: rest.prefix(ByteSource.chunkBytes)))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(ByteSource.chunkBytes))
        }
        text = ByteBuffer()
    }

    /// Returns the text of a later chunk, valid until the next call.
    func decoded(_ chunk: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        if decoder == nil { return chunk }
        text.removeAll()
        append(chunk)
        return text.bytes
    }

    /// Returns the text after the last chunk.
    func rest() -> UnsafeRawBufferPointer {
        text.removeAll()
        decoder?.append(decoding: UnsafeRawBufferPointer(start: nil, count: 0), isLast: true, to: text)
        return text.bytes
    }
}

/// The bytes of a file on their way to a reader, while the import reports its progress. Confined to one thread.
///
/// The first people of a stream wait a little, so that more of it is known when its columns are judged. A file is read
/// ahead however long that takes: what is inferred from it must not depend on the speed of a disk.
final class FileReading {
    /// Two seconds after the first byte; the first people are visible a second later.
    private static let patience = Duration.seconds(2)

    private let source: ByteSource
    private let now: () -> ContinuousClock.Instant
    /// Reports the progress. Called regularly, and while the source waits.
    let tick: () throws -> Void
    private var end: ContinuousClock.Instant?

    init(_ source: ByteSource, now: @escaping () -> ContinuousClock.Instant, tick: @escaping () throws -> Void) {
        (self.source, self.now, self.tick) = (source, now, tick)
    }

    /// Returns the next bytes, valid until the next call; `nil` at the end.
    ///
    /// - Parameter isPatient: Whether it takes as long as it takes. Else throws ``SurveySink/End`` when the first people
    ///   have waited long enough.
    func next(isPatient: Bool = true) throws -> UnsafeRawBufferPointer? {
        func check() throws {
            if !isPatient, let end, now() >= end { throw SurveySink.End() }
        }
        try check()
        let chunk = try source.next {
            try tick()
            try check()
        }
        if source.size == nil, chunk != nil { end = end ?? now() + Self.patience }
        return chunk
    }

    /// Appends the next bytes to `buffer`. Returns whether there were any: see ``next(isPatient:)``.
    func append(to buffer: ByteBuffer, isPatient: Bool = true) throws -> Bool {
        guard let chunk = try next(isPatient: isPatient) else { return false }
        buffer.append(chunk)
        return true
    }
}
