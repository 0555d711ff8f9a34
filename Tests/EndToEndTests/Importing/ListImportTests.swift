import Foundation
import TestSupport
import Testing

@Suite("Lists as they are, from the file to the page", .onThreadsForPrograms)
final class ListImportTests: Stage {
    private static let files: Set = [
        "adressbuch.vcf", "annuaire-deux-lignes.xlsx", "asana-members.csv", "blackboard-grades.csv",
        "chorale-adherents.xlsx", "factorial-empleados.csv", "ja-jinji.csv", "kenjo-employees.csv",
        "openldap-people.ldif", "outlook-fr.csv", "sessionize-speakers.xlsx", "university-faculty.csv",
    ]

    @Test func readersSeeThePeopleAndNothingThatIsPersonal() throws {
        let lists = ExpectedList.all.filter { Self.files.contains($0.file) }
        #expect(lists.count == Self.files.count)
        var reports: [String: String] = [:]
        for list in lists {
            let output = try rollcall("import", "file", list.path, "--directory", slug(list))
            reports[list.file] = output.output + output.error
        }
        let server = try serve()
        for list in lists {
            let missed = try list.missed(by: seen(of: list, on: server, reports[list.file] ?? ""))
            #expect(missed == [], "\(list.file)")
        }
    }

    private func slug(_ list: ExpectedList) -> String { String(list.file.prefix { $0 != "." }) }

    /// Returns what JSON, exports and the page of the list show.
    private func seen(of list: ExpectedList, on server: RollcallProcess, _ report: String) throws -> ExpectedList.Seen {
        var seen = ExpectedList.Seen()
        seen.report = report
        let query = "per_page=100&directory=\(slug(list))"
        let people = Data(try get("\(server.url)/people.json?\(query)").body)
        let object = try #require(try JSONSerialization.jsonObject(with: people) as? [String: Any])
        for person in try #require(object["people"] as? [[String: Any]]) {
            let name = try #require(person["name"] as? String)
            seen.names.append(name)
            seen.values.insert(name)
            seen.add(person["fields"] ?? [:])
        }
        let text = try get("\(server.url)/?\(query)").text + get("\(server.url)/export.csv?\(query)").text
        for cell in (list.expect.withheld?.must ?? []).flatMap({ list.cells[$0] ?? [] }) where cell.count >= 8 {
            #expect(!text.contains(cell), "\(list.file): \(cell)")
        }
        return seen
    }
}
