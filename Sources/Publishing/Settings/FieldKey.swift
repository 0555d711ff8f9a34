import Foundation
import People

/// Makes keys of fields from headings.
public enum FieldKey {
    /// Returns the role of the heading if no other field has it; else the heading in lower case, with `_` between the
    /// words, and a number if another field has that key. Roles are ignored unless `usesRole` is set.
    public static func unique(
        _ heading: String, among keys: some Sequence<String>, usesRole: Bool = true
    ) -> String {
        let role = usesRole ? FieldRole.of(headings: [heading])[0] : nil
        if let role, !keys.contains(role.rawValue) { return role.rawValue }
        let slug = slug(heading)
        var (key, number) = (slug, 1)
        while keys.contains(key) || !SettingsRule.isKey.holds(key) {
            number += 1
            let suffix = "_\(number)"
            key = cut(slug, to: SettingsLimits.keyBytes - suffix.utf8.count) + suffix
        }
        return key
    }

    /// Whether a key may have `scalar`: it is a letter, a digit or a mark.
    static func has(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.isAlphabetic || properties.numericType != nil || properties.generalCategory == .nonspacingMark
    }

    /// Returns the letters and digits of `heading` in lower case, with `_` between the words; `field` if it has none.
    static func slug(_ heading: String) -> String {
        var slug = ""
        var isBetweenWords = false
        for scalar in heading.precomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
            let isMark = scalar.properties.generalCategory == .nonspacingMark
            if has(scalar), !slug.isEmpty || !isMark {
                if isBetweenWords, !slug.isEmpty { slug += "_" }
                isBetweenWords = false
                slug.unicodeScalars.append(scalar)
            } else {
                isBetweenWords = true
            }
        }
        slug = cut(slug, to: SettingsLimits.keyBytes)
        return SettingsRule.isKey.holds(slug) || SettingsRule.reservedKeys.contains(slug) ? slug : "field"
    }

    /// Returns the scalars at the start of `text` that take at most `count` bytes.
    private static func cut(_ text: String, to count: Int) -> String {
        var cut = String.UnicodeScalarView()
        var length = 0
        for scalar in text.unicodeScalars {
            length += UTF8.width(scalar)
            if length > count { break }
            cut.append(scalar)
        }
        return String(cut)
    }
}
