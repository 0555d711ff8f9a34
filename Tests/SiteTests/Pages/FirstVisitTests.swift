import TestSupport
import Testing

@testable import Site
@testable import Template

@Suite("A first visit")
final class FirstVisitTests: TestFolder {
    private let client: SiteClient

    override init() throws {
        client = try SiteClient([.make(1), .make(2)])
        try super.init()
    }

    /// Returns the file that a page names, under its name with a hash.
    private func file(_ name: String, on page: String, _ client: SiteClient) throws -> String {
        let names = client.get(page).text.matches(of: /"(\/([a-z]+)\.[0-9a-f]{16}(\.[a-z]+))"/)
        let path = try #require(names.first { "\($0.2)\($0.3)" == name }, "\(name)").1
        return client.get(String(path)).text
    }

    @Test func scriptsAreJoinedUnderNamesWithAHashOnly() throws {
        let parts = [
            "start.js": ("/", ["sentinel.js", "list.js"]), "rest.js": ("/", ["place.js", "live.js", "pictures.js"]),
            "person.js": ("/users/user1", ["list.js", "pictures.js", "person.js"]),
        ]
        for (name, (page, parts)) in parts {
            let whole = try file(name, on: page, client)
            let expected = parts.map { client.get("/\($0)").text }.joined(separator: ";\n")
            #expect(whole == expected && !whole.isEmpty, "\(name)")
        }
        #expect(client.get("/start.js").status == .notFound && client.get("/rest.js").status == .notFound)
        #expect(client.get("/sentinel.js").status == .ok)
        #expect(!client.get("/users/user1").text.contains("/start."))
    }

    @Test func aReplacedPartIsJoinedAsReplaced() throws {
        try write("list.js", "own()")
        let client = try SiteClient([.make(1)], assets: Assets(publicFolder: folder.path, templatesFolder: nil))
        #expect(try file("start.js", on: "/", client).hasSuffix(";\nown()"))
        #expect(try file("person.js", on: "/users/user1", client).hasPrefix("own();\n"))
    }

    @Test(arguments: ["/", "/?q=user", "/users/user1"])
    func pagesOfPeopleNameWhatABrowserMayFetchEarly(path: String) throws {
        let page = client.get(path)
        let rules = try #require(page.fields["Speculation-Rules"])
        #expect(rules.wholeMatch(of: /"\/speculation\.[0-9a-f]{16}\.json"/) != nil)
        let file = client.get(String(rules.dropFirst().dropLast()))
        #expect(file.fields["Content-Type"] == "application/speculationrules+json")
        #expect(file.text.contains(#""eagerness":"moderate""#))
        // A reader who saves data gets another response.
        #expect(page.fields["Vary"]?.contains("Save-Data") == true)
        let saving = client.get(path, "Save-Data: on")
        #expect(saving.fields["Speculation-Rules"] == nil && saving.fields["ETag"] != page.fields["ETag"])
    }

    @Test(arguments: ["/?embed=1", "/fragment", "/nowhere", "/users/nobody", "/directories", "/keys", "/api/v3/users"])
    func otherResponsesDoNot(path: String) { #expect(client.get(path).fields["Speculation-Rules"] == nil) }

    @Test func privateSitesDoNot() throws {
        let client = try SiteClient([.make(1)]) { $0.makePrivate() }
        #expect(client.get("/").status == .ok && client.get("/").fields["Speculation-Rules"] == nil)
    }
}
