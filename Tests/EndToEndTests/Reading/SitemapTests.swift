import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("The sitemap of a running server", .onThreadsForPrograms)
struct SitemapTests {
    private func addresses(_ text: String) -> [Substring] {
        text.matches(of: /<loc>([^<]*)<\/loc>/).map(\.1)
    }

    @Test func manyUsersAreSplitIntoSeveralFiles() throws {
        let server = try RollcallProcess.demo(users: 50_001)
        let index = try curl(server.url + "/sitemap.xml")
        #expect(index.status == 200 && index.text.contains("<sitemapindex"))
        let files = try addresses(index.text).map { try curl("--compressed", String($0)) }
        #expect(files.map { addresses($0.text).count } == [50_000, 2])
        let first = addresses(files[0].text)
        #expect(first[0] == server.url + "/")
        #expect(Set(first + addresses(files[1].text)).count == 50_002)
        #expect(try curl(String(addresses(files[1].text)[1])).status == 200)
        #expect(
            try curl("--http1.0", server.url + "/robots.txt").text.hasSuffix("Sitemap: \(server.url)/sitemap.xml\n"))
    }

    @Test func forgottenUsersAreRemovedFromIt() async throws {
        let database = FileManager.default.temporaryDirectory.appending(path: "rollcall-sitemap-\(UUID().uuidString)")
            .path
        let people = Data("id,login\n1,ada\n2,grace\n".utf8)
        #expect(
            try run(binary(), ["import", "file", "-", "--directory", "people", "--database", database], input: people)
                .status == 0)
        let server = try RollcallProcess(["serve", "--database", database, "--public-url", "https://people.example"])
        let before = try curl(server.url + "/sitemap.xml")
        #expect(addresses(before.text).contains("https://people.example/users/ada"))
        #expect(try run(binary(), ["forget", "ada", "--database", database]).status == 0)
        try await eventually { try !curl(server.url + "/sitemap.xml").text.contains("/ada<") }
        let tag = try #require(before.fields["etag"])
        try await eventually { try curl("-H", "If-None-Match: \(tag)", server.url + "/sitemap.xml").status == 200 }
        #expect(try addresses(curl(server.url + "/sitemap.xml").text).last == "https://people.example/users/grace")
    }

    @Test func noindexDisablesIt() throws {
        let server = try RollcallProcess.demo(users: 10, ["--noindex"])
        #expect(try curl(server.url + "/robots.txt").text == "User-agent: *\nDisallow: /\n")
        #expect(try curl(server.url + "/sitemap.xml").status == 404)
        #expect(try curl(server.url).fields["x-robots-tag"] == "noindex")
    }
}
