import Base
import People

extension FieldValue {
    /// The value in one line for people; `nil` if there is nothing to show, as for a `false` in a row.
    /// - Parameter label: stands for `true`.
    func line(
        of field: @autoclosure () -> Field, label: @autoclosure () -> String, _ language: Language
    ) -> String? {
        switch self {
        case .text(let text): text.isEmpty ? nil : text
        case .list(let elements): elements.joined(separator: language.text(.listSeparator))
        case .number(let number): field().isPlainNumber ? plainText : language.numbers.text(number)
        case .date(let days): language.days.text(CivilTime(secondsSince1970: days * 86_400))
        case .link(_, let text): text
        case .boolean(let isTrue): isTrue ? label() : nil
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
        case .date(let days): CivilTime(secondsSince1970: days * 86_400).isoDay
        case .link(_, let text): text
        case .boolean: nil
        }
    }
}

extension ProfileValue {
    /// The values of a field on a user's page.
    static func all(of value: FieldValue, _ field: Field, _ language: Language) -> [ProfileValue] {
        switch value {
        case .text(let text): [ProfileValue(text)]
        case .list(let elements): [ProfileValue(elements.joined(separator: language.text(.listSeparator)))]
        case .number(let number):
            [ProfileValue(field.isPlainNumber ? value.plainText ?? "" : language.numbers.text(number))]
        case .date(let days):
            [CivilTime(secondsSince1970: days * 86_400)].map {
                ProfileValue(language.days.text($0), dateTime: $0.isoDay)
            }
        case .link(let url, let text): [ProfileValue(text, href: url.isContactURL ? url : nil)]
        case .boolean(let isTrue): [ProfileValue(language.text(isTrue ? .yes : .no))]
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
