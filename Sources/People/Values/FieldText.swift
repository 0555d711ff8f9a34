import Base

extension UnsafeRawBufferPointer {
    /// The UTF-8 text without the white space around it, including ideographic and no-break spaces.
    package var trimmedText: UnsafeRawBufferPointer {
        var start = 0
        var end = count
        while start < end {
            let length = whitespace(at: start)
            if length == 0 { break }
            start += length
        }
        trimming: while start < end {
            for length in 1...3 where end - length >= start && whitespace(at: end - length) == length {
                end -= length
                continue trimming
            }
            break
        }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// Returns the length of the white space character at `index`, or 0 for any other.
    private func whitespace(at index: Int) -> Int {
        switch self[index] {
        case 0x20, 0x09...0x0D: 1
        case 0xC2 where index + 1 < count && self[index + 1] == 0xA0: 2
        case 0xE3 where index + 2 < count && self[index + 1] == 0x80 && self[index + 2] == 0x80: 3
        case 0xE2 where index + 2 < count && self[index + 1] == 0x80 && (self[index + 2] == 0xAF): 3
        default: 0
        }
    }

    /// Calls `body` with the parts of the text between separators.
    package func forEachPart(separatedBy separator: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        guard let first = separator.first else { return body(self) }
        var start = 0
        var index = 0
        while index + separator.count <= count {
            if self[index] == first, separator.indices.allSatisfy({ self[index + $0] == separator[$0] }) {
                body(UnsafeRawBufferPointer(rebasing: self[start..<index]))
                index += separator.count
                start = index
            } else {
                index += 1
            }
        }
        body(UnsafeRawBufferPointer(rebasing: self[start...]))
    }

    /// Returns the text in lower case if it has at most `limit` bytes.
    package func lowercased(upTo limit: Int) -> String? {
        count <= limit ? String(decoding: self, as: UTF8.self).lowercased() : nil
    }
}

extension FieldTemplate {
    /// Appends the text of the template. `appendColumn` appends the text of the column with a number in ``columns``,
    /// without white space around it.
    ///
    /// An empty column vanishes together with the text around it. If several texts remain between two columns that are
    /// not empty, the first stays.
    public func append(to buffer: ByteBuffer, _ appendColumn: (_ column: Int, _ buffer: ByteBuffer) -> Void) {
        let start = buffer.count
        var pending: String?
        var column = 0
        var isAfterValue = false
        for (index, part) in parts.enumerated() {
            switch part {
            case .text(let text):
                if index == parts.count - 1 {
                    if isAfterValue || column == 0 { buffer.append(utf8: text) }
                } else if index == 0 || (pending == nil && buffer.count > start) {
                    pending = text
                }
            case .column:
                let end = buffer.count
                if let pending { buffer.append(utf8: pending) }
                let begin = buffer.count
                appendColumn(column, buffer)
                isAfterValue = buffer.count > begin
                if isAfterValue { pending = nil } else { buffer.truncate(to: end) }
                column += 1
            }
        }
    }
}
