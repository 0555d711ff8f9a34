import _FoundationICU

/// The numbers and days of one locale, as ICU's data (CLDR) describes them. Read once: formatting needs no ICU.
package struct LocaleData: Sendable {
    /// The text between groups of three digits, and before decimals.
    package private(set) var grouping = ","
    package private(set) var decimal = "."
    /// The digits that the first group must have at least: 2 in Spanish, which writes 1234 and 12.345.
    package private(set) var minimumGrouping = 1
    /// The pattern of a day, in the notation of Unicode TR 35: `d MMMM y`.
    package private(set) var dayPattern = "d MMMM y"
    /// The names of the twelve months in such a day.
    package private(set) var months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// The data of `locale`, such as `de` or `ar@numbers=latn`; that of English where ICU has none.
    package init(_ locale: String) {
        var status = U_ZERO_ERROR
        if let format = swift_unum_open(UNUM_DECIMAL, nil, 0, locale, nil, &status), status.rawValue <= 0 {
            defer { swift_unum_close(format) }
            let symbol = { symbol in
                text { swift_unum_getSymbol(format, symbol, $0, $1, &$2) }
            }
            grouping = symbol(UNUM_GROUPING_SEPARATOR_SYMBOL) ?? grouping
            decimal = symbol(UNUM_DECIMAL_SEPARATOR_SYMBOL) ?? decimal
            minimumGrouping = max(1, Int(swift_unum_getAttribute(format, UNUM_MINIMUM_GROUPING_DIGITS)))
        }
        status = U_ZERO_ERROR
        if let format = swift_udat_open(UDAT_NONE, UDAT_LONG, locale, nil, 0, nil, 0, &status),
            status.rawValue <= 0
        {
            defer { swift_udat_close(format) }
            dayPattern = text { swift_udat_toPattern(format, 0, $0, $1, &$2) } ?? dayPattern
            let names = (0..<12).compactMap { month in
                text { swift_udat_getSymbols(format, UDAT_MONTHS, Int32(month), $0, $1, &$2) }
            }
            if names.count == 12 { months = names }
        }
    }
}

/// The rules by which a language chooses the form of a noun beside a number (CLDR, "Language Plural Rules").
///
/// Unchecked: ICU's rules do not change after they are opened, and are closed with the object. ICU allows threads to
/// share what is constant, and choosing a form takes the rules as such.
package final class PluralRules: @unchecked Sendable {
    private let rules: OpaquePointer?

    package init(_ locale: String) {
        var status = U_ZERO_ERROR
        rules = swift_uplrules_open(locale, &status)
    }

    deinit { if let rules { swift_uplrules_close(rules) } }

    /// Returns the keyword of the category: `one`, `other`, ….
    package func keyword(of number: Int) -> String {
        if let rules, let keyword = text({ swift_uplrules_select(rules, Double(number), $0, $1, &$2) }) {
            return keyword
        }
        return number == 1 ? "one" : "other"
    }
}

/// Returns the text that a function of ICU writes; `nil` if it fails.
private func text(_ write: (UnsafeMutablePointer<UInt16>, Int32, inout UErrorCode) -> Int32) -> String? {
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 128) { units in
        guard let start = units.baseAddress else { return nil }
        var status = U_ZERO_ERROR
        let count = Int(write(start, Int32(units.count), &status))
        guard status.rawValue <= 0, count <= units.count else { return nil }
        return String(decoding: units[..<count], as: UTF16.self)
    }
}
