import Base
import Foundation
import People
import Server
import Testing

@testable import Site

@Suite("Directories")
struct DirectoriesTests {
    static let crew: Directory = {
        var crew = Directory.second("crew", title: "The <Crew>", source: "stackexchange")
        crew.total = 12_345
        crew.description = "All hands."
        crew.importedAt = 1_763_730_300
        crew.terms = Terms(
            licence: "CC BY-SA 4.0", licenceURL: "https://creativecommons.org/licenses/by-sa/4.0/",
            attribution: "A site", attributionURL: "javascript:alert(1)")
        return crew
    }()

    private func client(_ configure: (inout Site.Configuration) -> Void = { _ in }) throws -> SiteClient {
        try SiteClient([.make(1)], directories: [.people, Self.crew], configure: configure)
    }

    @Test func thePageListsEveryDirectory() throws {
        let response = try client { $0.basePath = "/p" }.get("/p/directories")
        #expect(response.status == .ok)
        for part in [
            #"<h2><a href="/p/" dir="auto">People</a></h2>"#, "<span><b>1</b> person</span> <span>test</span></p>",
            #"<h2><a href="/p/?directory=crew" dir="auto">The &lt;Crew&gt;</a></h2>"#,
            #"<p class="about" dir="auto">All hands.</p>"#,
            "<span><b>12,345</b> people</span> ", "12,346 people in 2 directories.",
            #"<time datetime="2025-11-21T13:05Z" title="2025-11-21 13:05 UTC">21 November 2025</time>"#,
            "<span>From <bdi>A site</bdi></span>",
            #"Licence: <a href="https://creativecommons.org/licenses/by-sa/4.0/" dir="auto">CC BY-SA 4.0</a>"#,
        ] { #expect(response.text.contains(part), "\(part)") }
    }

    @Test func everyDirectoryHasLinksToEmbedAndExport() throws {
        let client = try client { $0.basePath = "/p" }
        for target in ["/p/directories", "/p/users/user1", "/p/embed"] {
            let text = client.get(target).text
            for path in ["/embed", "/export.xlsx", "/export.csv?spreadsheet=1"] {
                #expect(text.contains("<a href=\"/p\(path)\">"), "\(target)")
                #expect(client.get("/p\(path)").status == .ok)
            }
            // The format for programs is in the menus of the directories only.
            #expect(text.contains("NDJSON") == (target == "/p/directories"), "\(target)")
        }
        #expect(client.get("/p/directories").text.contains("<a href=\"/p/export.ndjson\">Download as NDJSON</a>"))
        for target in ["/p/directories", "/p/users/user1?directory=crew"] {
            let link = "<a href=\"/p/export.csv?directory=crew&amp;spreadsheet=1\">Download as CSV</a>"
            #expect(client.get(target).text.contains(link))
        }
    }

    @Test(arguments: ["/", "/embed", "/directories"])
    func directoriesWithTheSameTitleAreDistinguished(target: String) throws {
        var (guests, crew) = (Self.crew, Self.crew)
        (guests.id, guests.slug, guests.title) = (3, Slug(literal: "guests"), "people")
        crew.title = "Crew"
        let text = try SiteClient([.make(1)], directories: [.people, crew, guests]).get(target).text
        // The menu of a list has the other directories.
        for label in ["people (guests)", "Crew"] + (target == "/" ? [] : ["People (people)"]) {
            #expect(text.contains(">\(label)<"), "\(label)")
        }
    }

    @Test func theValidatorDependsOnAllDirectories() throws {
        let client = try client()
        let tag = try #require(client.get("/directories").fields["ETag"])
        #expect(client.get("/directories", "If-None-Match: \(tag)").status == .notModified)
        client.store.state.withLock { $0.directories[1].importedAt = 1_763_730_400 }
        #expect(client.get("/directories", "If-None-Match: \(tag)").status == .ok)
    }

    @Test func anEmptySiteHasThePageToo() throws {
        let client = try SiteClient()
        client.store.state.withLock { $0.directories = [] }
        #expect(client.get("/directories").text.contains("There is no directory yet."))
    }

    @Test(arguments: ["/?directory=crew", "/users/user1?directory=crew"])
    func pagesNameTheSourceOfTheirUsers(target: String) throws {
        let client = try client()
        let text = client.get(target).text
        #expect(text.contains(#"Licence: <a href="https://creativecommons.org/licenses/by-sa/4.0/""#))
        #expect(text.contains("From <bdi>A site</bdi>"), "a URL that would run a script is omitted")
        #expect(text.contains(#"<a href="/directories">All directories</a>"#))
        #expect(!client.get(target.replacing("directory=crew", with: "")).text.contains("Licence:"))
    }

    /// Each card needs a read of the store.
    @Test func thePoolListsDirectories() throws {
        let count = 101
        let directories = (1...count).map { number in
            var directory = Self.crew
            (directory.id, directory.slug) = (Int64(number), Slug("crew\(number)")!)
            return directory
        }
        let client = try SiteClient([.make(1)], directories: directories)
        let text = client.get("/directories").text
        #expect(text.contains("crew2\"") && text.contains("crew\(count)\""))
        #expect(client.isAnsweredByPool("/directories"))
    }

    @Test func cardsShowFacesAndTheTimeInWords() throws {
        let store = FakeStore((1...7).map { .make($0, name: "Ada") }, directories: [.people, Self.crew])
        let now = Int64(Date().timeIntervalSince1970)
        store.state.withLock { $0.directories[1].importedAt = now - 3 * 86_400 - 60 }
        let text = try SiteClient(store: store).get("/directories").text
        #expect(text.components(of: #"<span class="avatar"#).count == 10, "five for each")
        #expect(text.contains(">3 days ago</time>"))
        store.breakDown()
        #expect(try SiteClient(store: store).get("/directories").text.contains("The &lt;Crew&gt;"))
    }

    @Test(
        arguments: [
            (30, "just now"), (180, "3 minutes ago"), (4_000, "1 hour ago"), (10_800, "3 hours ago"),
            (90_000, "yesterday"), (518_400, "6 days ago"), (691_200, "1 January 1970"),
        ] as [(Int64, String)])
    func timesAreRelativeUpToAWeek(seconds: Int64, words: String) throws {
        #expect(CivilTime(secondsSince1970: 0).age(at: seconds, .english) == words)
    }

    @Test func aSingleDirectoryIsNotMentioned() throws {
        let text = try SiteClient([.make(1)]).get("/").text
        #expect(!text.contains("/directories") && !text.contains("Licence"))
    }
}
