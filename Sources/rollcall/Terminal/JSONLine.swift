import Base
import Foundation

/// An object of JSON for programs, written down where it is made. Members without a value are left out.
///
/// ```swift
/// let json: JSONObject = ["slug": "team", "users": 3, "lastImport": nil as String?]
/// ```
struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
    private struct Member: Encodable {
        let value: any Encodable
        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private let members: [String: Member]

    init(dictionaryLiteral members: (String, (any Encodable)?)...) {
        self.members = Dictionary(uniqueKeysWithValues: members).compactMapValues { $0.map(Member.init) }
    }

    func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}

enum JSONLine {
    static func string(_ text: String?) -> String {
        text.map { text in String(writing: { $0.append(jsonString: text) }) } ?? "null"
    }

    static func array(_ texts: [String]) -> String { "[" + texts.map(string).joined(separator: ",") + "]" }

    /// Returns `value` as a line of JSON that a terminal may show.
    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self).printableJSON + "\n" } ?? ""
    }
}
