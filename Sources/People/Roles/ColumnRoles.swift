import Foundation

/// A field whose meaning Rollcall knows, whatever its heading is. The raw value is the field's key.
public enum FieldRole: String, CaseIterable, Sendable {
    case id, login, name
    case firstName = "first_name"
    case lastName = "last_name"
    case reading, title, department, location, country, organization, skills, languages, joined, photo, website, about
    case type, reputation
    case email, phone
    case hidden, noindex

    /// The roles that are columns of every user, and so have a value even if no column of the source does.
    public static let columnsOfUsers: [FieldRole] = [.id, .login, .name, .photo]

    /// Those with a column in exports in Rollcall's own layout, in its order.
    public static let columnsOfExports: [FieldRole] = [.id, .login, .name, .photo, .website, .type, .reputation]
    /// Those of them whose values are members of the record.
    public static let exportedFields = columnsOfExports.filter { !columnsOfUsers.contains($0) }

    /// Returns the role of the column that exports call `column`, or `nil`.
    public init?(column: String) {
        guard let role = Self.columnsOfExports.first(where: { $0.column == column }) else { return nil }
        self = role
    }

    public var column: String {
        switch self {
        case .photo: "avatar_url"
        case .website: "html_url"
        default: rawValue
        }
    }

    /// Whether profiles list the field among a person's details. The name, the photo and the like are shown elsewhere
    /// on the page.
    public var isFact: Bool {
        switch self {
        case .id, .login, .name, .firstName, .lastName, .photo, .hidden, .noindex: false
        default: true
        }
    }

    /// Whether it says how the person is published. Nobody sees its values, though it is read.
    public var isMark: Bool { self == .hidden || self == .noindex }

    /// The type of the values if the column does not decide it.
    public var type: FieldType {
        switch self {
        case .id, .reputation: .number
        case .photo, .website, .email, .phone: .link
        case .hidden, .noindex: .boolean
        default: .text
        }
    }

    /// The English label, for a field without a heading.
    public var label: String {
        switch self {
        case .id: "ID"
        case .login: "Login"
        case .name: "Name"
        case .firstName: "First name"
        case .lastName: "Last name"
        case .reading: "Phonetic name"
        case .title: "Title"
        case .department: "Department"
        case .location: "Location"
        case .country: "Country"
        case .organization: "Organization"
        case .skills: "Skills"
        case .languages: "Languages"
        case .joined: "Joined"
        case .photo: "Photo"
        case .website: "Website"
        case .about: "About"
        case .type: "Type"
        case .reputation: "Reputation"
        case .email: "E-mail"
        case .phone: "Phone"
        case .hidden: "Hidden"
        case .noindex: "Not in search engines"
        }
    }
}

