import Base
import Publishing

extension FileBeginning {
    /// Byte order marks. UTF-32 comes first, because its mark begins with that of UTF-16.
    static let marks: [(encoding: TextEncoding, bytes: [UInt8])] = [
        (.utf8, [0xEF, 0xBB, 0xBF]), (.utf32LE, [0xFF, 0xFE, 0, 0]), (.utf32BE, [0, 0, 0xFE, 0xFF]),
        (.utf16LE, [0xFF, 0xFE]), (.utf16BE, [0xFE, 0xFF]), (.gb18030, [0x84, 0x31, 0x95, 0x33]),
    ]
    /// 1 MiB: enough for the statistics of detection, and little memory.
    private static let maxBytes = 1 << 20

    /// Whether `start` contains the first line that is not blank, or has as many bytes as format detection may read.
    static func hasLine(_ start: UnsafeRawBufferPointer) -> Bool {
        start.count >= ByteSource.chunkBytes || start.drop(while: \.isWhitespace).contains(0x0A)
    }

    /// Returns the byte order of UTF-16, from the position of the NULs in `start`: each ASCII letter has one.
    static func utf16(in start: UnsafeRawBufferPointer) -> TextEncoding? {
        let sample = start.prefix(4096)
        var nulls = [0, 0]
        for (index, byte) in sample.enumerated() where byte == 0 { nulls[index & 1] += 1 }
        // A twentieth: text of another alphabet still has spaces, separators and line ends.
        guard max(nulls[0], nulls[1]) * 20 >= sample.count, min(nulls[0], nulls[1]) * 8 <= max(nulls[0], nulls[1])
        else { return nil }
        return nulls[1] > nulls[0] ? .utf16LE : .utf16BE
    }

    static func detected(
        in bytes: ByteBuffer, name: String, _ source: ByteSource
    ) throws -> TextEncoding {
        // RFC 8259 §8.1: JSON is UTF-8. A record with other bytes is rejected.
        if ImportFormat.isJSON(bytes.bytes) { return .utf8 }
        var survey = utf8(in: bytes.bytes)
        while survey.sequences == 0 || !survey.isUTF8, bytes.count < maxBytes,
            try source.append(to: bytes, isPatient: false)
        {
            survey = utf8(in: bytes.bytes)
        }
        if survey.isUTF8 { return .utf8 }
        let controls = bytes.bytes.count { $0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B }
        try expect(controls * 100 <= bytes.count, "expected a list of people in \(name), found binary data")
        let language = { (headings: [String]) in ColumnMeanings(headings: headings).language }
        switch EncodingDetector(languageOfHeadings: language).decide(bytes.bytes) {
        case .certain(let encoding): return encoding
        case .none:
            throw RollcallError("cannot tell the encoding of \(name); name it with --encoding, as in --encoding Big5")
        case .ambiguous(let best, let other, let line):
            throw RollcallError(
                """
                cannot tell the encoding of \(name): line \(line) has "\(best.difference(to: other))" in \
                \(best.encoding.name) and "\(other.difference(to: best))" in \(other.encoding.name); name the right one \
                with --encoding \(best.encoding.name) or --encoding \(other.encoding.name)
                """)
        }
    }
}

extension EncodingDetector.Reading {
    /// The first character that `other` does not have in its place, and no more of a cell that may be private.
    fileprivate func difference(to other: Self) -> String {
        let pair = zip(text, other.text).first { $0 != $1 }
        return NormalizedText.cleaned(pair.map { String($0.0) } ?? "")
    }
}

extension FileBeginning {
    /// Returns the number of characters beyond ASCII that are well-formed UTF-8, and whether the beginning of a file,
    /// where the last character may be incomplete, is UTF-8. If only a few sequences are malformed, the file is UTF-8
    /// with damaged rows: text in another encoding hardly ever contains well-formed UTF-8.
    private static func utf8(in bytes: UnsafeRawBufferPointer) -> (sequences: Int, isUTF8: Bool) {
        // The errors before the last character, and all of them.
        var (sequences, inside, errors) = (0, 0, 0)
        // Many files are ASCII alone, which takes the parser six times as long.
        let text = UnsafeRawBufferPointer(rebasing: bytes.drop { $0 < 0x80 })
        var (parser, rest) = (UTF8.ForwardParser(), text.makeIterator())
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let character):
                sequences += min(character.count - 1, 1)
                inside = errors
            case .error: errors += 1
            case .emptyInput:
                // The end of the sample may cut one character, not several.
                let wrong = max(inside, errors - 1)
                return (sequences, wrong == 0 || sequences > 2 * wrong)
            }
        }
    }
}

extension String {
    /// The name of the file at this path, without its folders.
    var fileName: String { split(separator: "/").last.map(String.init) ?? self }
}
