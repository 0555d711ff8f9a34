import Foundation
import TestSupport
import Testing

@Suite("Exporting")
struct ExportingTests {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-export-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func database(_ name: String) -> String { folder.appending(path: name + ".sqlite").path }

    /// Everything that a record may have, and enough people for several pages.
    static let people: String = {
        let odd = [
            #"{"id":1,"login":"ada","name":null,"x":null,"y":"","z":[1.50,{"b":"\"\n,\\\u0007"}]}"#,
            #"{"id":2,"login":"=1+1","name":"@SUM(A1)","type":"-Bot","reputation":-5,"more":"=2"}"#,
            #"{"id":3,"login":"'=1","name":"''+1","more":{"a":1},"rollcall":"mine"}"#,
            #"{"id":9223372036854775807,"login":"bo,\"x\"","name":"<b>김</b> & 'c'","avatar_url":"https://example.com/a?b=1&c=2","html_url":"http://example.com/,;","type":"Organization","reputation":0}"#,
        ]
        return (odd + (10..<500).map { #"{"id":\#($0),"login":"user\#($0)","bio":"line\\nbreak"}"# }).joined(
            separator: "\n")
    }()

    @Test(arguments: ["ndjson", "csv", "json"])
    func anImportedExportIsTheSameDirectory(_ format: String) throws {
        let (first, second) = (database("first-\(format)"), database("second-\(format)"))
        let people = ["import", "file", "-", "--directory", "team", "--database"]
        #expect(try run(binary(), people + [first], input: Data(Self.people.utf8)).status == 0)
        let export = ["export", "--format", format, "--database"]
        let once = try run(binary(), export + [first])
        #expect(once.status == 0 && once.error == "")
        #expect(try run(binary(), people + [second], input: Data(once.output.utf8)).status == 0)
        #expect(try run(binary(), export + [second]).output == once.output)
        // The other formats tell what this one may have lost.
        let lines = ["export", "--directory", "team", "--database"]
        let all = try run(binary(), lines + [first]).output
        #expect(all.split(separator: "\n").count == 494)
        #expect(try run(binary(), lines + [second]).output == all)
    }

    @Test func whatIsWrongIsTold() throws {
        let path = database("wrong")
        let missing = try run(binary(), ["export", "--database", path])
        #expect(missing.status == 1 && missing.error.contains("there is no database \(path)"))
        let record = Data(#"{"id":1,"login":"ada"}"#.utf8)
        let people = ["import", "file", "-", "--directory", "team", "--database", path]
        #expect(try run(binary(), people, input: record).status == 0)
        let elsewhere = try run(binary(), ["export", "--directory", "crew", "--database", path])
        #expect(elsewhere.status == 1 && elsewhere.error.contains("there is no directory crew, only: team"))
        #expect(elsewhere.output == "")
        #expect(try run(binary(), ["export", "--format", "xml", "--database", path]).error.contains("xml"))
    }
}
