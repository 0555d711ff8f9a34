import Foundation
import FoundationXML
import Base
import People
import Publishing
import Server
import Testing

@testable import Site

@Suite("The wall of faces")
struct WallTests {
    /// A wall that was read by a parser of XML.
    private final class Wall: NSObject, XMLParserDelegate {
        var titles: [String] = []
        var addresses: [String] = []
        var texts: [String] = []
        var clips: [String] = []
        var size = ""
        private var text = ""

        init(_ response: Response) throws {
            super.init()
            #expect(response.status == .ok)
            let parser = XMLParser(data: Data(response.text.utf8))
            parser.delegate = self
            #expect(parser.parse(), "\(String(describing: parser.parserError)): \(response.text.prefix(2000))")
        }

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String] = [:]
        ) {
            text = ""
            if size.isEmpty, name == "svg" { size = "\(attributes["width"] ?? "")x\(attributes["height"] ?? "")" }
            if let address = attributes["href"] { addresses.append(address) }
            if let clip = attributes["clip-path"] { clips.append(clip) }
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            if name == "title" { titles.append(text) }
            if name == "text" { texts.append(text) }
        }
    }

    private func client(_ mode: PictureMode = .cache) throws -> SiteClient {
        try SiteClient(store: FakeStore.withPictures()) { $0.pictures = mode }
    }

    private func data(_ type: String, _ bytes: [UInt8]) -> String {
        "data:\(type);base64,\(Data(bytes).base64EncodedString())"
    }

    private var small: String { data("image/webp", Array("RIFF0000WEBPsmall".utf8)) }

    // MARK: The image

    @Test func twoOfThreePeople() throws {
        let response = try client().get("/wall.svg?max=2")
        let wall = try Wall(response)
        #expect(wall.titles == ["People", "Ada Lovelace", "Bo Peep"])
        #expect(wall.texts == ["BP", "+1"])
        #expect(wall.addresses == [small])
        #expect(wall.size == "200x64")
        #expect(response.body.count < 60 << 10)
        let text = response.text.replacing("http://www.w3.org/2000/svg", with: "")
        #expect(!text.contains("http") && !text.contains("//"))
    }

    @Test func everybodyIsShownInRows() throws {
        let wall = try Wall(client().get("/wall.svg?columns=2&size=24"))
        #expect(wall.titles == ["People", "Ada Lovelace", "Bo Peep", "Eve"])
        #expect(wall.texts == ["BP"] && wall.size == "52x52")
    }

    @Test func searchFiltersAndOrderAreThoseOfAPage() throws {
        #expect(try Wall(client().get("/wall.svg?q=eve")).titles == ["People", "Eve"])
        #expect(try Wall(client().get("/wall.svg?sort=name&order=desc&max=1")).titles == ["People", "Eve"])
    }

    @Test func nobodyIsAnEmptyImage() throws {
        let wall = try Wall(client().get("/wall.svg?q=nobody"))
        #expect(wall.titles == ["People"] && wall.size == "64x64")
    }

    @Test func eachKindOfAccountHasItsShape() throws {
        let users = ["User", "Organization", "Bot"].enumerated().map { index, type in
            User.make(Int64(index + 1), more: #"{"type":"\#(type)"}"#)
        }
        let wall = try Wall(SiteClient(users, directories: [.of(.gitHub)]).get("/wall.svg?bots=1"))
        #expect(wall.clips == ["url(#p)", "url(#o)", "url(#b)"])
    }

    @Test func hostileNamesAreText() throws {
        let names = ["<script>alert(1)</script>", "]]>&amp;\"'", "a\u{1}b\u{FFFE}", "\u{202E}</title>"]
        let users = names.enumerated().map { User.make(Int64($0 + 1), "user\($0)", name: $1) }
        let response = try SiteClient(users).get("/wall.svg")
        let wall = try Wall(response)
        #expect(Array(wall.titles.dropFirst()) == [names[0], names[1], "a\u{FFFD}b\u{FFFD}", names[3]])
        #expect(!response.text.contains("<script"))
    }

    // MARK: Pictures

    @Test func largeFacesHaveLargePictures() throws {
        let client = try client()
        #expect(try Wall(client.get("/wall.svg?size=96")).addresses == [small])
        let medium: [UInt8] = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: 100)
        #expect(try Wall(client.get("/wall.svg?size=128")).addresses == [data("image/jpeg", medium)])
        let heavy = try SiteClient(store: FakeStore.withPictures(medium: WallDrawing.maxPictureBytes))
        #expect(try Wall(heavy.get("/wall.svg?size=128")).addresses == [small])
    }

    @Test(arguments: [PictureMode.link, .off])
    func otherServersAreNotNamed(_ mode: PictureMode) throws {
        let response = try client(mode).get("/wall.svg")
        #expect(try Wall(response).texts == ["AL", "BP"])
        #expect(!response.text.contains("a.example"))
    }

    @Test func aDirectoryMayHaveNoPictures() throws {
        let store = try FakeStore.withPictures()
        store.state.withLock { $0.directories[0].settings = .own { $0.pictures = .off } }
        #expect(try Wall(SiteClient(store: store).get("/wall.svg")).addresses.isEmpty)
    }

    @Test func aMissingPictureIsInitials() throws {
        let store = try FakeStore.withPictures()
        store.state.withLock { $0.pictures = [:] }
        #expect(try Wall(SiteClient(store: store).get("/wall.svg")).texts == ["AL", "BP"])
    }

    @Test func theImageIsAtMostTwoMebibytes() throws {
        let users = (Int64(1)...500).map { User.make($0, "user\($0)", name: "Ann \($0)") }
        let store = FakeStore(users)
        let webp = Array("RIFF0000WEBP".utf8) + [UInt8](repeating: 7, count: 8000)
        let picture = try MadePicture(small: webp, medium: [0xFF, 0xD8, 0xFF], large: [0xFF, 0xD8, 0xFF])
        store.state.withLock { state in
            for user in users { state.pictureKeys[user.id] = FakeStore.pictureKey }
            state.pictures[FakeStore.pictureKey] = picture
        }
        let response = try SiteClient(store: store).get("/wall.svg?max=500")
        let wall = try Wall(response)
        #expect(response.body.count <= WallDrawing.maxBytes && response.body.count > WallDrawing.maxBytes - 20_000)
        #expect(wall.titles.count == 501 && wall.addresses.count + wall.texts.count == 500)
        #expect(wall.addresses.count > 100 && wall.texts.count > 100)
    }

    // MARK: The response

    @Test func aCopyIsUsedWhileItIsCurrent() throws {
        let client = try client()
        let response = client.get("/wall.svg")
        for (name, value) in [
            ("Content-Type", "image/svg+xml; charset=utf-8"), ("Cache-Control", "no-cache"),
            ("Content-Security-Policy", "default-src 'none'; img-src data:; sandbox"),
            ("X-Content-Type-Options", "nosniff"), ("X-Robots-Tag", "noindex"),
            ("Cross-Origin-Resource-Policy", "cross-origin"), ("Access-Control-Allow-Origin", "*"),
        ] { #expect(response.fields[name] == value, "\(name)") }
        #expect(client.get("/robots.txt").text.contains("Disallow: /wall.svg\n"))
        let tag = try #require(response.fields["ETag"])
        let known = client.get("/wall.svg", "If-None-Match: \(tag)")
        #expect(known.status == .notModified && known.fields["Cache-Control"] == "no-cache")
        #expect(client.get("/wall.svg?size=65").fields["ETag"] != tag)
        client.store.change { $0.remove(at: 0) }
        #expect(client.get("/wall.svg", "If-None-Match: \(tag)").status == .ok)
    }

    @Test func theEventLoopDoesNotWaitForIt() throws {
        let client = try client()
        #expect(client.isAnsweredByPool("/wall.svg"))
        _ = client.get("/wall.svg")
        #expect(client.get("/wall.svg?size=64&columns=12").origin == .cache)
        #expect(!client.isAnsweredByPool("/wall.svg"))
    }

    @Test func itIsCompressed() throws {
        let response = try client().get("/wall.svg", "Accept-Encoding: gzip")
        #expect(response.fields["Content-Encoding"] == "gzip")
        #expect(response.fields["Vary"]?.contains("Accept-Encoding") == true)
    }

    @Test(arguments: [
        ("columns", "from 1 to 100", ["0", "101", "x", "-1", "1.5", ""]),
        ("max", "from 1 to 500", ["0", "501", "9e9"]),
        ("size", "from 24 to 128", ["23", "129", "99999999999999999999"]),
    ])
    func wrongNumbersAreNamed(_ name: String, _ expected: String, _ values: [String]) throws {
        let client = try client()
        for value in values {
            let response = client.get("/wall.svg?\(name)=\(value)")
            #expect(response.status == .badRequest && response.text.hasPrefix("\(name): "), "\(value)")
            #expect(response.text.contains(expected), "\(response.text)")
            #expect(response.fields["Content-Type"] == "text/plain; charset=utf-8")
        }
        #expect(client.get("/wall.svg?\(name)=30&\(name)=30").status == .badRequest)
    }

    @Test func aPrivateDirectoryOrSiteHasNone() throws {
        let store = try FakeStore.withPictures()
        store.state.withLock { state in
            state.directories.append(.second("secret", title: "Secret"))
            state.directories[1].settings = .own { $0.isPrivate = true }
        }
        let client = try SiteClient(store: store)
        let hidden = client.get("/wall.svg?directory=secret")
        #expect(hidden.status == .notFound && hidden.fields["Cache-Control"] == "no-store")
        #expect(client.get("/wall.svg?directory=nowhere").status == .notFound)
        #expect(try SiteClient(store: store) { $0.makePrivate() }.get("/wall.svg").status == .notFound)
    }

    @Test func theLineToCopyIsOnThePageAboutEmbedding() throws {
        let client = try SiteClient(store: FakeStore.withPictures(), configure: Site.Configuration.belowPeople)
        let line = "[![Contributors](https://example.org/people/wall.svg)](https://example.org/people/)"
        #expect(client.get("/people/embed").text.contains(line))
        #expect(client.get("/people/embed?lang=ko").text.contains(line))
        #expect(try Wall(client.get("/people/wall.svg")).titles.count == 4)
    }
}
