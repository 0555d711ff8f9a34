import Bytes
import Fields

extension FieldValue {
    /// The value in one line for people; `nil` if there is nothing to show, as for a `false` in a row.
    /// - Parameter label: stands for `true`.
    func line(label: String) -> String? {
        switch self {
        case .text(let text): text.isEmpty ? nil : text
        case .list(let elements): elements.joined(separator: ", ")
        case .number(let number): number.grouped
        case .date(let days): CivilTime(secondsSince1970: days * 86_400).words
        case .link(_, let text): text
        case .boolean(let isTrue): isTrue ? label : nil
        }
    }
}

extension ProfileValue {
    /// The values of a field on a user's page.
    static func all(of value: FieldValue) -> [ProfileValue] {
        switch value {
        case .text(let text): [ProfileValue(text)]
        case .list(let elements): [ProfileValue(elements.joined(separator: ", "))]
        case .number(let number): [ProfileValue(number.grouped)]
        case .date(let days):
            [CivilTime(secondsSince1970: days * 86_400)].map { ProfileValue($0.words, dateTime: $0.isoDay) }
        case .link(let url, let text): [ProfileValue(text, href: url.isContactURL ? url : nil)]
        case .boolean(let isTrue): [ProfileValue(isTrue ? "yes" : "no")]
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

extension Double {
    /// The number with the digits before the decimal point in groups of three, and as few after it as it needs:
    /// `1,234.5`.
    var grouped: String {
        guard isFinite, magnitude < 1e15 else { return "\(self)" }
        let whole = rounded(.towardZero)
        let text = (whole < 0 || (whole == 0 && self < 0) ? "-" : "") + Int(whole.magnitude).grouped
        if whole == self { return text }
        // The shortest digits that are this number again.
        let digits = "\(magnitude)".split(separator: ".")
        return digits.count == 2 && !digits[1].contains("e") ? "\(text).\(digits[1])" : "\(self)"
    }
}
