import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("The sitemap of a running server", .onThreadsForPrograms)
final class SitemapTests: Stage {
    private func addresses(_ text: String) -> [Substring] {
        text.matches(of: /<loc>([^<]*)<\/loc>/).map(\.1)
    }

    @Test func forgottenUsersAreRemovedFromIt() throws {
        try load("id,login\n1,ada\n2,grace\n")
        let server = try serve("--public-url", "https://people.example")
        let before = try get(server.url + "/sitemap.xml")
        #expect(addresses(before.text).contains("https://people.example/users/ada"))
        #expect(try rollcall("forget", "ada").status == 0)
        try eventually { try !get(server.url + "/sitemap.xml").text.contains("/ada<") }
        let tag = try #require(before.fields["etag"])
        try eventually { try get(server.url + "/sitemap.xml", "If-None-Match: \(tag)").status == 200 }
        #expect(try addresses(get(server.url + "/sitemap.xml").text).last == "https://people.example/users/grace")
    }
}
