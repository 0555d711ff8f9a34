import Base

/// The words of a search, in the forms in which they are compared with texts.
public struct SearchWords: Hashable, Sendable {
    /// A word in loose form: without white space, and never empty.
    public struct Word: Hashable, Sendable {
        /// Initial consonants of Hangul, in a word that has nothing else, are the scalars of ``SearchedText``.
        public let bytes: [UInt8]
        /// The scalars that may stand for the last one, which is a part of a Hangul syllable; `nil` for other words.
        public let completions: ClosedRange<UInt32>?
        /// The word without its last scalar, if that may be completed; else all of it.
        public let beginning: [UInt8]

        /// Whether the word begins with a letter or a digit, and so may begin a word of a text.
        public let beginsWithLetter: Bool

        public var text: String { String(decoding: bytes, as: UTF8.self) }

        fileprivate init(loose word: Substring) {
            beginsWithLetter = word.unicodeScalars.first?.value.isWordScalar ?? false
            // No byte below E1 begins a letter or a syllable of Hangul.
            guard word.utf8.contains(where: { $0 >= 0xE1 }) else {
                bytes = Array(word.utf8)
                (completions, beginning) = (nil, bytes)
                return
            }
            var scalars = Array(word.unicodeScalars)
            let initials = scalars.map { Hangul.initials(ofLetter: $0.value) }
            if !initials.contains(where: \.isEmpty) {
                scalars = initials.joined().compactMap { Unicode.Scalar(Hangul.mark(ofInitial: $0)) }
                completions = nil
            } else {
                completions = scalars.last.flatMap { Hangul.completions(of: $0.value) }
            }
            bytes = Array(String(scalars: scalars).utf8)
            beginning = completions == nil ? bytes : Array(String(scalars: scalars.dropLast()).utf8)
        }
    }

    /// All words as they follow each other.
    public let phrase: [Word]
    public let distinct: [Word]
    /// The words in folded form, which a text has if it has them as they were typed.
    public let exact: [[UInt8]]
    /// The words in loose form, with a space between each two.
    public let joined: [UInt8]
    /// Whether only texts with ``SearchedText/hasVariants`` match inexactly: the words were typed in loose form.
    public let needVariantsToMatchInexactly: Bool

    public init(_ text: String) {
        phrase = text.loose.utf8.split(separator: UInt8(ascii: " ")).map { Word(loose: Substring($0)) }
        distinct = phrase.withoutRepetitions
        joined = Array(phrase.map(\.bytes).joined(separator: [0x20]))
        // Split by scalars: a space and a combining accent after it form one `Character`, which would count as white
        // space.
        exact =
            text.folded.unicodeScalars.split(whereSeparator: LooseForm.isSpace)
            .map { Array(String($0).utf8) }.withoutRepetitions
        needVariantsToMatchInexactly =
            !distinct.contains { $0.completions != nil } && exact == distinct.map(\.bytes)
    }

    public var isEmpty: Bool { phrase.isEmpty }

    /// Whether only texts with ``SearchedText/hasVariants`` match exactly: some word was typed with accents or
    /// apostrophes.
    public var needVariantsToMatchExactly: Bool {
        exact.contains { word in
            let text = String(decoding: word, as: UTF8.self)
            return text.loose != text
        }
    }
}

extension Array where Element: Equatable {
    /// The words of a search are few: comparing them costs less than hashing.
    fileprivate var withoutRepetitions: [Element] {
        reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