/// Normalizes headings for comparison: letters and digits, in lower case, without accents.
package enum Heading {
    /// Returns the letters and digits of `heading`, so that `Job title`, `job_title` and `jobTitle` are the same.
    package static func normalized(_ heading: String) -> String {
        // Looking up Unicode properties takes ten times as long, and a record may have very many member names.
        if heading.utf8.allSatisfy({ $0 < 0x80 }) {
            return String(
                decoding: heading.utf8.compactMap { $0.isLetterOrDigit ? $0.lowercased : nil }, as: UTF8.self)
        }
        var normalized = ""
        for scalar in composed(heading).lowercased().unicodeScalars {
            if let letters = plain[scalar] {
                normalized += letters
            } else if isLetterOrDigit(scalar) {
                normalized.unicodeScalars.append(base(of: scalar))
            }
        }
        return normalized
    }

    /// Returns the words of `heading` in the same form: `Tel. privat`, `homePhone`, `HOMEPhone` and `HOME_PHONE` have
    /// two. The number sign is a word, and `N°` is `no`.
    package static func words(_ heading: String) -> [String] {
        // The lexicon has thousands of words in this form, and every import reads it.
        if heading.utf8.allSatisfy({ $0 &- 97 < 26 || $0.isDigit || $0 == UInt8(ascii: " ") }) {
            return joiningInitials(heading.split(separator: " ").map(String.init))
        }
        let scalars = Array(composed(heading).unicodeScalars)
        var words: [String] = []
        var word = ""
        func endWord() {
            if !word.isEmpty { words.append(normalized(word)) }
            word = ""
        }
        var previous = Letter.none
        for (index, scalar) in scalars.enumerated() {
            if !scalar.isASCII, scalar.properties.generalCategory == .nonspacingMark { continue }
            if scalar == "°", word == "n" || word == "N" { word.append("o") }
            let letter = Letter(scalar)
            let next = scalars[(index + 1)...].prefix(2)
            // `IDNumber`, but not `IDs`.
            let endsCapitals = previous == .upper && next.count == 2 && next.allSatisfy { Letter($0) == .lower }
            if letter == .none || letter == .upper && (previous == .lower || endsCapitals) { endWord() }
            if letter != .none { word.unicodeScalars.append(scalar) }
            if scalar == "#" { words.append("#") }
            previous = letter
        }
        endWord()
        return joiningInitials(words)
    }

    /// Joins what somebody has spaced out or abbreviated: `D.O.B.`, `氏 名`.
    private static func joiningInitials(_ words: [String]) -> [String] {
        var joined: [String] = []
        var isAfterInitial = false
        for word in words {
            let isInitial = word.count == 1 && word.first?.isLetter == true
            if isInitial, isAfterInitial { joined[joined.count - 1] += word } else { joined.append(word) }
            isAfterInitial = isInitial
        }
        return joined
    }

    private enum Letter {
        /// No part of a word.
        case none
        case upper, lower, other

        init(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 65...90: self = .upper
            case 97...122: self = .lower
            case 48...57: self = .other
            case ..<0x80: self = .none
            case _ where !Heading.isLetterOrDigit(scalar): self = .none
            default: self = scalar.properties.isUppercase ? .upper : scalar.properties.isLowercase ? .lower : .other
            }
        }
    }

    /// Whether the values of a column called `heading` name something, such as `Member no.`: the heading ends in such a
    /// word. German and the languages without spaces join it to others.
    package static func isOfIdentifiers(_ heading: String) -> Bool {
        if let last = words(heading).last, ["number", "no", "nr", "id", "code", "numero", "#"].contains(last) {
            return true
        }
        let name = normalized(heading)
        return ["nummer", "nr", "code", "번호", "番号", "编号"].contains { name.hasSuffix(normalized($0)) }
    }

    /// Returns the NFKC form of `heading` (Unicode Standard Annex #15).
    private static func composed(_ heading: String) -> String {
        heading.unicodeScalars.allSatisfy(isStable) ? heading : heading.precomposedStringWithCompatibilityMapping
    }

    /// Whether NFKC certainly leaves a scalar as it is, whatever stands beside it: the letters of most headings.
    private static func isStable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F, 0xC0..<0x132, 0x14C..<0x17F, 0x400..<0x482, 0x621..<0x64B, 0x3041..<0x3097, 0x30A1..<0x30FB,
            0x4E00..<0x9FA6, 0xAC00..<0xD7A4:
            true
        default: false
        }
    }

    /// Returns the ASCII letter of a letter with any accents, and every other scalar unchanged.
    private static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        // Elsewhere, Unicode has no letter of ASCII with an accent.
        guard scalar.value < 0x250 || 0x1E00..<0x1F00 ~= scalar.value else { return scalar }
        guard let base = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.first, base.isASCII else {
            return scalar
        }
        return base
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Latin letters with accents, as in the headings of the seven languages, and what they become.
    private static let plain: [Unicode.Scalar: String] = {
        var plain: [Unicode.Scalar: String] = ["ß": "ss", "œ": "oe", "æ": "ae", "ł": "l", "ı": "i"]
        for (letter, accented) in [
            ("a", "àáâãäå"), ("c", "ç"), ("e", "èéêë"), ("i", "ìíîï"), ("n", "ñ"), ("o", "òóôõöø"), ("u", "ùúûü"),
            ("y", "ýÿ"),
        ] {
            for scalar in accented.unicodeScalars { plain[scalar] = letter }
        }
        return plain
    }()
}
