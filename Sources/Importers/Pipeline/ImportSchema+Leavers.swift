import Base
import Foundation
import Publishing

extension ImportRequest {
    /// Decides who of a source is not listed, as its columns say, unless the publisher has decided. Returns what is
    /// left to decide.
    ///
    /// Days in the past and words such as `alumni` count only if they leave out no more than a third: some lists are
    /// about such people. In a new directory, only the publisher can say that.
    func decideOnLeavers(in settings: inout DirectorySettings, _ survey: Survey) -> Consequence? {
        if settings.own.leaveOut != nil { return nil }
        let leavers = Leavers(survey, today: Int(Date().timeIntervalSince1970) / 86400)
        let certain = leavers.certain.map(\.text)
        let rules = (settings.inferred.leaveOut ?? []) + certain
        let open = leavers.perhaps.filter { !rules.contains($0.rule.text) }
        let doubt = leavers.areMany ? open.max { $0.people < $1.people } : nil
        let consequence = doubt.map { doubt in
            Consequence.leavesOut(
                people: open.reduce(0) { $0 + $1.people }, of: leavers.records, mark: doubt.rule.mark,
                options: Self.options(doubt.rule, besides: rules + open.map(\.rule.text), survey))
        }
        let answer = isFirst ? consequence.flatMap { asks?("\($0.fact). Leave them out?") } : nil
        if answer == false { settings.own.leaveOut = certain }
        let isAgreed = answer ?? (consequence == nil)
        var seen: Set<String> = []
        let all = (rules + (isAgreed ? open.map(\.rule.text) : [])).filter { seen.insert($0).inserted }
        settings.inferred.leaveOut = all.isEmpty ? nil : all
        return answer == nil ? consequence : nil
    }

    /// The options that decide, ready to be typed, about people who left by `rule`.
    /// - Parameter rules: the text of this rule and of all others.
    fileprivate static func options(_ rule: LeaveOutRule, besides rules: [String], _ survey: Survey) -> String {
        var value = ""
        if case .equals = rule.test {
            let column = rule.column
            value = Withheld.matches(heading: column) ? "VALUE" : commonest(in: column, besides: rules, survey)
        }
        let only = "\(rule.column)=\(value)".shellValue(of: "--only-where")
        return "--all-people lists everybody, \(only) only those who are there"
    }

    /// The commonest value in a column that is in none of `rules`.
    private static func commonest(in heading: String, besides rules: [String], _ survey: Survey) -> String {
        var counts: [String: Int] = [:]
        for column in survey.columns where column.heading == heading {
            for text in column.values.compactMap(\.text) { counts[text, default: 0] += 1 }
        }
        let others = counts.filter { !rules.contains(LeaveOutRule(column: heading, .equals($0.key)).text) }
        return others.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
    }
}

extension ImportSchema {
    /// What it means that people of the directory have left; `nil` if the publisher says now who is listed.
    func departure(_ pruning: Pruning) -> Consequence? {
        let rules = settings.leaveOut
        guard request.edits.set.leaveOut == nil, let rule = rules.first else { return nil }
        return .leavesOut(
            people: pruning.gone, of: pruning.total, mark: rule.mark,
            options: ImportRequest.options(rule, besides: rules.map(\.text), survey))
    }

    /// A doubt about many people of an existing directory who may have left.
    var doubtfulLeavers: String? { leavers.map { "\($0.fact); \($0.cure)" } }
}
