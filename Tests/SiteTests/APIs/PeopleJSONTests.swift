import Foundation
import People
import Server
import Testing

@testable import Site

@Suite("People for front ends")
struct PeopleJSONTests {
    private let client: SiteClient
    init() throws { client = try Staff.client { $0.publicURL = "https://people.example" } }

    private let anna =
        #"{"id":1,"handle":"anna-mueller","name":"Anna Müller","url":"https://people.example/users/anna-mueller","#
        + #""type":"person","initials":"AM","picture":null,"fields":{"name":"Anna Müller","title":"Leiterin","#
        + #""department":"Vertrieb","skills":["Swift","Rust"],"joined":"2019-03-01","budget":1234.5,"remote":true,"#
        + #""email":"mailto:anna@example.org","website":"https://anna.example/","about":"Über mich"}"#

    private func page(_ target: String) -> [String: Any] { client.get(target).object }

    @Test func aPageHasTheDirectoryTheFieldsAndThePeople() throws {
        let response = client.get("/people.json?per_page=1")
        let start =
            #"{"directory":{"slug":"team","title":"Our team","url":"https://people.example/"},"total":3,"next":"#
            + #""https://people.example/people.json?since="#
        #expect(response.text.hasPrefix(start))
        #expect(response.text.contains(#","previous":null,"fields":[{"key":"name","label":"{Vorname} {Nachname}","#))
        #expect(response.text.hasSuffix(#","people":["# + anna + "}]}"))
        #expect(!response.text.contains("salary") && !response.text.contains(#""filters""#))
        #expect(response.fields["X-Total-Count"] == "3" && response.fields["ETag"] != nil)
        #expect(response.fields["Access-Control-Allow-Origin"] == "*")
        #expect(response.fields["Link"]?.contains(#"; rel="next""#) == true)
    }

    @Test func theFieldsAreThoseOfFieldsJSON() throws {
        let fields = try #require(page("/people.json")["fields"] as? [[String: String]])
        let described = try #require(page("/fields.json")["fields"] as? [[String: Any]])
        #expect(fields.map { $0["key"] } == described.map { $0["key"] as? String })
        #expect(fields.map { $0["type"] } == described.map { $0["type"] as? String })
    }

    @Test func nextLeadsToEverybodyAndPreviousBack() throws {
        var handles: [String] = []
        var (target, last) = ("/people.json?per_page=1" as String?, "")
        while let current = target {
            let page = page(current)
            handles += try #require(page["people"] as? [[String: Any]]).compactMap { $0["handle"] as? String }
            last = page["previous"] as? String ?? last
            target = (page["next"] as? String)?.replacing("https://people.example", with: "")
        }
        #expect(Set(handles) == ["anna-mueller", "zoe", "kim"] && handles.count == 3)
        #expect(client.get(last.replacing("https://people.example", with: "")).text.contains(handles[1]))
    }

    @Test func labelsAreInTheLanguageOfTheLink() throws {
        #expect(client.get("/people.json?lang=fr").text.contains(#"{"key":"joined","label":"Depuis","type":"date"}"#))
        let response = client.get("/people.json", "Accept-Language: fr")
        #expect(response.text.contains(#""label":"Dabei seit""#) && response.fields["Vary"] == "Accept-Encoding")
    }

    @Test func filtersComeWithTheirCounts() throws {
        let filters =
            #""filters":[{"key":"department","label":"Abteilung","values":[{"value":"Vertrieb","count":2,"#
            + #""chosen":false},{"value":"Technik","count":1,"chosen":false}]}],"people""#
        #expect(client.get("/people.json?filters=1").text.contains(filters))
        client.store.state.withLock { $0.counts = [[1, 1]] }
        let chosen = client.get("/people.json?filters=1&department=Technik")
        #expect(chosen.text.contains(#"{"value":"Technik","count":1,"chosen":true}"#))
        #expect(chosen.fields["Link"]?.contains("filters=1") == true)
    }

    @Test func aSearchWithTooManyMatchesToCountHasNoFilters() throws {
        client.store.state.withLock { $0.counts = [nil] }
        let response = client.get("/people.json?filters=1&q=a")
        #expect(response.status == .ok && !response.text.contains(#""filters":["#))
    }

    @Test func unknownParametersAreErrors() throws {
        for name in ["tracks", "view", "theme", "embed", "utm_source", "salary"] {
            let response = client.get("/people.json?\(name)=1")
            let message = "\(name): unknown; expected a parameter or one of the filters department"
            #expect(response.status == .badRequest && response.text.contains(message), "\(response.text)")
        }
        #expect(client.get("/people.json?filters=yes").text.contains("filters: expected 1, found “yes”"))
        #expect(client.get("/people.json?title=Leiterin").text.contains("title: not a filter; filters are department"))
        let plain = try SiteClient([.make(1)])
        #expect(plain.get("/people.json?tracks=1").text.contains("tracks: unknown; expected a parameter"))
    }

    @Test(arguments: [
        "/", "/fragment", "/people.json", "/api/v3/users", "/export.ndjson", "/export.csv", "/wall.svg",
        "/letters.json", "/events.json", "/fields/department", "/fields/department.json",
    ])
    func aFieldThatIsNoFilterIsAnErrorOnEveryURLWithFilters(_ path: String) throws {
        #expect(client.get("\(path)?title=x").text.contains("title: not a filter"))
        #expect(client.get("\(path)?f.nope=x").text.contains("f.nope: not a filter"))
        #expect((client.get("\(path)?utm_source=x").status == .ok) == (path != "/people.json"))
    }

    @Test func aPersonHasLinksAndABiography() throws {
        let response = client.get("/users/anna-mueller.json")
        #expect(response.text.hasPrefix(anna))
        #expect(response.text.contains(#""url":"mailto:anna@example.org"}"#))
        #expect(response.text.hasSuffix(#""biography":"Über mich"}"#))
        #expect(client.get("/users/kim.json").text.hasSuffix(#""links":[],"biography":null}"#))
        #expect(client.get("/users/nobody.json").text.contains(#""message":"Not Found""#))
        #expect(client.get("/users/kim.json?tracks=1").text.contains("tracks: unknown; expected a parameter"))
        client.store.state.withLock { $0.formerHandles["anna"] = "anna-mueller" }
        #expect(client.get("/users/anna.json").fields["Location"] == "/users/anna-mueller.json")
    }

    @Test func aPictureIsThreeAddresses() throws {
        let eve = User.make(1, "eve", name: "Eve", avatarURL: DrawnPicture.path(ofFace: 7))
        let text = try SiteClient([eve]).get("/people.json").text
        let face = "http://people.example/pictures/faces/7.svg"
        #expect(text.contains(#""picture":{"small":"\#(face)","medium":"\#(face)","large":"\#(face)"}"#))
    }
}
