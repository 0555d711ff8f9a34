import Foundation
import TestSupport
import Testing

@Suite("Filtering users by their values", .onThreadsForPrograms)
final class FilterTests: Stage {
    /// The first 120 characters, every third of them dead.
    private let characters = (1...120).map { id in
        [
            "id": id, "name": "Character \(id)", "status": id % 3 == 0 ? "Dead" : "Alive",
            "species": id % 2 == 0 ? "Human" : "Alien", "type": "", "gender": "unknown",
            "url": "https://rickandmortyapi.com/api/character/\(id)",
        ] as [String: Any]
    }

    override init() throws {
        try super.init()
        let file = folder.appending(path: "crew.json")
        try JSONSerialization.data(withJSONObject: ["results": characters]).write(to: file)
        let output = try rollcall("import", "file", file.path)
        #expect(output.status == 0, "\(output.error)")
    }

    @Test func filtersCombineWithSearchAndExports() throws {
        let server = try serve()
        #expect(try get(server.url + "/fragment?q=12&status=Dead").fields["x-total-count"] == "2", "12 and 120")
        let export = try get(server.url + "/export.ndjson?status=Dead&q=12&proof=1").text
        #expect(export.contains("\"character-12\"") && export.contains("{\"count\":2}"))
        let page = try get(server.url + "/").text
        #expect(page.contains("<bdi>Alive</bdi> <span>80</span>") && page.contains("<bdi>Human</bdi> <span>60</span>"))
        #expect(page.contains("</svg> Alive"))
        _ = try rollcall("forget", "--id", "1")
        try eventually { try get(server.url + "/").text.contains("<bdi>Alive</bdi> <span>79</span>") }
        #expect(try get(server.url + "/fragment?status=Alive").fields["x-total-count"] == "79")
    }

    @Test func filtersSurviveExportAndImport() throws {
        for format in ["ndjson", "csv", "json"] {
            let export = try rollcall("export", "--format", format).output
            let file = try write("copy.\(format)", export)
            let copy = path("\(format).sqlite")
            #expect(try run(binary(), ["import", "file", file, "--database", copy]).status == 0)
            let server = try RollcallProcess(["serve", "--database", copy])
            #expect(try get(server.url + "/fragment?status=Dead").fields["x-total-count"] == "40", "\(format)")
        }
    }
}
