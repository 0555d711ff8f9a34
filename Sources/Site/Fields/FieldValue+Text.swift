import Base
import People

extension ProfileValue {
    /// The value of a field in one line.
    init(_ value: FieldValue, _ field: Field, _ language: Language) {
        switch value {
        case .text(let text): self.init(text)
        case .list(let elements): self.init(elements.joined(separator: language.text(.listSeparator)))
        case .number(let number):
            self.init((field.isPlainNumber ? value.plainText : nil) ?? language.numbers.text(number))
        case .date(let days):
            let time = CivilTime(daysSince1970: days)
            self.init(language.days.text(time), dateTime: time.isoDay)
        case .link(let url, let text): self.init(text, href: url.isContactURL ? url : nil)
        case .boolean(let isTrue): self.init(language.text(isTrue ? .yes : .no))
        }
    }
}

extension FieldValue {
    /// The value for programs, in no language; `nil` for an empty text and for a boolean.
    var plainText: String? {
        switch self {
        case .text(let text): text.isEmpty ? nil : text
        case .list(let elements): elements.joined(separator: ", ")
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .date(let days): CivilTime(daysSince1970: days).isoDay
        case .link(_, let text): text
        case .boolean: nil
        }
    }
}

extension String {
    /// Whether a page may link to it: an absolute URL with http, https, mailto or tel.
    var isContactURL: Bool {
        if isWebURL { return true }
        return prefixMatch(of: /(mailto|tel):[^\s"'<>]+$/.ignoresCase()) != nil
    }
}
