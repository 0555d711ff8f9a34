import Server
import Template

extension HTTPError {
    /// An error whose message names a parameter and what it takes. Programs get it in English.
    static func badRequest(_ key: MessageKey, _ arguments: KeyValuePairs<String, String> = [:]) -> HTTPError {
        HTTPError(.badRequest, key, arguments)
    }

    /// The error of a parameter that takes one of `choices`, or, with the message `errorSomeOf`, some of them.
    static func wrongChoice(
        _ name: String, _ choices: [String], _ found: String, _ message: MessageKey = .errorOneOf
    ) -> HTTPError {
        badRequest(message, ["name": name, "choices": choices.joined(separator: ", "), "found": found.excerpt])
    }

    init(
        _ status: Status, _ key: MessageKey, _ arguments: KeyValuePairs<String, String> = [:], retryAfter: Int? = nil,
        id: String? = nil
    ) {
        let values = Dictionary(arguments.map { ($0.key, $0.value) }) { first, _ in first }
        self.init(
            status: status, message: MessageText.builtInEnglish[key.rawValue].text { values[$0] },
            retryAfter: retryAfter, id: id, key: key, arguments: values)
    }

    /// The message in the language of a page, as far as it is translated.
    func message(in language: Language) -> String {
        key.map { language.text($0, inserting: arguments) } ?? message
    }
}

extension MessageText {
    /// The built-in English messages, by ``MessageKey``.
    fileprivate static let builtInEnglish: [MessageText] = {
        let catalogue = try? Catalogue(Assets.builtIn.catalogues(LanguageCode.en.rawValue), .en, or: nil)
        return MessageKey.allCases.map { MessageText(catalogue?["\($0)"]) }
    }()
}

extension MessageKey {
    /// The built-in English message, which inserts nothing.
    var english: String { MessageText.builtInEnglish[rawValue].text { _ in nil } }
}
