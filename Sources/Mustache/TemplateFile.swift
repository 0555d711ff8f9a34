/// The bytes of one template or partial, and how to name a place in them.
struct TemplateFile {
    let name: String
    let bytes: [UInt8]
    /// Where this partial is placed, the innermost place last; empty for the template itself. Said only in errors: to count
    /// the lines for each of thousands of partials would take longer than anything else.
    private let includedFrom: [(file: TemplateFile, offset: Int)]

    init(_ name: String, _ bytes: [UInt8], placedAt offset: Int = 0, of file: TemplateFile? = nil) throws(TemplateError)
    {
        self.name = name
        self.bytes = bytes
        includedFrom = file.map { $0.includedFrom + [($0, offset)] } ?? []
        if let offset = bytes.firstInvalidUTF8 { throw error(at: offset, "the file is not valid UTF-8") }
    }

    static func fileName(_ template: String) -> String { "\(template).mustache" }

    /// What goes before the first tag is looked for: the mark some editors put at the start of UTF-8 files.
    var start: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

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
        return TemplateError(file: Self.fileName(name), line: line, column: column, message: message + route)
    }

    /// The place of `offset`, as errors write it.
    private func place(_ offset: Int) -> String {
        let (line, column) = position(offset)
        return "\(Self.fileName(name)):\(line):\(column)"
    }
}

extension [UInt8] {
    /// Where the first sequence begins that is not UTF-8.
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
