import Mustache

/// A message for code: text with the names of values in double braces. Only templates may use sections.
struct MessageText: Sendable {
    private enum Part {
        case literal(String)
        case value(String)
    }

    private let other: [Part]
    private let forms: [PluralCategory: [Part]]

    init(_ message: Message?) {
        switch message {
        case .text(let text)?: (other, forms) = (Self.parts(of: text), [:])
        case .forms(let forms)?:
            other = Self.parts(of: forms.other)
            self.forms = Dictionary(uniqueKeysWithValues: forms.categories.map { ($0, Self.parts(of: forms[$0])) })
        case nil: (other, forms) = ([], [:])
        }
    }

    /// Inserts `arguments`. The first number among them chooses the form.
    func text(_ arguments: KeyValuePairs<StaticString, Language.Argument>, in language: Language) -> String {
        var parts = other
        if !forms.isEmpty {
            let number = arguments.lazy.compactMap { if case .number(let number) = $0.value { number } else { nil } }
            if let form = number.first.flatMap({ forms[language.category(of: $0)] }) { parts = form }
        }
        return Self.text(parts) { name in
            arguments.first { name.isEqual(to: $0.key) }.map { language.text($0.value) }
        }
    }

    /// Inserts values that are texts.
    func text(_ value: (_ name: String) -> String?) -> String { Self.text(other, value) }

    private static func text(_ parts: [Part], _ value: (_ name: String) -> String?) -> String {
        var whole = ""
        for part in parts {
            switch part {
            case .literal(let text): whole += text
            case .value(let name):
                let text = value(name)
                assert(text != nil, "a message inserts \(name), which was not given")
                whole += text ?? ""
            }
        }
        return whole
    }

    private static func parts(of bytes: [UInt8]) -> [Part] {
        var parts: [Part] = []
        var rest = String(decoding: bytes, as: UTF8.self)[...]
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            if start.lowerBound > rest.startIndex { parts.append(.literal(String(rest[..<start.lowerBound]))) }
            parts.append(.value(String(rest[start.upperBound..<end.lowerBound])))
            rest = rest[end.upperBound...]
        }
        if !rest.isEmpty { parts.append(.literal(String(rest))) }
        return parts
    }
}

extension String {
    fileprivate func isEqual(to text: StaticString) -> Bool {
        utf8.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
