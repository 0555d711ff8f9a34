import Base
import People
import Publishing
import Testing

@testable import Importers

@Suite("Detection of record shapes")
struct SourceShapeTests {
    private func shape(_ json: String) throws -> RecordShape? {
        var bytes = json
        let batch = UserBatch()
        var decoder = RecordDecoder()
        _ = try bytes.withUTF8 { try decoder.append(json: UnsafeRawBufferPointer($0), to: batch) }
        return batch.records.last?.shape
    }

    private static let columns = #""id":1,"login":"a","name":null,"avatar_url":null,"html_url":null,"type":"User","#

    @Test(arguments: [
        (#"{"id":1,"login":"ada","type":"User","status":"busy"}"#, RecordShape.plain),
        (#"{"id":1,"name":"Rick","status":"Alive","species":"Human","type":""}"#, .rickAndMorty),
        (#"{"user_id":1,"display_name":"Ada","user_type":"registered"}"#, .stackExchange),
        // Rollcall's own export: the columns, followed by the source's extra members.
        ("{\(columns)\"reputation\":null}", .plain),
        ("{\(columns)\"reputation\":5,\"account_id\":9,\"last_access_date\":1535825436}", .stackExchange),
        ("{\(columns)\"reputation\":null,\"status\":\"Dead\",\"species\":\"Alien\"}", .rickAndMorty),
    ])
    func theShapeFollowsFromTheMembers(json: String, expected: RecordShape) throws {
        #expect(try shape(json) == expected)
    }
}
