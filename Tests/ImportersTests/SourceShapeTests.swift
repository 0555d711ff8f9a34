import Base
import People
import Publishing
import Testing

@testable import Importers

@Suite("Detection of services")
struct SourceShapeTests {
    private static let columns = #""id":1,"login":"a","name":null,"avatar_url":null,"html_url":null,"type":"User","#

    @Test(
        arguments: [
            (#"{"id":1,"login":"ada","type":"User","status":"busy"}"#, nil),
            (#"{"id":1,"name":"Rick","status":"Alive","species":"Human","type":""}"#, .rickAndMorty),
            (#"{"user_id":1,"display_name":"Ada","user_type":"registered"}"#, .stackExchange),
            (#"{"login":"ada","id":1,"gravatar_id":"","contributions":32}"#, .gitHubContributors),
            (#"{"login":"ada","id":1,"gravatar_id":""}"#, .gitHub),
            (#"{"login":"ada","name":"Ada","avatar_url":"x","profile":"x","contributions":["doc"]}"#, .allContributors),
            // Its values are checked: they may be addresses.
            (#"{"login":"ada","avatar_url":"x","contributions":["doc"],"contact":"ada@x.org"}"#, nil),
            // Rollcall's own export: the columns, followed by the source's extra members.
            ("{\(columns)\"reputation\":null}", .rollcall),
            ("{\(columns)\"reputation\":5,\"account_id\":9,\"last_access_date\":1535825436}", .stackExchange),
            ("{\(columns)\"reputation\":null,\"fields\":{\"status\":\"Dead\",\"species\":\"Alien\"}}", .rickAndMorty),
        ] as [(String, BuiltInSettings?)])
    func theServiceFollowsFromTheMembers(json: String, expected: BuiltInSettings?) throws {
        var json = json
        let survey = RecordSurvey()
        try json.withUTF8 { try survey.add(.object(UnsafeRawBufferPointer($0), uid: "")) }
        let found: BuiltInSettings? =
            switch survey.source {
            case .service(let settings), .ownExport(let settings): settings
            case .unknown, .table, .objects, .cards, .edits: nil
            }
        #expect(found == expected)
    }
}
