import Base

/// A language of the interface. The raw value is that of `lang=` and the name of the catalogue.
enum LanguageCode: String, CaseIterable, Sendable {
    case en, ko, de, fr, es, ja, zh, ar

    /// The language tag (BCP 47), as in `lang` and `Content-Language`: there is more than one Chinese script.
    var tag: StaticString {
        switch self {
        case .en: "en"
        case .ko: "ko"
        case .de: "de"
        case .fr: "fr"
        case .es: "es"
        case .ja: "ja"
        case .zh: "zh-Hans"
        case .ar: "ar"
        }
    }

    /// The locale of numbers and days. English writes the day first, as the pages always did. Digits are 0 to 9 in
    /// Arabic, too, as in people's own data.
    var locale: String {
        switch self {
        case .en: "en_GB"
        case .ar: "ar@numbers=latn"
        default: rawValue
        }
    }

    /// Looks up a language range or tag (RFC 4647 §3.4): after its subtags are cut off one by one, what decides is the
    /// first one. `nil` for other languages.
    init?(range: some Sequence<UInt8>) {
        var bytes = range.makeIterator()
        guard let first = bytes.next(), let second = bytes.next() else { return nil }
        if let third = bytes.next(), third != UInt8(ascii: "-"), third != UInt8(ascii: "_") { return nil }
        for code in Self.allCases where code.has(first | 0x20, second | 0x20) {
            self = code
            return
        }
        return nil
    }

    private func has(_ first: UInt8, _ second: UInt8) -> Bool {
        let start = tag.utf8Start
        return start[0] == first && start[1] == second
    }

    /// The position in `allCases`.
    var index: Int {
        switch self {
        case .en: 0
        case .ko: 1
        case .de: 2
        case .fr: 3
        case .es: 4
        case .ja: 5
        case .zh: 6
        case .ar: 7
        }
    }
}
