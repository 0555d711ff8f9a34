import Base
import HTTPClient
import Testing

@testable import Pictures

@Suite("Requests for pictures")
struct PictureRequestTests {
    @Test(arguments: [
        ("https://avatars.githubusercontent.com/u/1?v=4", "https://avatars.githubusercontent.com/u/1?v=4&s=512"),
        ("https://avatars2.githubusercontent.com/u/1?s=40&v=4", "https://avatars2.githubusercontent.com/u/1?v=4&s=512"),
        ("https://avatars.githubusercontent.com/u/1", "https://avatars.githubusercontent.com/u/1?s=512"),
        (
            "https://www.gravatar.com/avatar/0f?s=256&d=identicon&r=PG",
            "https://www.gravatar.com/avatar/0f?r=PG&s=512&d=404"
        ),
        ("http://gravatar.com/avatar/0f?default=mm&size=20&f=y", "http://gravatar.com/avatar/0f?s=512&d=404"),
        ("https://i.sstatic.net/Ab1.png?s=256", "https://i.sstatic.net/Ab1.png?s=512"),
        ("https://i.stack.imgur.com/Ab1.jpg?s=128&g=1", "https://i.stack.imgur.com/Ab1.jpg?g=1&s=512"),
        ("https://example.org/a.png?s=40", "https://example.org/a.png?s=40"),
        ("https://notgravatar.com/avatar/0f?s=40", "https://notgravatar.com/avatar/0f?s=40"),
        ("https://githubusercontent.com.example.org/u/1", "https://githubusercontent.com.example.org/u/1"),
        ("https://example.org/Zoë.png", "https://example.org/Zo%c3%ab.png"),
        ("https://example.org/a.png#face", "https://example.org/a.png"),
    ])
    func servicesAreAskedForTheSizeNeeded(_ text: String, _ expected: String) throws {
        #expect(try PictureRequest.address(of: text).text == expected)
    }

    @Test(arguments: [
        "ftp://example.org/a", "file:///etc/passwd", "https://me:pw@example.org/a", "/a.png", "data:,x", "",
    ])
    func otherAddressesAreNotAsked(_ text: String) {
        #expect(throws: RollcallError.self) { try PictureRequest.address(of: text) }
    }

    @Test func aRedirectIsResolvedAndAskedForTheSizeNeeded() throws {
        let start = try WebAddress("https://github.com/ada.png")
        let link = "https://avatars.githubusercontent.com/u/1?v=4"
        #expect(try PictureRequest.address(following: link, from: start).text == link + "&s=512")
        #expect(try PictureRequest.address(following: "/b.png", from: start).text == "https://github.com/b.png")
        for link in ["file:///etc/passwd", "gopher://example.org/", "http://me@example.org/"] {
            #expect(throws: RollcallError.self) { try PictureRequest.address(following: link, from: start) }
        }
    }

    @Test func validatorsAreSentToTheURLTheyCameFromOnly() throws {
        let (here, there) = (try WebAddress("https://a.org/1?s=512"), try WebAddress("https://a.org/1?s=256"))
        let both = ClientAnswer(status: 200, fields: ["etag": "\"v1\"", "last-modified": "Mon"])
        let validators = PictureValidators(of: both, from: here)
        #expect(validators.fields(for: here).map(\.value) == ["\"v1\""])
        #expect(validators.fields(for: there).isEmpty)
        let date = PictureValidators(of: ClientAnswer(status: 200, fields: ["last-modified": "Mon"]), from: here)
        #expect(date.fields(for: here).map(\.name) == ["If-Modified-Since"])
        #expect(PictureValidators(of: ClientAnswer(status: 200), from: here) == PictureValidators())
        #expect(PictureValidators().fields(for: here).isEmpty)
    }
}
