import Foundation

extension Slug {
    /// Derives the slug for a source called `name`: `Our Team.csv.gz` fills `our-team`, and `Köln.csv` fills `koeln`.
    /// `nil` if the name has no letter or digit that a slug may contain.
    public init?(importName name: String) {
        let stem = Self.stem(of: name).precomposedStringWithCanonicalMapping.lowercased()
        self.init(words: stem.map(Self.letters).joined())
    }

    /// Derives the slug that earlier versions made of `name`, by which databases still have directories: `Köln.csv`
    /// filled `k-ln`.
    public init?(earlierImportName name: String) { self.init(words: Self.stem(of: name).lowercased()) }

    /// `_` is a separator at the start only.
    private init?(words text: some StringProtocol) {
        var slug = ""
        for byte in text.utf8 {
            let isKept = (97...122).contains(byte) || (48...57).contains(byte) || (byte == 95 && !slug.isEmpty)
            if isKept {
                slug.append(Character(Unicode.Scalar(byte)))
            } else if !slug.isEmpty, slug.last != "-" {
                slug.append("-")
            }
        }
        while slug.last == "-" { slug.removeLast() }
        self.init(slug.prefix(64))
    }

    /// The name without its endings.
    private static func stem(of name: String) -> String { String(name.drop { $0 == "." }.prefix { $0 != "." }) }

    /// Returns the letters of ASCII for a lower-case one: a letter of the table, or one without its marks.
    private static func letters(_ character: Character) -> String {
        if let letters = table[character] { return letters }
        return String(
            String.UnicodeScalarView(
                String(character).decomposedStringWithCanonicalMapping.unicodeScalars.filter {
                    $0.properties.generalCategory != .nonspacingMark
                }))
    }

    /// The letters that have no marks, or whose marks are letters of their own in some language.
    private static let table: [Character: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "œ": "oe", "å": "aa", "þ": "th", "đ": "d",
        "ł": "l", "ı": "i", "ð": "d", "ħ": "h", "ŋ": "n", "ŧ": "t",
    ]
}
