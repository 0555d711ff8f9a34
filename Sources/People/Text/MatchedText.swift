import Base

/// Finds the parts of a shown text that a search looks for, to highlight them.
///
/// Searches look in the loose form of a text and in its variants (``SearchedText``), so these are made of the text
/// piece by piece, a piece being what readers see as one character. A match then leads back to the pieces it is made
/// of.
public struct MatchedText {
    private let words: SearchWords
    private let forms: [Form]

    private enum Form: CaseIterable {
        case loose, spelledOut, joinedVowels, initials
    }

    /// - Parameter language: that of the text.
    public init(_ words: SearchWords, language: String) {
        self.words = words
        let areInitials = words.distinct.contains(where: \.areInitials)
        forms = Form.allCases.filter { form in
            switch form {
            case .loose, .spelledOut: true
            case .joinedVowels: SearchedText.form(ofLanguage: language) == SearchedText.germanForm
            case .initials: areInitials
            }
        }
    }

    /// Returns the ranges of bytes of `text`, in UTF-8, that match a word: ascending and apart from each other.
    public func ranges(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
        if text.isEmpty { return [] }
        if let ranges = plainRanges(in: text) { return ranges }
        let pieces = Pieces(text)
        var found: [Range<Int>] = []
        var rest = words.distinct[...]
        for form in forms where !rest.isEmpty {
            if form == .spelledOut, !pieces.canBeSpelledOut { continue }
            let line = pieces.line(form)
            // A variant matters only to words that the text itself does not have.
            rest =
                rest.filter { word in
                    let ranges = line.ranges(of: word)
                    found += ranges
                    return ranges.isEmpty
                }[...]
        }
        return Self.joined(found)
    }

    /// Returns the ranges in a text of ASCII without apostrophes, as most are: its loose form has the same bytes in
    /// lower case. Returns `nil` for any other text, and if a word may match another form.
    private func plainRanges(in text: UnsafeRawBufferPointer) -> [Range<Int>]? {
        // The closure would copy all of `self`.
        let (words, joinsVowels) = (words.distinct, forms.contains(.joinedVowels))
        return withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 1) { copy in
            for index in 0..<text.count {
                let byte = text[index]
                guard byte &- 0x20 < 0x5F, byte != UInt8(ascii: "'"), byte != UInt8(ascii: "`") else { return nil }
                copy[index] = byte.lowercased
            }
            let lowercased = UnsafeRawBufferPointer(copy)
            var found: [Range<Int>] = []
            for word in words {
                let count = found.count
                lowercased.appendRanges(of: word, to: &found)
                if found.count == count, joinsVowels, lowercased.contains(UInt8(ascii: "e")) { return nil }
            }
            return Self.joined(found)
        }
    }

    private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        let areJoined = zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
        if areJoined { return ranges }
        var joined: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    /// A form of a text, and where each of its bytes comes from.
    private struct Line {
        let bytes = ByteBuffer(capacity: 128)
        private var origins: [Range<Int>] = []

        mutating func add(from origin: Range<Int>, _ body: (ByteBuffer) -> Void) {
            let start = bytes.count
            body(bytes)
            origins += repeatElement(origin, count: bytes.count - start)
        }

        func ranges(of word: SearchWords.Word) -> [Range<Int>] {
            var ranges: [Range<Int>] = []
            bytes.bytes.appendRanges(of: word, to: &ranges)
            return ranges.map { range in
                origins[range.lowerBound].lowerBound..<origins[range.upperBound - 1].upperBound
            }
        }
    }

    private struct Piece {
        /// The bytes that it takes in the text.
        let origin: Range<Int>
        /// The only byte of a piece of ASCII, or 0 for another one.
        var byte: UInt8 = 0
        /// A piece that is not ASCII; else empty.
        var text = ""

        var string: String { text.isEmpty ? String(UnicodeScalar(byte)) : text }
    }

    private struct Pieces {
        private var pieces: [Piece] = []

        init(_ text: UnsafeRawBufferPointer) {
            pieces.reserveCapacity(text.count)
            var index = 0
            while index < text.count {
                let end = Self.endOfASCII(in: text, from: index)
                for offset in index..<end { pieces.append(Piece(origin: offset..<(offset + 1), byte: text[offset])) }
                index = end
                let next = Self.startOfASCII(in: text, from: end)
                for character in String(decoding: text[end..<next], as: UTF8.self) {
                    let piece = String(character)
                    let end = min(index + piece.utf8.count, next)
                    let byte = piece.utf8.count == 1 ? text[index] : 0
                    pieces.append(Piece(origin: index..<end, byte: byte, text: byte == 0 ? piece : ""))
                    index = end
                }
                index = next
            }
        }

        /// Returns the end of the bytes from `start` on that are pieces of their own: ASCII before ASCII. A mark after
        /// an ASCII character would belong to its piece.
        private static func endOfASCII(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
            var end = start
            while end < text.count, text[end] < 0x80 { end += 1 }
            return end == text.count || end == start ? end : end - 1
        }

        /// Returns the index, from `start` on, of an ASCII byte that another one follows, or that ends the text; else
        /// the end of the text.
        private static func startOfASCII(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
            // The first byte may be the ASCII character before a mark.
            var index = start + 1
            while index < text.count {
                if text[index] < 0x80, index + 1 == text.count || text[index + 1] < 0x80 { return index }
                index += 1
            }
            return text.count
        }

        func line(_ form: Form) -> Line {
            var line = Line()
            for (index, piece) in pieces.enumerated() {
                if form == .initials {
                    line.add(from: piece.origin) { $0.append(initialOf: piece.string) }
                } else if form != .joinedVowels || !isSecondVowel(index) {
                    line.add(from: piece.origin) { line in
                        if !line.append(looseByte: piece.byte) {
                            let text = piece.string
                            line.append(loosePiece: form == .spelledOut ? NameVariants.spelledOut(text) : text)
                        }
                    }
                }
            }
            return line
        }

        /// Whether the piece is the `e` of `ae`, `oe` or `ue`.
        private func isSecondVowel(_ index: Int) -> Bool {
            guard index > 0, pieces[index].byte | 0x20 == UInt8(ascii: "e") else { return false }
            switch pieces[index - 1].byte | 0x20 {
            case UInt8(ascii: "a"), UInt8(ascii: "o"), UInt8(ascii: "u"): return true
            default: return false
            }
        }

        /// Whether other spellings than the text itself may have a word: some pieces are not ASCII.
        var canBeSpelledOut: Bool { pieces.contains { !$0.text.isEmpty } }
    }
}

