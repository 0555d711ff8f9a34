import Base

/// The beginning of a file, as UTF-8: read ahead to infer the meaning of its columns, and then decoded like the rest.
final class FileBeginning {
    let encoding: TextEncoding
    private var text: ByteBuffer
    private let decoder: TextDecoder?
    private let source: ByteSource
    private let readAhead: ReadAheadTime

    init(_ start: FileStart, _ source: ByteSource, _ readAhead: ReadAheadTime) {
        encoding = start.encoding
        text = start.text
        decoder = start.decoder
        self.source = source
        self.readAhead = readAhead
    }

    /// Creates the beginning of UTF-8 text that is read again, and was in `encoding`.
    init(ofText source: ByteSource, in encoding: TextEncoding, _ readAhead: ReadAheadTime) throws {
        (self.encoding, self.source, self.readAhead, decoder) = (encoding, source, readAhead, nil)
        text = ByteBuffer(capacity: ByteSource.chunkBytes)
        if let chunk = try source.next(whileWaiting: {}) { text.append(chunk) }
    }

    /// Valid until more is read.
    var bytes: UnsafeRawBufferPointer { text.bytes }

    /// Fills `sink`'s survey with `reader`, from as much of the file as it needs.
    func survey(with reader: any RecordReader, into surveySink: SurveySink, _ sink: ImportSink) throws {
        var reader = reader
        // Without a record, nobody could be shown yet.
        let endIfLate = { [readAhead] in if surveySink.hasRecords { try readAhead.endIfOver() } }
        do {
            try reader.read(text.bytes, into: surveySink)
            while text.count < RecordSurvey.maxBytes {
                try endIfLate()
                let chunk = try source.next {
                    try sink.tick(bytesRead: source.bytesRead, of: source.size)
                    try endIfLate()
                }
                guard let chunk else { return try reader.finish(into: surveySink) }
                let count = text.count
                append(chunk)
                try reader.read(UnsafeRawBufferPointer(rebasing: text.bytes[count...]), into: surveySink)
            }
        } catch is SurveySink.End {
        } catch is RollcallError {
            // The error is reported when the records before it have been decoded.
        }
    }

    /// Whether the rows read so far are too few to say what a table is.
    var lacksLines: Bool { Self.lacksLines(text.bytes) }

    static func lacksLines(_ start: UnsafeRawBufferPointer) -> Bool {
        start.count < ByteSource.chunkBytes && start.count { $0 == 0x0A } < TableReading.maxRows
    }

    /// Reads the next bytes of the file. Returns whether there are any.
    func readMore(_ sink: ImportSink) throws -> Bool {
        guard let chunk = try source.next(whileWaiting: { try sink.tick(bytesRead: source.bytesRead, of: source.size) })
        else { return false }
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

/// The time for which the first people of a stream wait, so that more of it is known when its columns are judged.
///
/// A file is read ahead however long that takes: what is inferred from it must not depend on the speed of a disk.
/// Confined to one thread.
final class ReadAheadTime {
    /// Two seconds after the first byte; the first people are visible a second later.
    private static let time = Duration.seconds(2)

    private let now: () -> ContinuousClock.Instant
    private var end: ContinuousClock.Instant?

    init(now: @escaping () -> ContinuousClock.Instant) { self.now = now }

    /// Notes that a stream has sent bytes.
    func noteBytes() { end = end ?? now() + Self.time }

    /// Throws ``SurveySink/End`` when the time is over.
    func endIfOver() throws {
        if let end, now() >= end { throw SurveySink.End() }
    }
}
