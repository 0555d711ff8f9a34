import Base
import Testing

@testable import People
@testable import Publishing

@Suite("Inference from people in a directory")
struct StoredSurveyTests {
    @Test func columnsAreInferredAgain() throws {
        var inferred = Settings()
        inferred.columns = ["Kürzel", "Team", "Info", "Rang"]
        inferred.fields = [
            FieldSettings(key: "login", from: "Kürzel"), FieldSettings(key: "team", from: "Team"),
            FieldSettings(key: "info", from: "Info"), FieldSettings(key: "rang", from: "Rang"),
        ]
        // Withheld, because its values were e-mail addresses: they are not stored.
        inferred.fields[2].show = .never
        var survey = StoredSurvey(ResolvedSettings(DirectorySettings(inferred: inferred)))
        for (login, more) in [
            ("anna", #"{"Team":"A","Rang":"1"}"#), ("bert", #"{"Team":"A","Rang":"2"}"#), ("carl", #"{"Team":"B"}"#),
        ] {
            let buffer = ByteBuffer()
            let record = User(id: 1, login: login, more: more).columns.map(buffer.keep)
            survey.add(record.bytes(in: buffer.bytes))
        }
        #expect(survey.survey.columns[0].values == [.text("anna"), .text("bert"), .text("carl")])
        let again = survey.inferredAgain.inferred
        #expect(again.columns == inferred.columns)
        #expect(again.filters == ["department"])
        #expect(again.fields.first { $0.from == "Rang" }?.type == .number)
        #expect(again.fields.first { $0.from == "Info" }?.show == .never)
    }
}
