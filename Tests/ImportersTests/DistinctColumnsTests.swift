import Foundation
import People
import Publishing
import Testing

@testable import Importers

/// No column hides another one, whatever the headings are.
@Suite("Columns of the same name")
final class DistinctColumnsTests: FileImport {
    @Test func theFirstHeadingCountsAndOthersGetANumber() throws {
        let notes = try run("ID,Name,Team,team,Name,City,,\n1,Ann,A,B,C,D,E,\n").notes
        #expect(people == [#"Ann {"Team":"A","team 2":"B","Name 2":"C","City":"D","Column 7":"E"}"#])
        let columns = ["ID", "Name", "Team", "team 2", "Name 2", "City", "Column 7"]
        #expect(writer.directory.settings.stored.inferred.columns == columns)
        #expect(
            notes == [
                "column 4 repeats team: called team 2, column 5 repeats Name: called Name 2, "
                    + "column 7 has no heading: called Column 7",
                "staff.csv is read as UTF-8",
            ])
    }

    @Test func aWithheldHeadingStaysWithheldWithANumber() {
        for heading in ["E-Mail", "Gehalt", "Salary", "電話", "연봉"] {
            #expect(Withheld.matches(heading: heading + " 2"), "\(heading)")
        }
    }

    @Test func membersOfJSONAreDistinct() {
        let sink = read(
            """
            {"id":2,"ID":9,"login":"a","Id":7,"x":1,"x":3,"\\u0078":4}
            {"ID":3,"login":"b","":"y","x":1,"X":2}
            {"login":"c","id":4,"":{"":1}}
            """)
        #expect(sink.rejections.isEmpty && sink.users.map(\.id) == [2, 3, 4])
        #expect(
            sink.users.map(\.more) == [
                #"{"ID 2":9,"Id 3":7,"x":4}"#, #"{"Column":"y","x":1,"X 2":2}"#, #"{"Column":{"":1}}"#,
            ])
    }

    @Test func moreKeysThanAreKnownAreDistinct() {
        let members = (0..<300).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let sink = read("{\"login\":\"a\",\(members),\"K299\":1,\"k299\":2,\"k3\":5}")
        let more = sink.users.first?.more ?? ""
        #expect(more.hasSuffix(#""k299":2,"K299 2":1}"#) && more.contains(#""k3":5,"k4""#), "\(more)")
    }

    @Test func aNameThatAnotherMemberWasGivenIsTaken() {
        let sink = read(#"{"login":"a","x":1,"X":2,"X 2":3,"x":4}"#)
        #expect(sink.users.map(\.more) == [#"{"x":4,"X 2":2,"X 2 2":3}"#])
    }

    @Test func thousandsOfNamesThatDifferInCaseAreDistinct() throws {
        let more = try #require(read("{\"login\":\"a\",\(Self.namesThatDifferInCase(2000))}").users.first?.more)
        let members = try #require(try JSONSerialization.jsonObject(with: Data(more.utf8)) as? [String: Int])
        #expect(Set(members.keys.map { $0.lowercased() }).count == 2000 && more.hasSuffix(" 2000\":1999}"))
        let sink = read("{\"login\":\"a\",\(Self.namesThatDifferInCase(RecordLimits.members - 1))}")
        #expect(sink.users.isEmpty && sink.rejections.count == 1)
        #expect(sink.rejections.first?.contains("expected at most 64 KiB besides the columns") == true)
    }

    private static func namesThatDifferInCase(_ count: Int) -> String {
        (0..<count).map { number in
            let letters = "abcdefghijklmn".enumerated().map { number >> $0 & 1 == 1 ? $1.uppercased() : "\($1)" }
            return "\"\(letters.joined())\":\(number)"
        }.joined(separator: ",")
    }

    private static let face = #""avatar_url":"https://avatars.githubusercontent.com/u"#

    /// Contributors, and the ids and names of those who are known by the faces that GitHub keeps, or else the logins.
    @Test(arguments: [
        // One person comes twice; the first record has no `profile`.
        (
            """
            {"login":"ann","name":"Ann",\(face)/7","contributions":["doc"]},{"login":"ann","name":"Ann",\(face)/7?v=4",
            "profile":"https://a.example","contributions":["code","doc"]}
            """, [7], [#"Ann {"profile":"https://a.example","contributions":["code","doc"]}"#]
        ),
        // Some have no account, and some are programs.
        (
            """
            {"name":"Bo",\(face)/9?v=4","contributions":["doc"]},{"name":"Bo Day",\(face)/9","contributions":["code"]},
            {"login":"renovate[bot]","avatar_url":"https://avatars.githubusercontent.com/in/1","contributions":["code"]}
            """, [9],
            [
                #"Bo Day {"contributions":["code"]}"#,
                #"renovate[bot] {"contributions":["code"],"type":"Bot"}"#,
            ]
        ),
        // Without a face, a contributor has no id but the login.
        (
            """
            {"login":"Ann","contributions":["doc"]},{"login":"ann",\(face)/7","contributions":["code"]},
            {"login":"bob",\(face)/8","contributions":["code"]},{"login":"cy","contributions":["doc"]},
            {"login":"bob","contributions":["doc"]}
            """, [7, 8], [#"ann {"contributions":["code"]}"#, "bob", "cy"]
        ),
    ])
    func contributorsAreKnownByTheirFaces(_ list: String, _ ids: [Int64], _ people: [String]) throws {
        _ = try run("{\"contributors\":[\(list)]}", as: ".all-contributorsrc")
        #expect(writer.sorted.map(\.id).filter { $0 < 100 } == ids)
        #expect(self.people.count == people.count)
        for (found, start) in zip(self.people, people) { #expect(found.hasPrefix(start)) }
        #expect(writer.sorted.count { $0.avatarURL != nil } == (people.contains("cy") ? 2 : people.count))
    }

    /// The records of a person may be in two batches.
    @Test func aContributorWhoseFaceCameEarlierIsNotAddedAgain() throws {
        var configuration = ImportRun.Configuration()
        configuration.batchSize = 1
        let list = """
            {"contributors":[{"login":"ann",\(Self.face)/7","contributions":["code"]},
            {"login":"ann","contributions":["doc"]},{"login":"cy","contributions":["doc"]}]}
            """
        let path = try write(".all-contributorsrc", list)
        _ = ImportRun(writer: writer, configuration: configuration).run(FileSource(path: path))
        #expect(writer.sorted.map(\.login).sorted() == ["ann", "cy"])
    }
}
