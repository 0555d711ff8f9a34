import Bytes

/// Users from a file or standard input, in any ``ImportFormat``.
public struct FileSource: ImportSource {
    /// What the publisher says about the file. What is `nil` is found out.
    public struct Options: Sendable {
        public var format: ImportFormat?
        public var encoding: TextEncoding?
        /// The number of the line in which the header of a table begins.
        public var headerLine: Int?

        public init(format: ImportFormat? = nil, encoding: TextEncoding? = nil, headerLine: Int? = nil) {
            self.format = format
            self.encoding = encoding
            self.headerLine = headerLine
        }
    }

    private let path: String
    private let options: Options
    private let names: ColumnNames

    /// Creates a source. `path` may be `-` for standard input.
    public init(path: String, options: Options = Options(), names: ColumnNames = ColumnNames()) {
        self.path = path
        self.options = options
        self.names = names
    }

    public func read(into sink: ImportSink) throws {
        let source = try ByteSource(path: path)
        let next = { try source.next { try sink.tick(bytesRead: source.bytesRead, of: source.size) } }
        let start = try FileStart(path: source.name, encoding: options.encoding) { bytes in
            guard let chunk = try next() else { return false }
            bytes.append(chunk)
            return true
        }
        if start.encoding != .utf8 { sink.note("\(start.name) is read as \(start.encoding.name)") }
        var reader = reader(for: start.text.bytes, in: start.encoding)
        try reader.read(start.text.bytes, into: sink)
        start.text.removeAll()
        while let chunk = try next() {
            try sink.tick(bytesRead: source.bytesRead, of: source.size)
            if let decoder = start.decoder {
                start.text.removeAll()
                decoder.append(decoding: chunk, isLast: false, to: start.text)
                try reader.read(start.text.bytes, into: sink)
            } else {
                try reader.read(chunk, into: sink)
            }
        }
        if let decoder = start.decoder {
            start.text.removeAll()
            decoder.append(decoding: UnsafeRawBufferPointer(start: nil, count: 0), isLast: true, to: start.text)
            try reader.read(start.text.bytes, into: sink)
        }
        try reader.finish(into: sink)
        try sink.tick(bytesRead: source.bytesRead, of: source.size)
    }

    /// Returns the reader for a file that begins with the UTF-8 text `start` and was in `encoding`.
    func reader(for start: UnsafeRawBufferPointer, in encoding: TextEncoding = .utf8) -> any RecordReader {
        let format = options.format ?? ImportFormat.found(in: start)
        let layout = FileLayout(encoding: encoding, format: format)
        switch format {
        case .ndjson: return NDJSONReader(names: names)
        case .json: return JSONReader(names: names)
        case .csv, .tsv:
            let dialect = CSVDialect(of: start, separator: format == .tsv ? UInt8(ascii: "\t") : nil) { titles in
                CSVHeader.hasName(titles, names)
            }
            return CSVReader(names: names, dialect: dialect, headerLine: options.headerLine, layout: layout)
        }
    }
}
