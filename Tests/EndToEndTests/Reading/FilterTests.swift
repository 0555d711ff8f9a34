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

    /// Returns the ids that a walk along the next links visits, and those of the walk back along the previous links.
    private func walk(_ server: RollcallProcess, _ target: String) throws -> (there: [Int], back: [Int]) {
        var walks: [[Int]] = []
        for (start, relation) in [(target, "next"), (target + "&before=", "prev")] {
            var ids: [Int] = []
            var next: String? = start
            while let target = next {
                let answer = try get(server.url + target)
                #expect(answer.fields["x-total-count"] == "40")
                let people = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [[String: Any]]
                let page = (people ?? []).compactMap { $0["id"] as? Int }
                ids = relation == "next" ? ids + page : page + ids
                next = answer.fields["link"]?.components(separatedBy: ", ").first { $0.hasSuffix("\"\(relation)\"") }?
                    .split(separator: ">").first.map { String($0.dropFirst().replacing(server.url, with: "")) }
            }
            walks.append(ids)
        }
        return (walks[0], walks[1])
    }

    @Test func aWalkVisitsOnlyTheSelectedUsers() throws {
        let server = try serve()
        let expected = characters.filter { $0["status"] as? String == "Alive" && $0["species"] as? String == "Human" }
        for order in ["", "&sort=name&order=desc", "&sort=login"] {
            let (there, back) = try walk(server, "/api/v3/users?per_page=7&status=alive&species=Human" + order)
            #expect(there.sorted() == expected.compactMap { $0["id"] as? Int }, "\(order)")
            #expect(there == back, "\(order)")
        }
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
