import Base
import Foundation
import Publishing

extension ImportSettings {
    /// Decides who of a source is not listed, as its columns say, unless the publisher has decided. Returns a doubt if
    /// many people of an existing directory may have left.
    ///
    /// Days in the past and words such as `alumni` count only if they leave out no more than a third: some lists are
    /// about such people. Of a new directory, nobody else than the publisher can say that.
    func decideOnLeavers(
        in settings: inout DirectorySettings, _ survey: Survey
    ) throws(RollcallError) -> String? {
        guard settings.own.leaveOut == nil else { return nil }
        let leavers = Leavers(survey, today: Int(Date().timeIntervalSince1970) / 86400)
        var rules = (settings.inferred.leaveOut ?? []) + leavers.certain.map(\.text)
        let open = leavers.perhaps.filter { !rules.contains($0.rule.text) }
        var doubt: String?
        if !leavers.areMany {
            rules += open.map(\.rule.text)
        } else if let most = open.max(by: { $0.people < $1.people }) {
            let people = open.reduce(0) { $0 + $1.people }
            let text =
                "\(people.grouped) of \(counted(leavers.records, "person", "people")) may have left (\(most.rule.mark))"
            if isFirst {
                switch asks?("\(text). Leave them out?") {
                case true?: rules += open.map(\.rule.text)
                case false?: settings.own.leaveOut = leavers.certain.map(\.text)
                case nil: throw RollcallError("\(text): nothing was saved. \(Self.cure(most.rule, survey))")
                }
            } else {
                doubt = "\(text); \(Self.cure(most.rule, survey))"
            }
        }
        var seen: Set<String> = []
        rules = rules.filter { seen.insert($0).inserted }
        settings.inferred.leaveOut = rules.isEmpty ? nil : rules
        return doubt
    }

    /// The options that decide, ready to be typed.
    private static func cure(_ rule: LeaveOutRule, _ survey: Survey) -> String {
        var value = ""
        if case .equals = rule.test, Withheld.matches(heading: rule.column) {
            value = "VALUE"
        } else if case .equals = rule.test, let column = survey.columns.first(where: { $0.heading == rule.column }) {
            var counts: [String: Int] = [:]
            for case .text(let text) in column.values { counts[text, default: 0] += 1 }
            let others = counts.filter { LeaveOutRule(column: rule.column, .equals($0.key)) != rule }
            value = others.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
        }
        let only = "\(rule.column)=\(value)".shellValue(of: "--only-where")
        return "--all-people lists everybody, \(only) only those who are there"
    }
}
