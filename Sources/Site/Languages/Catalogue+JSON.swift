import Assets
import Base
import JSON
import Mustache

/// An error in a catalogue of messages, such as `languages/ko.json: message "find" has no form "other"`.
struct CatalogueError: Error, CustomStringConvertible {
    let description: String

    init(_ file: String, _ message: String) { description = "\(file): \(message)" }
}

extension Catalogue {
    /// Reads `files`. Later files replace messages of earlier ones. A message that none of them has is the one
    /// of `english`. Throws a ``CatalogueError``.
    init(_ files: [Assets.Catalogue], _ code: LanguageCode, or english: Catalogue?) throws {
        var messages: [String: Message] = [:]
        for key in english?.keys.map({ $0 }) ?? [] { messages[key] = english?[key] }
        for file in files {
            do {
                try file.bytes.withUnsafeBytes { bytes in
                    try JSON.forEachMember(of: bytes) { key, value in
                        messages[key.text] = try Message(key.text, value, in: file.name)
                    }
                }
            } catch let error as JSONError {
                throw CatalogueError(file.name, "expected a JSON object of texts; \(error)")
            }
        }
        self.init(fileName: "languages/\(code.rawValue).json", messages)
    }
}

extension Message {
    fileprivate init(_ key: String, _ value: JSONValue, in file: String) throws {
        if let text = value.string?.text {
            self = .text(Array(text.utf8))
            return
        }
        guard value.kind == .object else {
            throw CatalogueError(file, "message \"\(key)\" is neither a text nor an object of forms")
        }
        var forms: [PluralCategory: [UInt8]] = [:]
        try JSON.forEachMember(of: value.raw) { name, value in
            guard let category = PluralCategory(keyword: name.text), let text = value.string?.text else {
                throw CatalogueError(file, "message \"\(key)\" has \"\(name.text)\", which is no form of a plural")
            }
            forms[category] = Array(text.utf8)
        }
        guard let other = forms.removeValue(forKey: .other) else {
            throw CatalogueError(file, "message \"\(key)\" has no form \"other\"")
        }
        self = .forms(PluralForms(other: other, forms))
    }
}

extension PluralCategory {
    /// The category with this keyword of CLDR.
    init?(keyword: String) {
        switch keyword {
        case "zero": self = .zero
        case "one": self = .one
        case "two": self = .two
        case "few": self = .few
        case "many": self = .many
        case "other": self = .other
        default: return nil
        }
    }
}
