import Bytes

/// Finds the parts of a shown text that a search looks for, to highlight them.
///
/// Searches look in the loose form of a text and in its variants (``SearchedText``), so these are made of the text
/// piece by piece, a piece being what readers see as one character. A match then leads back to the pieces it is made
/// of.
public struct MatchedText {
    private let words: SearchWords
    private let forms: [Form]

    /// The forms in which words may match.
    private enum Form: CaseIterable {
        case loose, spelledOut, joinedVowels, initials
    }

    /// - Parameter search: the search as typed.
    public init(_ search: String, language: String) {
        words = SearchWords(search)
        forms = Form.allCases.filter {
            $0 != .joinedVowels || SearchedText.form(ofLanguage: language) == SearchedText.germanForm
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
        let isPlain = text.allSatisfy { $0 &- 0x20 < 0x5F && $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "`") }
        guard isPlain else { return nil }
        let lowercased = text.map { $0 &- 65 < 26 ? $0 | 0x20 : $0 }
        var found: [Range<Int>] = []
        for word in words.distinct {
            let ranges = lowercased.withUnsafeBytes { $0.ranges(of: word) }
            found += ranges
            if ranges.isEmpty, forms.contains(.joinedVowels), lowercased.contains(UInt8(ascii: "e")) { return nil }
        }
        return Self.joined(found)
    }

    private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
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
            bytes.bytes.ranges(of: word).map { range in
                origins[range.lowerBound].lowerBound..<origins[range.upperBound - 1].upperBound
            }
        }
    }

    /// The pieces of a text, and the bytes that each takes.
    private struct Pieces {
        private var pieces: [(text: String, origin: Range<Int>)] = []

        init(_ text: UnsafeRawBufferPointer) {
            var offset = 0
            for character in String(decoding: text, as: UTF8.self) {
                let piece = String(character)
                let end = min(offset + piece.utf8.count, text.count)
                pieces.append((piece, offset..<end))
                offset = end
            }
        }

        func line(_ form: Form) -> Line {
            var line = Line()
            for (index, (text, origin)) in pieces.enumerated() {
                if form == .initials {
                    line.add(from: origin) { $0.append(initialOf: text) }
                } else if form != .joinedVowels || !isSecondVowel(index) {
                    let text = form == .spelledOut ? NameVariants.spelledOut(text) : text
                    line.add(from: origin) { $0.append(loosePiece: text) }
                }
            }
            return line
        }

        /// Whether the piece is the `e` of `ae`, `oe` or `ue`.
        private func isSecondVowel(_ index: Int) -> Bool {
            guard index > 0, pieces[index].text.lowercased() == "e" else { return false }
            return ["a", "o", "u"].contains(pieces[index - 1].text.lowercased())
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns where `word` is in this text, apart from each other.
    fileprivate func ranges(of word: SearchWords.Word) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = 0
        while index < count {
            guard let end = end(of: word, at: index), end > index else {
                index += 1
                continue
            }
            ranges.append(index..<end)
            index = end
        }
        return ranges
    }
}

extension ByteBuffer {
    /// Appends the loose form of a piece of a text, which may be nothing, or a space.
    fileprivate func append(loosePiece text: String) {
        if text.unicodeScalars.allSatisfy(LooseScalars.isSpace) {
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
        if LooseScalars.isSpace(scalar) { return }
        let initials = Hangul.initials(of: scalar.value)
        if initials.isEmpty { append(UInt8(ascii: "\n")) }
        for mark in initials.compactMap({ Unicode.Scalar(Hangul.mark(ofInitial: $0)) }) { append(utf8: String(mark)) }
    }
}