extension SearchWords.Word {
    /// Whether the word is initial consonants of Hangul syllables.
    fileprivate var areInitials: Bool {
        text.unicodeScalars.first.map { Hangul.marks.contains($0.value) } ?? false
    }
}

extension UnsafeRawBufferPointer {
    /// Appends where `word` is in this text, apart from each other.
    fileprivate func appendRanges(of word: SearchWords.Word, to ranges: inout [Range<Int>]) {
        var index = 0
        while let start = offset(of: word, from: index), let end = end(of: word, at: start) {
            ranges.append(start..<end)
            index = end
        }
    }
}

extension ByteBuffer {
    /// Appends the loose form of a letter, a digit or a space of ASCII. Returns `false` for other bytes.
    fileprivate func append(looseByte byte: UInt8) -> Bool {
        if byte == 0x20 {
            if !isEmpty, bytes[count - 1] != 0x20 { append(byte) }
        } else if byte.isLetterOrDigit {
            append(byte.lowercased)
        } else {
            return false
        }
        return true
    }

    /// Appends the loose form of a piece of a text, which may be nothing, or a space.
    fileprivate func append(loosePiece text: String) {
        if text.unicodeScalars.allSatisfy(LooseForm.isSpace) {
            if !isEmpty, bytes[count - 1] != 0x20 { append(0x20) }
            return
        }
        // Alone, an apostrophe would stay.
        append(utf8: String(("x" + text).loose.dropFirst()))
    }

    /// Appends the mark of the initial consonant of a Hangul syllable; for other pieces but spaces, a line feed, which
    /// no word has.
    fileprivate func append(initialOf text: String) {
        guard let scalar = text.precomposedStringWithCanonicalMapping.unicodeScalars.first else { return }
        if LooseForm.isSpace(scalar) { return }
        let initials = Hangul.initials(of: scalar.value)
        if initials.isEmpty { append(UInt8(ascii: "\n")) }
        for mark in initials.compactMap({ Unicode.Scalar(Hangul.mark(ofInitial: $0)) }) { append(utf8: String(mark)) }
    }
}
