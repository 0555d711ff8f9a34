/// The bytes of one template or partial, and positions in them for error messages.
struct TemplateFile {
    let name: String
    /// The name in error messages.
    let fileName: String
    let bytes: [UInt8]
    /// The tags that include this partial, the innermost last; empty for the template itself. Offsets are converted to
    /// lines only for error messages: counting the lines for each of thousands of partials would dominate the time to
    /// compile.
    private let includedFrom: [(file: TemplateFile, offset: Int)]

    /// - Parameters:
    ///   - tag: the tag that includes this partial; `nil` for the template itself.
    ///   - fileName: that of a message; `nil` for a template.
    init(_ name: String, _ bytes: [UInt8], of tag: Tag? = nil, fileName: String? = nil) throws(TemplateError) {
        self.name = name
        self.fileName = fileName ?? Self.fileName(name)
        self.bytes = bytes
        includedFrom = tag.map { $0.file.includedFrom + [($0.file, $0.start)] } ?? []
        if let offset = bytes.firstInvalidUTF8 { throw error(at: offset, "the file is not valid UTF-8") }
    }

    /// The text of the message in `catalogue` that `tag` names.
    init(message bytes: [UInt8], in catalogue: String, of tag: Tag) throws(TemplateError) {
        try self.init("@" + tag.name, bytes, of: tag, fileName: "\(catalogue)(\(tag.name))")
    }

    static func fileName(_ template: String) -> String { "\(template).mustache" }

    /// The offset of the first character: after the byte order mark that some editors put at the start of UTF-8 files.
    var start: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    func isLineStart(_ offset: Int) -> Bool { offset == start || bytes[offset - 1] == UInt8(ascii: "\n") }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    func position(_ offset: Int) -> (line: Int, column: Int) {
        let before = bytes[..<offset]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? start
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        return (line, text(min(lineStart, offset)..<offset).unicodeScalars.count + 1)
    }

    func error(at offset: Int, _ message: String) -> TemplateError {
        let (line, column) = position(offset)
        let places = includedFrom.reversed().map { $0.file.place($0.offset) }.joined(separator: ", from ")
        let route = places.isEmpty ? "" : " (included from \(places))"
        return TemplateError(file: fileName, line: line, column: column, message: message + route)
    }

    /// Returns the position of `offset` in the format of error messages.
    func place(_ offset: Int) -> String {
        let (line, column) = position(offset)
        return "\(fileName):\(line):\(column)"
    }
}

extension [UInt8] {
    /// The offset of the first invalid UTF-8 sequence.
    fileprivate var firstInvalidUTF8: Int? {
        var parser = UTF8.ForwardParser()
        var iterator = makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded): offset += encoded.count
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }
}
