import Base
import Foundation
import FoundationXML
import People
import Testing

@testable import Site

@Suite("Sitemap")
struct SitemapTests {
    private static let crew = Directory.second("a-crew", title: "Crew")

    /// Streams one file, and returns its paths below the root.
    private func paths(_ sections: [Sitemap.Section], of sitemap: Sitemap, from store: FakeStore) throws -> [String] {
        var file = SitemapFile(sections, of: sitemap)
        let buffer = ByteBuffer()
        while try file.appendMore(to: buffer, from: store.makeReader().page) {}
        return try Locations(of: String(buffer)).paths
    }

    @Test func itContainsTheListAndEveryUser() throws {
        let users = [User.make(1), .make(4, "김 & <b>"), .make(9)]
        let response = try SiteClient(users, configure: Site.Configuration.belowPeople).get("/people/sitemap.xml")
        #expect(response.fields["Content-Type"] == "application/xml; charset=utf-8")
        let stream = try #require(response.stream)
        var text = ""
        while case .bytes(let bytes) = stream.next() { text += String(decoding: bytes, as: UTF8.self) }
        #expect(
            try Locations(of: text).all == [
                "https://example.org/people/", "https://example.org/people/users/user1",
                "https://example.org/people/users/%EA%B9%80%20%26%20%3Cb%3E", "https://example.org/people/users/user9",
            ])
    }

    @Test(arguments: [3, 10, 100, 101, 250, 251, 252])
    func everyUserIsInOneFileWhateverTheSize(limit: Int) throws {
        let users = (1...250).map { User.make(Int64($0 * 3)) }
        let store = FakeStore(users)
        let sitemap = Sitemap(
            root: "http://a.example", directories: DirectoryList(store.directories, Site.Configuration()), limit: limit)
        let expected = ["/"] + users.map { "/users/\($0.login)" }
        if let whole = sitemap.whole {
            #expect(limit > 250)
            #expect(try paths(whole, of: sitemap, from: store) == expected)
            return
        }
        let index = ByteBuffer()
        sitemap.appendIndex(to: index)
        let names = try Locations(of: String(index)).paths
        #expect(names == (1...(250 + limit) / limit).map { "/sitemap-people-\($0).xml" })
        let parts = try names.map { name in
            try paths(
                sitemap.part(String(name.dropFirst("/sitemap-".count).dropLast(".xml".count))),
                of: sitemap, from: store)
        }
        #expect(parts.allSatisfy { $0.count <= limit })
        #expect(Array(parts.joined()) == expected)
    }

    @Test func anIndexNamesFiftyThousandFilesAtMost() {
        var directories = [Directory.people, Self.crew]
        directories[0].total = .max
        directories[1].total = 1 << 62
        let sitemap = Sitemap(root: "http://a.example", directories: DirectoryList(directories, Site.Configuration()))
        #expect(sitemap.whole == nil)
        let index = ByteBuffer()
        sitemap.appendIndex(to: index)
        let count = String(index).components(separatedBy: "<loc>").count - 1
        #expect(count == 50_000)
        #expect((try? sitemap.part("people-50000")) != nil && (try? sitemap.part("people-50001")) == nil)
    }

    @Test func directoriesHaveFilesOfTheirOwn() throws {
        let store = FakeStore([.make(1), .make(2)], directories: [.people, Self.crew])
        let directories = DirectoryList(store.directories, Site.Configuration())
        let small = Sitemap(root: "http://a.example", directories: directories, limit: 3)
        #expect(small.whole == nil)
        let crew = try small.part("a-crew-1")
        #expect(try paths(crew, of: small, from: store).first == "/?directory=a-crew")
        let large = Sitemap(root: "http://a.example", directories: directories)
        #expect(try paths(try #require(large.whole), of: large, from: store).count == 6)
        for name in ["", "-", "1", "-1", "people", "people-", "people-0", "people-2", "people-+1", "nobody-1", "x"] {
            #expect(throws: HTTPError.notFound, "\(name)") { try small.part(name) }
        }
    }

    @Test func anEmptySiteHasOnlyItsHomePage() throws {
        let sitemap = Sitemap(root: "http://a.example", directories: DirectoryList([], Site.Configuration()))
        #expect(try paths(try #require(sitemap.whole), of: sitemap, from: FakeStore([])) == ["/"])
    }

    @Test func filesStaySmallWithLongAddresses() {
        let root = "http://" + String(repeating: "a&", count: 2000)
        let none = DirectoryList([], Site.Configuration())
        let sitemap = Sitemap(root: root, directories: none)
        #expect(sitemap.capacity * (2000 * 6 + 900) <= 52_428_800 && sitemap.capacity > 1000)
        #expect(Sitemap(root: "http://a.example", directories: none).capacity == 50_000)
    }

    @Test func anUnchangedSitemapIsNotSentAgain() throws {
        let client = try SiteClient([.make(1)])
        let tag = try #require(client.get("/sitemap.xml").fields["ETag"])
        #expect(client.get("/sitemap.xml", "If-None-Match: \(tag)").status == .notModified)
        #expect(client.get("/sitemap.xml", "If-None-Match: \(tag)", host: "b.example").status == .ok)
        client.store.change { $0.append(.make(2)) }
        #expect(client.get("/sitemap.xml", "If-None-Match: \(tag)").status == .ok)
    }
}

/// The addresses in a sitemap or sitemap index. Throws if it is not XML.
private final class Locations: NSObject, XMLParserDelegate {
    private(set) var all: [String] = []
    private var text = ""

    init(of document: String) throws {
        super.init()
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = self
        if !parser.parse() { throw parser.parserError ?? CocoaError(.formatting) }
    }

    var paths: [String] { all.map { String($0.dropFirst("http://a.example".count)) } }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) { text = "" }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        if name == "loc" { all.append(text) }
    }
}
