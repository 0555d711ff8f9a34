import Base
import People
import Publishing
import Testing

@testable import Importers

@Suite struct LeaversTests {
    private static let today = 20_000

    private func leavers(_ heading: String, _ values: [String]) -> Leavers {
        var survey = Survey()
        survey.columns = [SurveyedColumn(heading: heading, values: values.filter { !$0.isEmpty }.map { .text($0) })]
        survey.records = values.count
        return Leavers(survey, today: Self.today)
    }

    @Test(arguments: [
        ("deleted_at", ["", "2020-01-01"], "deleted_at"),
        ("accountEnabled", ["true", "False"], "accountEnabled=false"),
        ("is_active", ["t", "f"], "is_active=false"), ("Aktiv?", ["ja", "nein"], "Aktiv?=false"),
        ("Status", ["Active", "Left"], "Status=Left"),
        ("Position Status", ["A - Active", "T - Terminated"], "Position Status=T - Terminated"),
        ("Status [READ ONLY]", ["Active", "Inactive"], "Status [READ ONLY]=Inactive"),
        ("Deceased", ["", "yes"], "Deceased"), ("locked_at", ["", "2025-01-01 10:00"], "locked_at"),
        ("userAccountControl", ["512", "514"], "userAccountControl&2"), ("재직상태", ["재직", "퇴사"], "재직상태=퇴사"),
        ("Mitgliedsstatus", ["aktiv", "ausgetreten"], "Mitgliedsstatus=ausgetreten"),
    ])
    func certainMarksSayWhoHasLeft(_ heading: String, _ values: [String], _ rule: String) {
        #expect(leavers(heading, values).certain.map(\.text) == [rule])
    }

    @Test(arguments: [
        ("billing-active", ["0", "1"]), ("Email verified", ["no", "yes"]), ("State", ["TX", "NY"]),
        ("Parental leave", ["2020-01-01", ""]), ("Status", ["on leave", "Full-time"]), ("Suspended", ["false", ""]),
        ("deleted_at", ["0", "null"]),
    ])
    func otherColumnsMeanNothing(_ heading: String, _ values: [String]) {
        let leavers = leavers(heading, values)
        #expect(leavers.certain.isEmpty && leavers.perhaps.isEmpty)
    }

    @Test func endsInThePastAreCertainUpToAThird() {
        let one = leavers("Austritt", ["", "", "", "28.07.2015"])
        #expect(one.perhaps.map(\.rule.text) == ["Austritt<today"] && !one.areMany)
        let many = leavers("Status", ["Alumni", "Alumni", "Student"])
        #expect(many.perhaps.map(\.people) == [2] && many.areMany)
        // A day to come.
        #expect(leavers("end_date", ["2999-01-01"]).perhaps.isEmpty)
    }

    @Test(arguments: ["status=left", "Austritt!=", "deleted_at", "end date<today", "uac&2"])
    func rulesAreWrittenAsTheyAreRead(_ text: String) { #expect(LeaveOutRule(text).text == text) }
}
