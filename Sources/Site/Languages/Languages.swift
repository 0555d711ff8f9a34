import Base
import People
import Synchronization
import Template

/// All languages of the interface. Each is read when the first page in it is rendered, because most servers need one
/// or two of them.
package final class Languages: Sendable {
    private let assets: Assets
    private let english: Language
    /// In the order of `LanguageCode.allCases`.
    private let known: Mutex<[Language?]>
    /// Changes with any byte of any template and any message.
    let fingerprint: UInt64

    /// Throws an error if a template or a catalogue is broken. Those in the program
    /// are tested, so only a publisher's are all read at the start.
    init(_ assets: Assets) throws {
        self.assets = assets
        let english = try Language(.en, assets, or: nil)
        self.english = english
        known = Mutex(
            try LanguageCode.allCases.map { code in
                if code == .en { return english }
                return assets.hasOwnTemplates ? try Language(code, assets, or: english) : nil
            })
        var hash = StableHash()
        for name in assets.templateNames.sorted() {
            hash.combine(name)
            if let template = assets.template(name) { hash.combine(template) }
        }
        for file in LanguageCode.allCases.flatMap({ assets.catalogues($0.rawValue) }) {
            hash.combine(file.bytes)
        }
        fingerprint = hash.value
    }

    subscript(code: LanguageCode) -> Language {
        known.withLock { known in
            if let language = known[code.index] { return language }
            let language = (try? Language(code, assets, or: english)) ?? english
            known[code.index] = language
            return language
        }
    }
}

/// The language of a response, and what chose it: `lang=` in the link, else the directory's own setting, else
/// `Accept-Language`, else it is English.
struct LanguageChoice: Equatable, Sendable {
    private enum Reason: UInt8 {
        case link, directory, header
    }

    let code: LanguageCode
    private let reason: Reason

    /// - Parameter parameter: the value of `lang`.
    init(_ parameter: LanguageCode?, _ directory: Directory, _ client: ClientContext) {
        if let parameter {
            (code, reason) = (parameter, .link)
        } else if let code = directory.settings.ownLanguage {
            (self.code, reason) = (code, .directory)
        } else {
            (code, reason) = (client.language ?? .en, .header)
        }
    }

    /// The choice for JSON of front ends, which has labels of the directory but does not depend on the reader's
    /// language.
    static func ofData(_ parameter: LanguageCode?, _ directory: Directory, _ client: ClientContext) -> LanguageChoice? {
        let choice = LanguageChoice(parameter, directory, client)
        return choice.isByHeader ? nil : choice
    }

    /// The value of `lang` for links on the page: none unless the request had one.
    var parameter: LanguageCode? { reason == .link ? code : nil }

    /// Whether `Accept-Language` decided, or its absence.
    var isByHeader: Bool { reason == .header }

    /// Differs for all choices, and is not 0.
    var keyByte: UInt8 { UInt8(code.index + 1) | reason.rawValue << 4 }
}

extension ShownSettings {
    /// The language that the publisher set, if the interface has it. One that was inferred from headings is only for
    /// the order of names.
    fileprivate var ownLanguage: LanguageCode? {
        looks.language.flatMap { $0.withUTF8Bytes { LanguageCode(range: $0) } }
    }
}

/// A language of the interface. The raw value is that of `lang=` and the name of the catalogue.
enum LanguageCode: String, CaseIterable, Sendable {
    case en, ko, de, fr, es, ja, zh, ar

    /// The language tag (BCP 47), as in `lang` and `Content-Language`: there is more than one Chinese script.
    var tag: String { self == .zh ? "zh-Hans" : rawValue }

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
    init?(range: Bytes) {
        guard range.count >= 2 else { return nil }
        if range.count > 2, range[2] != UInt8(ascii: "-"), range[2] != UInt8(ascii: "_") { return nil }
        self.init(rawValue: String(decoding: [range[0] | 0x20, range[1] | 0x20], as: UTF8.self))
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
