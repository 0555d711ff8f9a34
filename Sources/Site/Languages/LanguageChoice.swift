import Base
import People

/// The language of a response, and what chose it: `lang=` in the link, else the directory's own setting, else
/// `Accept-Language`, else it is English.
struct LanguageChoice: Equatable, Sendable {
    private enum Reason: UInt8 {
        case link, directory, header
    }

    let code: LanguageCode
    private let reason: Reason

    /// - Parameters:
    ///   - parameter: the value of `lang`.
    ///   - directory: the directory of the page; `nil` if it is about none.
    init(_ parameter: LanguageCode?, _ directory: Directory?, _ client: ClientContext) {
        if let parameter {
            (code, reason) = (parameter, .link)
        } else if let code = directory?.settings.ownLanguage {
            (self.code, reason) = (code, .directory)
        } else {
            (code, reason) = (client.language ?? .en, .header)
        }
    }

    /// The value of `lang` for links on the page: none unless the request had one.
    var parameter: LanguageCode? { reason == .link ? code : nil }

    /// Whether `Accept-Language` decided, or its absence.
    var isByHeader: Bool { reason == .header }

    /// Differs for all choices, and is not 0.
    var keyByte: UInt8 { UInt8(code.index + 1) | reason.rawValue << 4 }
}

extension ResolvedSettings {
    /// The language that the publisher set, if the interface has it. One that was inferred from headings is only for
    /// the order of names.
    fileprivate var ownLanguage: LanguageCode? { stored.own.language.flatMap { LanguageCode(range: $0.utf8) } }
}

extension LanguageCode {
    /// The value of `lang` in a target that may be wrong otherwise, for an error response.
    init?(target: UnsafeRawBufferPointer) {
        guard let value = target.queryItem("lang") else { return nil }
        self.init(rawValue: String(decoding: value, as: UTF8.self))
    }
}
