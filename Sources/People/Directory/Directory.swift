import Base
import Foundation

/// A named list of users, filled from one source.
///
/// ```swift
/// let team = store.directories.first { $0.slug.text == "team" }
/// team?.total  // 2971
/// ```
public struct Directory: Equatable, Sendable, Identifiable {
    /// The store's number for the directory, which is never reused.
    public var id: Int64
    public var slug: Slug
    /// The slugs that it had before and that no other directory has got since: their addresses lead to this one.
    public var formerSlugs: [Slug] = []
    /// The name shown to people.
    public var title: String
    /// The source of its users: `file`, `git`, `demo`, …
    public var source: String
    /// The number of users. It is updated with every change, never counted.
    public var total: Int
    /// Increases with every change of the directory, and is never reused for another state of any directory.
    public var generation: Int64
    /// A description of one or two sentences; may be empty.
    public var description = ""
    public var terms = Terms()
    /// Whether a request that names no directory gets this one. If no directory was made the default, the oldest one
    /// is.
    public var isDefault = false
    /// When an import last finished or changed something, in seconds since 1970; `nil` if that is not known.
    public var importedAt: Int64?
    /// The filters by which its users can be filtered.
    public var filters: [FilterCounts] = []
    /// The settings, as its reader gets them. Equal ones are shared.
    public var settings = ShownSettings.empty
    /// The order in which pages and exports show the users unless a request names another.
    public var defaultSort: Sort { settings.defaultSort }
    /// The rules by which the keys of its orders by text were made.
    public var collation = CollationStamp.none
    /// Distinguishes the database this was read from, from earlier ones at the same path: a restored copy issues the
    /// same generations again.
    public var origin: UInt64

    public init(
        id: Int64, slug: Slug, title: String, source: String, total: Int, generation: Int64, origin: UInt64 = 0
    ) {
        self.id = id
        self.slug = slug
        self.title = title
        self.source = source
        self.total = total
        self.generation = generation
        self.origin = origin
    }

    /// Whether this process would make the same keys for the orders by text as the directory has.
    public var hasCurrentOrder: Bool { total == 0 || collation == CollationStamp(language: settings.language) }
}

/// A directory's name in URLs and commands: 1 to 64 of `a–z`, `0–9`, `-` and `_`, starting with a letter or digit.
public struct Slug: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// Returns `nil` if `text` is not a valid slug.
    public init?(_ text: some StringProtocol) {
        guard (1...64).contains(text.utf8.count), text.utf8.first?.canBeginSlug == true,
            text.utf8.allSatisfy({ $0.canBeginSlug || "-_".utf8.contains($0) })
        else { return nil }
        self.text = String(text)
    }

    public var description: String { text }

    /// Returns the title to show if the publisher set `title`: the slug if `title` is blank.
    public func title(_ title: String) -> String {
        title.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? text : title
    }

    /// Creates a slug from a literal. An invalid literal is a programming error.
    public init(literal: StaticString) {
        guard let slug = Slug("\(literal)") else { preconditionFailure("“\(literal)” is not a slug") }
        self = slug
    }
}

extension UInt8 {
    /// Whether it is a small letter or a digit of ASCII.
    fileprivate var canBeginSlug: Bool { isDigit || self &- 97 < 26 }
}

/// The terms of use of a directory and the attribution it requires, shown at the end of its pages. Empty values are
/// omitted.
public struct Terms: Equatable, Sendable {
    public var licence: String
    /// An http or https URL, or empty; the same holds for ``attributionURL``.
    public var licenceURL: String
    public var attribution: String
    public var attributionURL: String

    public init(licence: String = "", licenceURL: String = "", attribution: String = "", attributionURL: String = "") {
        self.licence = licence
        self.licenceURL = licenceURL
        self.attribution = attribution
        self.attributionURL = attributionURL
    }
}

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
            let isKept = byte.canBeginSlug || (byte == 95 && !slug.isEmpty)
            if isKept {
                slug.append(Character(Unicode.Scalar(byte)))
            } else if !slug.isEmpty, slug.last != "-" {
                slug.append("-")
            }
        }
        while slug.last == "-" { slug.removeLast() }
        self.init(slug.prefix(64))
    }

    /// Returns the title of a new directory that is filled from the file called `name`, in words: `our-speakers.csv` is
    /// “Our speakers”. `nil` if the name has none.
    public static func title(ofFile name: String) -> String? {
        let words = stem(of: name.withoutNameBytes).split { "-_".contains($0) || $0.isWhitespace }.joined(
            separator: " ")
        return words.isEmpty ? nil : words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The name without its endings.
    private static func stem(of name: String) -> String { String(name.drop { $0 == "." }.prefix { $0 != "." }) }

    /// Returns the letters of ASCII for a lower-case one: a letter of the table, or one without its marks.
    private static func letters(_ character: Character) -> String {
        table[character] ?? String(character).withoutMarks
    }

    /// The letters that have no marks, or whose marks are letters of their own in some language.
    private static let table: [Character: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "œ": "oe", "å": "aa", "þ": "th", "đ": "d",
        "ł": "l", "ı": "i", "ð": "d", "ħ": "h", "ŋ": "n", "ŧ": "t",
    ]
}
