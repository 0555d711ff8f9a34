import Base

/// Writes days as people of one language read them: `5 April 2018`, `5. April 2018`, `2018년 4월 5일`.
struct DayFormat: Sendable {
    private enum Part {
        case literal(String)
        case day, month, monthName, year
    }

    private let parts: [Part]
    private let months: [String]

    /// A pattern with other fields than day, month and year gives days as in ISO 8601.
    init(_ data: LocaleData) {
        months = data.months
        parts = Self.parts(of: data.dayPattern) ?? [.year, .literal("-"), .month, .literal("-"), .day]
    }

    func text(_ time: CivilTime) -> String {
        parts.map { part in
            switch part {
            case .literal(let text): text
            case .day: "\(time.day)"
            case .month: "\(time.month)"
            case .monthName: months[time.month - 1]
            case .year: "\(time.year)"
            }
        }.joined()
    }

    /// Reads a pattern of Unicode TR 35, in which quotes enclose literal letters.
    private static func parts(of pattern: String) -> [Part]? {
        var parts: [Part] = []
        var isQuoted = false
        var rest = pattern[...]
        while let first = rest.first {
            let run = rest.prefix { $0 == first }
            rest = rest.dropFirst(first == "'" ? 1 : run.count)
            switch first {
            case "'": isQuoted.toggle()
            case _ where isQuoted || !(first.isASCII && first.isLetter): parts.append(.literal(String(run)))
            case "d" where run.count == 1: parts.append(.day)
            case "M" where run.count == 1: parts.append(.month)
            case "M" where run.count == 4: parts.append(.monthName)
            case "y" where run.count == 1: parts.append(.year)
            default: return nil
            }
        }
        return parts
    }
}
