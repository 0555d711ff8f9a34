import Base
import Foundation
import FoundationXML
import People
import Server
import TestSupport
import Testing

@testable import Site

@Suite("Pictures that Rollcall draws")
struct DrawnPictureTests {
    let client: SiteClient

    init() throws { client = try SiteClient([.make(1, "ada")]) }

    // MARK: Initials

    @Test func initialsAreDrawnOnTheirHue() {
        let response = client.get("/pictures/initials/7/AB.svg")
        #expect(
            response.text == """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><path fill="#b0eaf4" d="M0 0h96v96H0z"/>\
                <text x="48" y="48" dy=".36em" fill="#004b56" font-family="system-ui,sans-serif" font-size="36" \
                font-weight="600" text-anchor="middle">AB</text></svg>
                """)
        #expect(response.fields["Content-Type"] == "image/svg+xml; charset=utf-8")
        #expect(response.fields["Cache-Control"] == "public, max-age=31536000, immutable")
        #expect(response.fields["Content-Security-Policy"] == "default-src 'none'; sandbox")
        #expect(response.fields["Cross-Origin-Resource-Policy"] == "cross-origin")
        #expect(response.fields["Access-Control-Allow-Origin"] == "*")
        #expect(response.fields["X-Content-Type-Options"] == "nosniff")
        #expect(response.fields["X-Robots-Tag"] == "noindex")
    }

    /// Letters of any script, symbols, and no letters at all, for a name without any.
    @Test(arguments: [
        "0/%EB%8B%A4%EC%9D%80", "11/%D8%B3", "3/%F0%9F%91%A9%F0%9F%8F%BD%E2%80%8D%F0%9F%9A%80", "4/", "10/a",
        "7/AB.svg?s=80", "7/AB.svg?x=1&s=80",
    ])
    func everyAddressOfInitialsIsWellFormed(_ address: String) throws {
        let path = address.contains(".svg") ? address : address + ".svg"
        let response = client.get("/pictures/initials/\(path)")
        #expect(response.status == .ok)
        #expect(XMLParser(data: Data(response.text.utf8)).parse())
    }

    @Test func markupIsEscaped() {
        #expect(client.get("/pictures/initials/1/%3C%26.svg").text.hasSuffix(">&lt;&amp;</text></svg>"))
    }

    @Test(arguments: [
        "12/AB", "-1/AB", "07/AB", "x/AB", "/AB", "AB", "7/ABC", "7/A%00", "7/A%0A", "7/%E2%80%A8", "7/%FF", "7/A/B",
        "7/%2F", "7/A%CC", "7/%EF%BF%BF", "7/A" + String(repeating: "%CC%81", count: 40),
    ])
    func anyOtherAddressIsNotFound(_ path: String) {
        let response = client.get("/pictures/initials/\(path).svg")
        #expect(response.status == .notFound, "\(path)")
        #expect(response.fields["Cache-Control"] == "no-store")
    }

    // MARK: Faces

    /// The sums of the program that these faces were designed with.
    @Test func facesAreTheSameEverywhere() {
        let sums: [(Int, UInt64)] = [
            (1, 0x1c69_442c_2936_cd82), (17, 0x7409_3135_442c_9a01), (44, 0x3d71_6fa6_3b6c_0741),
            (10_000, 0x0c8a_2c6a_21b8_9f76),
        ]
        for (number, sum) in sums { #expect(Self.sum([number]) == sum, "\(number)") }
        #expect(Self.sum(1...600) == 0x873a_0b84_4375_49a0)
        #expect(Self.sum(DrawnPicture.faces) == 0x2135_3b9e_77d3_45fc)
    }

    /// FNV-1a of the drawings, one after the other.
    private static func sum(_ numbers: some Sequence<Int>) -> UInt64 {
        let buffer = ByteBuffer()
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for number in numbers {
            buffer.removeAll()
            Face(number).append(to: buffer)
            for byte in buffer.bytes { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        }
        return sum
    }

    @Test(arguments: ["1", "10000", "7"])
    func facesAreServed(_ number: String) {
        let response = client.get("/pictures/faces/\(number).svg")
        #expect(response.status == .ok && response.text.hasPrefix("<svg xmlns="))
        #expect(XMLParser(data: Data(response.text.utf8)).parse())
        #expect(response.fields["Cache-Control"] == "public, max-age=31536000, immutable")
    }

    @Test(arguments: ["0", "10001", "01", "-1", "1.5", "", "x", "999999999999999999999", "1/2", "%31"])
    func thereAreNoOtherFaces(_ number: String) {
        #expect(client.get("/pictures/faces/\(number).svg").status == .notFound)
    }

    // MARK: Both

    @Test(arguments: ["/pictures/initials/7/AB.svg", "/pictures/faces/7.svg"])
    func picturesAreRevalidated(_ path: String) throws {
        let whole = client.get(path)
        let tag = try #require(whole.fields["ETag"])
        #expect(client.get(path, "If-None-Match: \(tag)").status == .notModified)
        #expect(client.get(path, "If-None-Match: \"x\"").status == .ok)
        #expect(client.get(path, "If-Match: \"x\"").status == .preconditionFailed)
        #expect(whole.fields["Vary"] == "Accept-Encoding")
    }

    @Test func facesAreCompressed() throws {
        let whole = client.get("/pictures/faces/7.svg")
        let compressed = client.get("/pictures/faces/7.svg", "Accept-Encoding: gzip")
        #expect(compressed.fields["Content-Encoding"] == "gzip" && compressed.body.count < 700)
        #expect(compressed.fields["ETag"] == whole.fields["ETag"].map { $0.dropLast() + "-gz\"" })
    }

    @Test func privateSitesKeepTheirPicturesToThemselves() throws {
        let response = try SiteClient([.make(1, "ada")]) { $0.makePrivate() }.get("/pictures/faces/7.svg")
        #expect(response.fields["Cache-Control"] == "private, no-store")
        #expect(response.fields["Access-Control-Allow-Origin"] == nil)
        #expect(response.fields["Cross-Origin-Resource-Policy"] == "same-origin")
    }

    // MARK: In lists

    private func client(of user: User, basePath: String = "") throws -> SiteClient {
        try SiteClient([user]) { $0.basePath = basePath }
    }

    @Test func usersWithoutAPictureHaveTheAddressOfTheirInitialsInJSON() throws {
        let user = User(id: 3, login: "ada", name: "Ada Lovelace")
        let client = try client(of: user, basePath: "/p")
        let address = "http://people.example/p/pictures/initials/\(Profile.hue(of: 3))/AL.svg"
        #expect(client.get("/p/api/v3/users").text.contains(#""avatar_url":"\#(address)","gravatar_id":"""#))
        #expect(client.get("/p/api/v3/users/ada").text.contains(#""avatar_url":"\#(address)""#))
        #expect(client.get("/p/2.3/users").text.contains(#""profile_image":"\#(address)""#))
        #expect(client.get("/p/api/character").text.contains(#""image":"\#(address)""#))
        #expect(client.get(String(address.dropFirst("http://people.example".count))).status == .ok)
        #expect(!client.get("/p/").text.contains("<img"))
    }

    @Test func usersWithoutAPageElsewhereHaveTheOneHere() throws {
        let client = try client(of: User(id: 3, login: "ada b", name: "Ada"), basePath: "/p")
        #expect(client.get("/p/api/v3/users").text.contains(#""html_url":"http://people.example/p/users/ada%20b""#))
    }

    @Test(arguments: [
        "김민수", "أحمد منصور", "<b>Bold</b> & \"Quoted\"", "-_-", "👩🏽‍🚀 🏳️‍🌈", "ß ß", "/ %", "\u{1D4D5} \u{1D543}",
    ])
    func everyNameHasAPicture(_ name: String) throws {
        let client = try client(of: User(id: 3, login: "x", name: name))
        let text = client.get("/api/v3/users").text
        let address = try #require(text.firstMatch(of: /"avatar_url":"http:\/\/people.example([^"]*)"/)?.1)
        #expect(client.get(String(address)).status == .ok, "\(address)")
    }

    @Test func facesAreBelowTheBasePathInPagesAndAbsoluteInJSON() throws {
        let user = User(id: 3, login: "ada", name: "Ada", avatarURL: DrawnPicture.path(ofFace: 12))
        let client = try client(of: user, basePath: "/p")
        for path in ["/p/", "/p/fragment", "/p/users/ada"] {
            #expect(client.get(path).text.contains(#"<img src="/p/pictures/faces/12.svg""#), "\(path)")
        }
        let absolute = "http://people.example/p/pictures/faces/12.svg"
        #expect(client.get("/p/fragment?embed=html").text.contains(#"<img src="\#(absolute)""#))
        #expect(client.get("/p/api/v3/users").text.contains(#""avatar_url":"\#(absolute)""#))
        // Programs that show links to pages take no SVG.
        #expect(!client.get("/p/users/ada").text.contains("og:image"))
    }

    @Test(arguments: ["/pictures/faces/0.svg", "/pictures/faces/1.svg/../../x", "/logo", "//evil.example/1.svg"])
    func otherPathsAreNoPictures(_ path: String) throws {
        let client = try client(of: User(id: 3, login: "ada", name: "Ada", avatarURL: path))
        #expect(!client.get("/").text.contains("<img"))
    }
}
