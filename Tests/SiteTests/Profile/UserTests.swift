import Foundation
import People
import Server
import Testing

@testable import Site

@Suite("User pages")
struct UserTests {
    let client: SiteClient
    init() throws {
        client = try SiteClient([
            .make(
                3, "Ada", name: "Ada Lovelace",
                more: #"{"node_id":"MDQ6","location":"London","followers":12,"extra":{"a":[1,2]}}"#), .make(5, "김-1"),
        ])
    }

    @Test func aPageShowsTheProfile() {
        let page = client.get("/users/ada").text
        #expect(page.contains("Ada Lovelace") && page.contains("London") && page.contains("Followers"))
        #expect(page.contains(#"class="crumb" href="/""#))
        #expect(client.get("/users/%EA%B9%80-1").text.contains(#"class="crumb" href="/?since=3""#))
        #expect(!page.contains("MDQ6"))
    }

    @Test func aPageLinksToThePreviousAndNextUser() throws {
        let client = try SiteClient([.make(2), .make(4, name: "Four"), .make(9)])
        let middle = client.get("/users/user4").text
        #expect(middle.contains(#"<link rel="prev" href="/users/user2">"#))
        #expect(middle.contains(#"<link rel="next" href="/users/user9">"#))
        let previous = try #require(middle.firstRange(of: #"<a rel="prev" href="/users/user2">"#)).upperBound
        #expect(middle[previous...].contains(#"<small>Before</small> <strong dir="auto">user2</strong>"#))
        #expect(middle.contains("<p>2 of 3</p>"))
        let first = client.get("/users/user2").text
        #expect(!first.contains(#"rel="prev""#) && first.contains(#"<strong dir="auto">Four</strong>"#))
        #expect(!client.get("/users/user9").text.contains(#"rel="next""#))
        #expect(client.get("/users/user4?directory=people").text.contains(#"rel="next" href="/users/user9""#))
    }

    @Test func usersWithTheSameLoginLinkToEachOther() throws {
        let client = try SiteClient([.make(1, "c", name: "First"), .make(2, "c", name: "Second"), .make(3, "d")])
        let newer = client.get("/users/c").text
        #expect(newer.contains("<dd>2</dd>") && newer.contains("<h2>Others with this login</h2>"))
        #expect(newer.contains(#"<a href="/users/c?id=1"><span class="avatar"#))
        #expect(newer.contains("<bdi>First</bdi> <small>1</small>"))
        #expect(newer.contains(#"<link rel="prev" href="/users/c?id=1">"#))
        #expect(newer.contains(#"<link rel="next" href="/users/d">"#))
        let older = client.get("/users/c?id=1").text
        #expect(older.contains("<dd>1</dd>") && older.contains("<bdi>Second</bdi> <small>2</small>"))
        #expect(older.contains(#"href="/api/v3/users/c?id=1""#))
        #expect(client.get("/users/c?id=2").text.contains("<dd>2</dd>"))
        #expect(client.get("/api/v3/users/c?id=1").text.contains(#""name":"First""#))
        #expect(client.get("/api/v3/users/c").text.contains(#""name":"Second""#))
        for target in ["/users/c?id=3", "/users/c?id=9", "/api/v3/users/c?id=3"] {
            #expect(client.get(target).status == .notFound)
        }
        #expect(client.get("/users/c?id=x").status == .badRequest && client.get("/users/c?id=0").status == .badRequest)
        #expect(!client.get("/users/d?id=3").text.contains("Others with this login"))
    }

    @Test func aRemovedNeighbourIsNoLongerLinked() throws {
        let client = try SiteClient([.make(2), .make(4), .make(9)])
        #expect(client.get("/users/user2").text.contains("/users/user4"))
        client.store.change { $0.remove(at: 1) }
        let page = client.get("/users/user2").text
        #expect(!page.contains("user4") && page.contains("/users/user9"))
    }

    @Test func aPageHasMetadataForPrograms() throws {
        let more =
            #"{"html_url":"https://b.example/ada","location":"London","company":"Analytical Engines","blog":"ada.example","bio":"Poetical science"}"#
        let ada = User.make(3, "ada", name: "Ada Lovelace", avatarURL: "https://a.example/ada.png", more: more)
        let client = try SiteClient([ada], directories: [.of(.gitHub)]) {
            ($0.publicURL, $0.pictures) = ("https://people.example", .link)
        }
        let page = client.get("/users/ada").text
        for line in [
            #"<link rel="canonical" href="https://people.example/users/ada">"#,
            #"<meta property="og:type" content="profile">"#, #"<meta property="og:title" content="Ada Lovelace">"#,
            #"<meta property="og:image" content="https://a.example/ada.png">"#,
            #"<meta property="og:url" content="https://people.example/users/ada">"#,
            #"<meta property="profile:username" content="ada">"#,
        ] { #expect(page.contains(line), "\(line)") }
        let object = try linkedData(page)
        #expect(object["@type"] as? String == "Person")
        #expect(object["name"] as? String == "Ada Lovelace")
        #expect(object["alternateName"] as? String == "ada")
        #expect(object["url"] as? String == "https://people.example/users/ada")
        #expect(object["sameAs"] as? [String] == ["https://b.example/ada", "https://ada.example"])
        #expect((object["homeLocation"] as? [String: String])?["name"] == "London")
        #expect((object["worksFor"] as? [String: String])?["name"] == "Analytical Engines")
    }

    @Test func aVCardSaysOfSomebodyOfAServiceWhatThePageSays() throws {
        let more =
            #"{"location":"London","company":"Analytical Engines","blog":"ada.example","bio":"Poetical science"}"#
        let client = try SiteClient([.make(3, "ada", name: "Ada Lovelace", more: more)])
        let lines = client.get("/users/ada.vcf").text.components(separatedBy: "\r\n")
        for line in [
            "ORG:Analytical Engines", "ADR;TYPE=home:;;;London;;;", "URL:https://ada.example", "NOTE:Poetical science",
        ] { #expect(lines.contains(line), "\(line)") }
    }

    /// Only organizations have a location of their own, software has none, and only persons work for an employer.
    @Test(arguments: [
        ("Organization", "Organization", "location"), ("bot", "SoftwareApplication", nil),
        ("Mannequin", "Person", "homeLocation"),
    ])
    func theMetadataDependsOnTheAccountType(type: String, expected: String, place: String?) throws {
        let user = User.make(3, "acme", more: #"{"type":"\#(type)","location":"London","company":"Acme"}"#)
        let page = try SiteClient([user], directories: [.of(.gitHub)]).get("/users/acme").text
        let object = try linkedData(page)
        #expect(object["@type"] as? String == expected && object["name"] as? String == "acme")
        #expect(object.keys.filter { $0.lowercased().contains("location") } == [place].compactMap { $0 })
        let isPerson = expected == "Person"
        #expect((object["worksFor"] != nil) == isPerson)
        #expect(page.contains("<meta property=\"og:type\" content=\"\(isPerson ? "profile" : "website")\">"))
        #expect(page.contains("profile:username") == isPerson)
    }

    @Test func withoutAPublicURLThereAreNoAbsoluteURLs() throws {
        let page = client.get("/users/ada").text
        #expect(!page.contains("og:url") && !page.contains("canonical"))
        #expect(try linkedData(page)["url"] == nil)
    }

    @Test(arguments: ["</script><script>x", "<!--<script>", "\"}</script>", "\\", "a\u{2028}b", "&lt;/script&gt;"])
    func noNameBreaksOutOfTheMetadata(_ text: String) throws {
        let more = try JSONSerialization.data(withJSONObject: ["bio": text, "location": text, "company": text])
        let user = User.make(
            1, "a", name: text, avatarURL: "https://a.example/?" + text.replacing("\u{2028}", with: ""),
            more: String(decoding: more, as: UTF8.self))
        let object = try linkedData(try SiteClient([user]) { $0.pictures = .link }.get("/users/a").text)
        #expect(object["name"] as? String == text && object["description"] as? String == text)
        #expect(object["image"] as? String == user.avatarURL)
    }

    /// The content of the page's JSON-LD block, which ends at the first end tag, as in browsers.
    private func linkedData(_ page: String) throws -> [String: Any] {
        let start = try #require(page.range(of: #"<script type="application/ld+json">"#)).upperBound
        let text = page[start...]
        let end = try #require(text.range(of: "</script", options: .caseInsensitive)).lowerBound
        #expect(!page[start..<end].contains("<"))
        return try #require(JSONSerialization.jsonObject(with: Data(text[..<end].utf8)) as? [String: Any])
    }

    @Test func loginsOfAnyScriptAreFound() {
        #expect(client.get("/users/%EA%B9%80-1").status == .ok)
        #expect(client.get("/users/nobody").status == .notFound)
        #expect(client.get("/users/").status == .notFound)
        #expect(client.get("/users/ada/").status == .notFound)
    }

    @Test func jsonHasAllOfGitHubsKeys() throws {
        let text = client.get("/api/v3/users/ADA").text
        for member in [
            #""login":"Ada""#, #""id":3"#, #""node_id":"MDQ6""#, #""location":"London""#, #""followers":12"#,
            #""extra":{"a":[1,2]}"#, #""user_view_type":null"#, #""bio":null"#, #""updated_at":null"#,
            #""gravatar_id":"""#, #""site_admin":false"#,
        ] { #expect(text.contains(member)) }
    }

    @Test func urlsPointToThisServerUnlessTheSourceHasThem() throws {
        let client = try SiteClient([
            .make(1, "김", more: #"{"url":"https://api.github.com/users/x","repos_url":"https://api.github.com/r"}"#)
        ]) { $0.basePath = "/people" }
        let object = client.get("/people/api/v3/users/%EA%B9%80").object
        let url = "http://people.example/people/api/v3/users/%EA%B9%80"
        #expect(object["url"] as? String == url && object["gists_url"] as? String == url + "/gists{/gist_id}")
        #expect(object["repos_url"] as? String == "https://api.github.com/r")
    }

    @Test func gitHubKeysNeverHoldObjects() throws {
        let client = try SiteClient([
            .make(1, "rick", more: #"{"location":{"name":"Earth","url":"x"},"bio":[1],"origin":{"a":1}}"#)
        ])
        let object = client.get("/api/v3/users/rick").object
        #expect(object["location"] as? String == "Earth")
        #expect(object["bio"] is NSNull)
        #expect(object["origin"] as? [String: Int] == ["a": 1])
    }

    @Test func aListHasTheShorterObjects() throws {
        let list = try #require(
            try JSONSerialization.jsonObject(with: Data(client.get("/api/v3/users").text.utf8)) as? [[String: Any]])
        #expect(list.map { $0["id"] as? Int } == [3, 5])
        #expect(list[0]["followers"] == nil)
        #expect(list[0].keys.contains("received_events_url"))
    }

    @Test func anIDLeadsToTheSameObject() throws {
        let byID = client.get("/api/v3/user/3")
        #expect(byID.status == .ok && byID.text == client.get("/api/v3/users/ada").text)
        #expect(client.get("/api/v3/user/3?directory=people").text == byID.text)
        #expect(client.get("/api/v3/user/3?directory=nowhere").status == .notFound)
    }

    @Test func aLoginIsNotAnID() throws {
        let client = try SiteClient([.make(1, "2"), .make(2, "1")])
        #expect(client.get("/api/v3/user/1").text.hasPrefix(#"{"login":"2","id":1,"#))
        #expect(client.get("/api/v3/users/1").text.hasPrefix(#"{"login":"1","id":2,"#))
    }

    @Test(arguments: [
        "users/nobody", "user/4", "user/0", "user/-3", "user/3/", "user/", "user", "user/ada",
        "user/99999999999999999999",
    ])
    func aMissingUserGetsTheNotFoundErrorOfGitHub(_ path: String) throws {
        let response = client.get("/api/v3/" + path)
        #expect(response.status == .notFound && response.object["message"] as? String == "Not Found")
    }
}

@Suite("Errors")
struct FailureTests {
    @Test func anErrorHasTheRequestedFormat() throws {
        let client = try SiteClient([.make(1)])
        #expect(client.get("/?per_page=0").text.hasPrefix("<!doctype html>"))
        #expect(client.get("/fragment?per_page=0").text.hasPrefix(#"<p role="alert">"#))
        #expect(client.get("/api/v3/users?per_page=0").text.hasPrefix(#"{"message":"per_page"#))
    }

    @Test func onlyAnErrorThatMayPassHasALinkThatTriesAgain() throws {
        let client = try SiteClient([.make(1)])
        for target in ["/fragment?since=abc", "/?since=abc", "/fragment?directory=nowhere", "/nowhere"] {
            let text = client.get(target).text
            #expect(!text.contains("Try again"), "\(target)")
            #expect(text.contains("since: expected") || text.contains("There is nothing here"), "\(target)")
        }
        client.store.breakDown()
        #expect(
            client.get("/fragment?since=1&q=%22").text.contains(
                #"<a href="/fragment?since=1&amp;q=%22">Try again</a>"#))
        #expect(client.get("/?since=1").text.contains(#"href="/?since=1">Try again</a>"#))
    }

    @Test func aBrokenDatabaseShowsAnIDAndNoInternals() throws {
        let client = try SiteClient([.make(1)])
        client.store.breakDown()
        let response = client.get("/")
        #expect(response.status == .serviceUnavailable && response.fields["Retry-After"] == "5")
        let id = try #require(response.fields["X-Request-Id"])
        #expect(response.text.contains("<code>\(id)</code>") && !response.text.contains("Unreadable"))
        let json = client.get("/api/v3/users")
        #expect(json.object["error_id"] as? String == json.fields["X-Request-Id"].map { "\($0)" })
        #expect(client.get("/readyz").status == .serviceUnavailable)
        #expect(client.get("/healthz").status == .ok)
    }

    @Test func aRejectedRequestGetsTheFormatOfItsTarget() throws {
        let client = try SiteClient()
        let rejection = RejectedRequest(.methodNotAllowed, "expected GET", target: Array("/api/v3/users?x".utf8))
        #expect(client.responder.respond(to: rejection).text.hasPrefix(#"{"message":"expected GET""#))
    }
}

@Suite("Static files")
struct StaticFilesTests {
    let client: SiteClient
    init() throws { client = try SiteClient() }

    @Test(arguments: [
        "/../Package.swift", "/%2e%2e/Package.swift", "//etc/passwd", "/style.css/", "/Style.css", "/style.css%00",
        "/..%2fsecret.txt", "/.hidden", "/%2ehidden", "/style.css/../../secret.txt", "/%5c..%5csecret.txt", "/%00",
        "/./style.css/", "/%252e%252e/secret.txt", "/....//secret.txt", "/C:/secret.txt",
    ])
    func otherPathsAreNotFiles(_ path: String) {
        #expect(client.get(path).status == .notFound)
    }

    @Test func aFileOfFourGibibytesIsNotCompressed() {
        #expect(StaticFiles.compresses("people.json", bytes: Int(UInt32.max)))
        #expect(!StaticFiles.compresses("people.json", bytes: 1 << 32))
        #expect(!StaticFiles.compresses("people.png", bytes: 1))
    }
}
