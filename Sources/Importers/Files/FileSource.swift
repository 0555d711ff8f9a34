import Bytes

/// Users from a file or standard input, in any ``ImportFormat``.
public struct FileSource: ImportSource {
    private let path: String
    private let format: ImportFormat?
    private let names: ColumnNames

    /// Creates a source. `path` may be `-` for standard input. Without a `format`, the content decides.
    public init(path: String, format: ImportFormat? = nil, names: ColumnNames = ColumnNames()) {
        self.path = path
        self.format = format
        self.names = names
    }

    public func read(into sink: ImportSink) throws {
        let source = try ByteSource(path: path)
        let next = { try source.next { try sink.tick(bytesRead: source.bytesRead, of: source.size) } }
        let start = ByteBuffer(capacity: ByteSource.chunkBytes)
        while !Self.tellsFormat(start.bytes), let chunk = try next() { start.append(chunk) }
        if start.isEmpty { throw ImportError("cannot import \(source.name): it is empty") }
        let text = try Self.withoutByteOrderMark(start.bytes, name: source.name)
        var reader = reader(for: text)
        try reader.read(text, into: sink)
        while let chunk = try next() {
            try sink.tick(bytesRead: source.bytesRead, of: source.size)
            try reader.read(chunk, into: sink)
        }
        try reader.finish(into: sink)
        try sink.tick(bytesRead: source.bytesRead, of: source.size)
    }

    /// Returns whether `start` contains the first line that is not blank, or is as long as the detection may look.
    private static func tellsFormat(_ start: UnsafeRawBufferPointer) -> Bool {
        start.count >= ByteSource.chunkBytes || start.drop(while: \.isBlank).contains(0x0A)
    }

    /// Returns the reader for a file that begins with `start`.
    func reader(for start: UnsafeRawBufferPointer) -> any RecordReader {
        switch format ?? ImportFormat.found(in: start) {
        case .ndjson: NDJSONReader(names: names)
        case .json: JSONReader(names: names)
        case .csv: CSVReader(names: names, layout: CSVDialect(of: start))
        case .tsv: CSVReader(names: names, layout: CSVDialect(of: start, separator: UInt8(ascii: "\t")))
        }
    }

    /// Removes the byte order mark, which spreadsheets write even in UTF-8.
    static func withoutByteOrderMark(_ chunk: UnsafeRawBufferPointer, name: String) throws(ImportError)
        -> UnsafeRawBufferPointer
    {
        if chunk.starts(with: [0xEF, 0xBB, 0xBF]) { return UnsafeRawBufferPointer(rebasing: chunk.dropFirst(3)) }
        if chunk.starts(with: [0xFF, 0xFE]) || chunk.starts(with: [0xFE, 0xFF]) {
            throw ImportError(
                "expected UTF-8 in \(name), found UTF-16: convert it first, with iconv -f UTF-16 -t UTF-8")
        }
        return chunk
    }
}
