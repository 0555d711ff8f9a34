import Base
import People
import Testing

@Suite("Proofs of exports")
struct ExportProofTests {
    static let texts: [(text: String, count: Int?)] = [
        (#"{"rollcall":{"count":3}}"#, 3),
        (#"{"rollcall":{"count":0}}"#, 0),
        (" \t{\"rollcall\":{\"count\":12}}\r\n", 12),
        ("\u{A0}{\"rollcall\":{\"count\":3}}", nil),
        ("{\"rollcall\":{\"count\":3}}\u{3000}", nil),
        ("\u{C}{\"rollcall\":{\"count\":3}}", nil),
        (#"{"rollcall":{"count":-3}}"#, nil),
        (#"{"rollcall":{"count":}}"#, nil),
        (#"{"rollcall":{"count":3}},"#, nil),
        (" ", nil),
        ("", nil),
    ]

    @Test(arguments: texts) func onlyWhiteSpaceOfJSONStandsAroundAProof(_ text: String, _ count: Int?) {
        var text = text
        #expect(text.withUTF8 { ExportProof.count(in: UnsafeRawBufferPointer($0)) } == count)
    }
}
