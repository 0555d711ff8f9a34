import Directories

/// How a search is asked of the index, and what the index cannot tell.
struct SearchPlan {
    /// What FTS5 is to match; `nil` where no one can match.
    let match: String?
    /// The words that have to be looked for in the texts that the index finds, because it knows no more than three
    /// characters in a row of each.
    let unproven: [[UInt8]]
    private let words: [[UInt8]]

    /// More grams only cost time: what they let through is looked at anyway.
    private static let maxGrams = 16

    init(_ search: Search) {
        words = search.words.map { Array($0.utf8) }
        var grams: [String] = []
        var unproven: [String] = []
        for word in search.words {
            let wordGrams = Self.grams(of: word)
            if wordGrams != [word] { unproven.append(word) }
            grams += wordGrams.filter { !grams.contains($0) }
        }
        // "a" says nothing beside "ana".
        grams = grams.filter { gram in !grams.contains { $0 != gram && $0.unicodeScalars.contains(gram.unicodeScalars) }
        }
        // FTS5 takes its expression as a C string, and no one's name holds a NUL.
        guard !search.words.contains(where: { $0.utf8.contains(0) }) else {
            match = nil
            self.unproven = []
            return
        }
        if grams.count > Self.maxGrams {
            unproven = search.words
            grams = Array(grams.prefix(Self.maxGrams))
        }
        // Quoted, so that nothing in a word is an operator.
        match = grams.map {
            "\"\($0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
        }
        .joined(separator: " ")
        self.unproven = unproven.map { Array($0.utf8) }
    }

    /// The word if it is a gram, else the grams that cover it side by side.
    private static func grams(of word: String) -> [String] {
        let scalars = Array(word.unicodeScalars)
        guard scalars.count > maxGram else { return [word] }
        let starts = Array(stride(from: 0, to: scalars.count - maxGram, by: maxGram)) + [scalars.count - maxGram]
        return starts.map { start in
            var gram = String.UnicodeScalarView()
            gram.append(contentsOf: scalars[start..<(start + maxGram)])
            return String(gram)
        }
    }

    /// Whether all words are in `text` that the index has found.
    func isProven(by text: UnsafeRawBufferPointer) -> Bool { text.contains(all: unproven) }

    /// Whether all words are in `text`.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool { text.contains(all: words) }
}

extension UnsafeRawBufferPointer {
    fileprivate func contains(all words: [[UInt8]]) -> Bool {
        for word in words where !word.withUnsafeBytes({ contains($0) }) { return false }
        return true
    }

    /// Whether `word`, which is not empty, stands somewhere in these bytes.
    fileprivate func contains(_ word: UnsafeRawBufferPointer) -> Bool {
        guard count >= word.count else { return false }
        let first = word[0]
        for start in 0...(count - word.count) where self[start] == first {
            var length = 1
            while length < word.count, self[start + length] == word[length] { length += 1 }
            if length == word.count { return true }
        }
        return false
    }
}
