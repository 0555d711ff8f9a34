import Base

/// The beginning of a file, as UTF-8: read ahead to infer the meaning of its columns, and then decoded like the rest.
final class FileBeginning {
    let encoding: TextEncoding
    private var text = ByteBuffer(capacity: ByteSource.chunkBytes)
    /// Decodes the rest of the file; `nil` if it is UTF-8 already.
    private let decoder: TextConverter?
    private let source: ByteSource

    /// Reads as much as tells the encoding, and the format.
    ///
    /// - Parameter path: The file's path, for messages.
    init(_ source: ByteSource, path: String, isRemote: Bool = false, encoding chosen: TextEncoding?) throws {
        self.source = source
        let name = path.fileName
        let bytes = ByteBuffer(capacity: ByteSource.chunkBytes)
        while !Self.hasLine(bytes.bytes), try source.append(to: bytes) {}
        let mark = Self.marks.first { bytes.bytes.starts(with: $0.bytes) }
        var start = 0
        // Some programs write a mark before the one that is there.
        while let mark, bytes.bytes[start...].starts(with: mark.bytes) { start += mark.bytes.count }
        let content = { UnsafeRawBufferPointer(rebasing: bytes.bytes[start...]) }
        if let kind = FileKind.found(in: content()) { throw RollcallError(kind.advice(name, isRemote: isRemote)) }
        let marked = chosen?.name.hasPrefix("UTF-") == false ? nil : mark?.encoding
        encoding = try marked ?? chosen ?? Self.utf16(in: content()) ?? Self.detected(in: bytes, name: name, source)
        while !ImportFormat.isJSON(content()), Self.lacksLines(content()),
            try source.append(to: bytes, isPatient: false)
        {}
        // With fewer bytes than a chunk, this is the whole file.
        let isEmpty = bytes.count < ByteSource.chunkBytes && content().allSatisfy(\.isWhitespace)
        try expect(!isEmpty, "\(path) is empty")
        let lacksDecoder = "cannot read \(name): this build of Rollcall cannot decode \(encoding.name)"
        decoder = encoding == .utf8 ? nil : try required(TextConverter(encoding), lacksDecoder)
        append(content())
    }

    /// Creates the beginning of UTF-8 text that is read again.
    init(ofText source: ByteSource) throws {
        (encoding, decoder, self.source) = (.utf8, nil, source)
        _ = try source.append(to: text)
    }

    /// Valid until more is read.
    var bytes: UnsafeRawBufferPointer { text.bytes }

    /// Fills `survey` with `reader`, from as much of the file as it needs.
    func fill(_ survey: RecordSurvey, with reader: any RecordReader) throws {
        var reader = reader
        try reader.read(text.bytes, into: survey)
        while text.count < RecordSurvey.maxBytes {
            let count = text.count
            // Without a record, nobody could be shown yet.
            guard try readMore(isPatient: survey.survey.records == 0) else { return try reader.finish(into: survey) }
            try reader.read(UnsafeRawBufferPointer(rebasing: text.bytes[count...]), into: survey)
        }
    }

    /// Whether the rows read so far are too few to say what a table is.
    var lacksLines: Bool { Self.lacksLines(text.bytes) }

    static func lacksLines(_ start: UnsafeRawBufferPointer) -> Bool {
        start.count < ByteSource.chunkBytes && start.count { $0 == 0x0A } < TableReading.maxRows
    }

    /// Reads the next bytes of the file. Returns whether there are any: see ``ByteSource/next(isPatient:)``.
    func readMore(isPatient: Bool = true) throws -> Bool {
        guard let chunk = try source.next(isPatient: isPatient) else { return false }
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

    /// Calls `body` with the text of each later chunk, and with what follows the last one.
    func forEachChunk(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        while let chunk = try source.next() {
            text.removeAll()
            decoder?.append(decoding: chunk, isLast: false, to: text)
            try body(decoder == nil ? chunk : text.bytes)
        }
        text.removeAll()
        decoder?.append(decoding: UnsafeRawBufferPointer(start: nil, count: 0), isLast: true, to: text)
        try body(text.bytes)
    }
}
