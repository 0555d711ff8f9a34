import Base
import Foundation
import People

/// The words by which columns say that somebody has left, or must not be listed, as ``phrase(_:)`` writes them: lower
/// case, without accents, single spaces. The lexicon has them by language.
enum LeaverWords {
    /// Headings of a flag that is true for people who are there.
    static let active = words("active")
    /// Headings of a flag or a time that people have who are not there, or whose account is locked.
    static let gone = words("gone")
    /// Headings of the day on which somebody left or will leave.
    static let ends = words("ends")
    /// Words of headings of a status.
    static let status = words("status")
    /// Values of a status that certainly mean that somebody is not there.
    static let left = words("left")
    /// Values of a status that mean so in some lists, and are all that others are about.
    static let perhaps = words("perhaps")
    /// Words in headings that add nothing to these meanings.
    static let fillers = words("fillers")

    private static func words(_ list: String) -> Set<String> { Set(Lexicon.shared.words(list).map(phrase)) }

    /// Returns a text in lower case, without accents, brackets and their contents at its end, and with single spaces in
    /// the place of signs.
    static func phrase(_ text: String) -> String {
        var text = text
        // `Terminated (voluntary)`
        if let open = text.firstIndex(where: { "([（".contains($0) }), open > text.startIndex {
            text = String(text[..<open])
        }
        return Heading.words(text.precomposedStringWithCompatibilityMapping).joined(separator: " ")
    }

    /// Returns a status without the code before it: `T - Terminated` is `terminated`.
    static func statusPhrase(_ text: String) -> String {
        let parts = text.split(maxSplits: 1) { "-–:".contains($0) }.map { String($0).trimmed }
        if parts.count == 2, parts[0].count <= 3, !parts[0].isEmpty { return phrase(parts[1]) }
        return phrase(text)
    }
}
