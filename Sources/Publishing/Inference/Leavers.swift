import Base
import People

/// The people of a source who have left or must not be listed, as far as its columns say so.
public struct Leavers: Sendable {
    /// The rules that hold without a doubt.
    public private(set) var certain: [LeaveOutRule] = []
    /// Days in the past, and words that are what some lists are about, with the numbers of people for whom they hold.
    public private(set) var perhaps: [(rule: LeaveOutRule, people: Int)] = []
    public let records: Int

    /// Looks at the columns of `survey`.
    ///
    /// - Parameter today: In days since 1970-01-01.
    public init(_ survey: Survey, today: Int) {
        records = survey.records
        for column in survey.columns { judge(column, today: today) }
    }

    /// Whether the people of the uncertain rules are more than a third.
    public var areMany: Bool { perhaps.reduce(0) { $0 + $1.people } * 3 > records }

    private mutating func judge(_ column: SurveyedColumn, today: Int) {
        let heading = column.heading
        // A rule could not be read again.
        if heading.contains(where: { "=<&".contains($0) }) { return }
        let texts = column.values.compactMap(\.text)
        guard !texts.isEmpty, texts.count == column.values.count else { return }
        let phrase = LeaverWords.phrase(heading)
        let words = phrase.split(separator: " ").map(String.init)
        let name = words.filter { !LeaverWords.fillers.contains($0) }.joined(separator: " ")
        let isAmong = { (list: Set<String>) in list.contains(name) || list.contains(phrase) }
        let rule = { (test: LeaveOutRule.Test) in LeaveOutRule(column: heading, test) }
        if phrase == "user account control" { return certain(rule(.hasBit(2)), texts) }
        if LeaverWords.ends.contains(phrase), let people = Self.past(texts, today) {
            if people > 0 { perhaps.append((rule(.beforeToday), people)) }
        } else if isAmong(LeaverWords.active) {
            if texts.allSatisfy({ LeaveOutRule.boolean($0) != nil }) { return certain(rule(.equals("false")), texts) }
            status(column.heading, texts)
        } else if isAmong(LeaverWords.gone) {
            let isFlag = texts.allSatisfy { text in
                LeaveOutRule.boolean(text) != nil
                    || text.withBytes { LeaveOutRule.date($0) != nil || !LeaveOutRule.isSet($0) }
                    || Int(text) != nil
            }
            if isFlag { certain(rule(.isSet), texts) }
        } else if (words + [phrase]).contains(where: LeaverWords.status.contains) {
            status(column.heading, texts)
        }
    }

    private mutating func certain(_ rule: LeaveOutRule, _ texts: [String]) {
        if texts.contains(where: { text in text.withBytes { rule.holds(for: $0, today: 0) } }) { certain.append(rule) }
    }

    /// Adds the words of a status that somebody has.
    private mutating func status(_ heading: String, _ texts: [String]) {
        var counts: [String: Int] = [:]
        for text in texts { counts[text, default: 0] += 1 }
        for (text, people) in counts.sorted(by: { $0.key < $1.key }) {
            let phrase = LeaverWords.statusPhrase(text)
            let rule = LeaveOutRule(column: heading, .equals(text))
            if LeaverWords.left.contains(phrase) {
                certain.append(rule)
            } else if LeaverWords.perhaps.contains(phrase) {
                perhaps.append((rule, people))
            }
        }
    }

    /// Returns how many of the texts are dates before today; `nil` if they are not dates.
    private static func past(_ texts: [String], _ today: Int) -> Int? {
        let days = texts.map { text in text.withBytes { LeaveOutRule.isSet($0) ? LeaveOutRule.date($0) : .max } }
        guard days.count(where: { $0 != nil }) * 5 >= days.count * 4 else { return nil }
        return days.count { $0.map { $0 < today } ?? false }
    }
}
