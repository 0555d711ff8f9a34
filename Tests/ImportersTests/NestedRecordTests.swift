import People
import Testing

@testable import Importers

@Suite("Objects inside records")
final class NestedRecordTests: FileImport {
    /// Returns what becomes of the last of the records of a file.
    private func flat(_ records: String...) -> String {
        var nested = NestedRecord()
        return records.map { record in
            Array(record.utf8).withUnsafeBytes { String(decoding: nested.flat($0), as: UTF8.self) }
        }.last ?? ""
    }

    @Test(arguments: [
        (#"{"a":1,"b":[1,"{"],"c":null}"#, #"{"a":1,"b":[1,"{"],"c":null}"#),
        (
            #" {"name":{"givenName":"A","familyName":"B"},"x":1}"#,
            #"{"name.givenName":"A","name.familyName":"B","x":1}"#
        ),
        (#"{"a":[{"city":"X"},{"city":"Y","z":[{"q":1}]}]}"#, #"{"a/0/city":"X","a/1/city":"Y","a/1/z/0/q":1}"#),
        (#"{"a":["x",{"b":1}],"c":{}, "d":{"e":{}}, "f":[]}"#, #"{"a":["x",{"b":1}],"f":[]}"#),
        (#"{"a":{"b":{"c":{"d":{"e":{"f":1}}}}}}"#, #"{"a.b.c.d.e":{"f":1}}"#),
        (#"{"":{"a":1},"b\"c":{"d\u00e9":1}}"#, #"{"":{"a":1},"b\"c.d\u00e9":1}"#),
        (
            #"{"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"department":"X"}}"#,
            #"{"User.department":"X"}"#
        ),
        (#""Ada \"B\"""#, #"{"name":"Ada \"B\""}"#), (#"{"a":{"b":1}"#, #"{"a":{"b":1}"#), ("7", "7"),
    ])
    func theirMembersAreColumns(_ record: String, _ expected: String) { #expect(flat(record) == expected) }

    @Test func theirPathsNumbersAndTextsAreLimited() {
        let key = String(repeating: "k", count: 300)
        #expect(flat("{\"\(key)\":{\"a\":1},\"b\":{\"c\":1}}") == "{\"\(key)\":{\"a\":1},\"b.c\":1}")
        let list = Array(repeating: "{\"a\":1}", count: 9).joined(separator: ",")
        #expect(flat("{\"l\":[\(list)]}") == "{\"l\":[\(list)]}")
        let members = (0..<60_000).map { "\"\($0)\":1" }.joined(separator: ",")
        let long = "{\"\(key.prefix(250))\":{\(members)}}"
        #expect(flat(long) == long)
    }

    @Test(arguments: [
        #"{"id":1,"login":"a","name":"A","avatar_url":null,"html_url":null,"type":"User","reputation":0,"fields":{"x":{"y":1}}}"#,
        #"{"user_id":1,"display_name":"A","badge_counts":{"gold":1}}"#,
        #"{"login":"a","id":1,"gravatar_id":"","plan":{"name":"x"}}"#,
        #"{"id":1,"name":"R","species":"H","status":"Alive","origin":{"name":"Earth"}}"#,
        #"{"login":"a","avatar_url":"x","contributions":[{"type":"code"}]}"#,
    ])
    func recordsOfServicesStayAsTheyAre(_ record: String) {
        #expect(flat(record) == record)
        // The first record tells the layout of the file.
        let other = #"{"login":"b","a":{"b":1}}"#
        #expect(flat(record, other) == other)
    }

    @Test func whatIsWithheldIsSoAtEveryDepth() throws {
        let summary = try run(
            """
            [{"name":{"first":"Ada","last":"Byron"},"job":{"title":"Countess","salary":{"amount":5,"currency":"EUR"}},
            "contact":{"email":"s3cret@example.org","phones":["+49 30 1234567"]},"emails":[{"value":"s3cret@example.org"}],
            "profile":{"deep":{"iban":"s3cret","town":"London"},"passwordHash":"s3cret"},"credentials":{"token":"s3cret"}},
            {"name":{"first":"Bo","last":"Day"},"job":{"title":"Baker","salary":{"amount":6,"currency":"EUR"}},
            "contact":{"email":"s3cret@example.com","phones":["+49 30 1234568"]},"emails":[{"value":"s3cret@example.com"}],
            "profile":{"deep":{"iban":"s3cret","town":"Kyiv"},"passwordHash":"s3cret"},"credentials":{"token":"s3cret"}}]
            """, as: "people.json"
        ).summary
        #expect(writer.read.map(\.name) == ["Ada Byron", "Bo Day"])
        let fields = try #require(summary.schema?.resolved.fields)
        #expect(fields.first { $0.role == .title }?.source.description == "job.title")
        for user in writer.read {
            let more = user.more ?? ""
            #expect(more.contains("job.title") && more.contains("profile.deep.town"), "\(more)")
            for part in ["s3cret", "+49", "salary", "EUR"] { #expect(!more.contains(part), "\(more)") }
        }
    }

    /// Some people of a list have their names as texts, others as objects, and some have nothing else.
    @Test(arguments: [
        (
            #"[{"name":"Ada Byron","team":"A"},{"name":"Bo Day","team":"A"},{"name":"Cy Ek","team":"B"},"#
                + #"{"name":{"first":"Di","last":"Fox"},"team":"B"},"Ed Gee"]"#,
            ["Ada Byron", "Bo Day", "Cy Ek", "Di Fox", "Ed Gee"]
        ), (#"["Ada Byron",{"name":"Bo Day"},"Cy Ek"]"#, ["Ada Byron", "Bo Day", "Cy Ek"]),
    ])
    func namesAreTextsOrObjects(_ text: String, _ names: [String]) throws {
        _ = try run(text, as: "people.json")
        #expect(writer.read.map(\.name) == names)
    }
}
