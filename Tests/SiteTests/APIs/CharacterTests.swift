import Foundation
import People
import Server
import Testing

@testable import Site

@Suite("Rick and Morty API")
struct CharacterTests {
    static let record =
        #"{"status":"Alive","species":"Human","gender":"Male","origin":{"name":"Earth (C-137)","url":"https://r.example/1"},"location":{"name":"Citadel","url":""},"episode":["https://r.example/e/1"],"url":"https://r.example/c/1","created":"2017-11-04T18:48:46.250Z"}"#
    let client: SiteClient

    init() throws {
        var users = (2...41).map { User.make($0) }
        users.insert(
            User(id: 1, login: "rick-1", name: "Rick", avatarURL: "https://r.example/1.jpeg", more: Self.record), at: 0)
        users[1].more = #"{"location":"Köln \"am\" Rhein","created_at":"2008-01-14T04:33:35Z"}"#
        users[2].more = #"{"creation_date":1222430705}"#
        client = try SiteClient(users) { $0.pictures = .link }
    }

    private func object(_ target: String) -> [String: Any] { client.get(target).object }

    @Test func charactersFromTheServiceAreServedUnchanged() throws {
        #expect(
            client.get("/api/character/1").text == #"{"id":1,"name":"Rick","# + Self.record.dropFirst().dropLast()
                + #","type":"","image":"https://r.example/1.jpeg"}"#)
    }

    @Test func unknownMembersOfOtherUsersAreMarkedUnknown() throws {
        let second = object("/api/character/2")
        #expect(second["name"] as? String == "user2")
        #expect(second["status"] as? String == "unknown" && second["species"] as? String == "unknown")
        #expect(second["location"] as? [String: String] == ["name": "Köln \"am\" Rhein", "url": ""])
        #expect(second["origin"] as? [String: String] == ["name": "unknown", "url": ""])
        #expect(second["created"] as? String == "2008-01-14T04:33:35Z")
        #expect(second["url"] as? String == "http://people.example/api/character/2")
        #expect(second["type"] as? String == "")
        let image = try #require(second["image"] as? String)
        #expect(image.hasPrefix("http://people.example/pictures/initials/"))
        #expect(object("/api/character/3")["created"] as? String == "2008-09-26T12:05:05Z")
        #expect(object("/api/character/4")["created"] as? String == "")
    }

    /// As `rickandmorty` and `ramapi` of PyPI ask.
    @Test func clientsInPythonAreAnswered() throws {
        #expect(client.get("/api/character/%5B1,%202,%203%5D").text == client.get("/api/character/1,2,3").text)
        for path in ["/api", "/api/"] {
            #expect(client.get(path).text == #"{"characters":"http://people.example/api/character?page=1"}"#)
        }
    }

    @Test func pagesLinkToTheirNeighbours() throws {
        func info(_ target: String) throws -> [String: Any] { try #require(object(target)["info"] as? [String: Any]) }
        let second = try info("/api/character?page=2&name=")
        #expect(second["count"] as? Int == 41 && second["pages"] as? Int == 3)
        #expect(second["next"] as? String == "http://people.example/api/character?page=3")
        #expect(second["prev"] as? String == "http://people.example/api/character?page=1")
        #expect(try info("/api/character")["prev"] is NSNull)
        #expect(try info("/api/character?page=3")["next"] is NSNull)
        #expect(try info("/api/character/?page=1")["next"] as? String == "http://people.example/api/character/?page=2")
        let found = try info("/api/character?name=us%20ER")
        #expect(found["count"] as? Int == 40)
        #expect(found["next"] as? String == "http://people.example/api/character?page=2&name=us%20ER")
        #expect((object("/api/character?page=3")["results"] as? [[String: Any]])?.map { $0["id"] as? Int } == [41])
    }

    @Test(arguments: ["", "?page=", "?page=0", "?page=-2", "?page=two", "?page=1"])
    func anInvalidPageNumberIsTheFirstPage(_ query: String) throws {
        #expect((object("/api/character\(query)")["results"] as? [[String: Any]])?.first?["id"] as? Int == 1)
    }

    @Test func severalIDsGiveAListOfExistingUsers() throws {
        for ids in ["3,99,2", "[2,3]"] {
            let list = try #require(
                try JSONSerialization.jsonObject(with: Data(client.get("/api/character/\(ids)").text.utf8))
                    as? [[String: Any]])
            #expect(list.map { $0["id"] as? Int } == [2, 3])
        }
        #expect(client.get("/api/character/%5B99%5D").text == "[]")
    }

    @Test(arguments: [
        ("?page=4", 404, "There is nothing here"), ("?page=99999999999999999999", 404, "There is nothing here"),
        ("?name=nobody", 404, "There is nothing here"), ("/99", 404, "Character not found"),
        ("/x", 400, "Hey! you must provide an id"), ("/1/2", 400, "Hey! you must provide an id"),
        ("s", 404, "There is nothing here."), ("?directory=nowhere", 404, "There is nothing here."),
        ("?status=Alive", 400, "status: expected no such filter, which this directory has no values for"),
        ("?name=user&page=501", 404, "There is nothing here"),
    ])
    func errorsHaveTheShapeOfTheService(_ target: String, _ status: Int, _ message: String) throws {
        let response = client.get("/api/character\(target)")
        #expect(response.status.rawValue == status)
        #expect(response.text == "{\"error\":\"\(message)\"}")
    }

    @Test func theDefaultIsTheFirstDirectoryOfCharacters() throws {
        let characters = Directory.second("rick", title: "Rick", source: "rickandmorty")
        let client = try SiteClient((1...30).map { .make($0) }, directories: [.people, characters])
        #expect(client.get("/api/character").text.contains(#""next":"http://people.example/api/character?page=2""#))
        #expect(
            client.get("/api/character?directory=people").text.contains(
                #""next":"http://people.example/api/character?page=2&directory=people""#))
        let ofOne = client.get("/api/character/1?directory=people").text
        #expect(ofOne.contains(#""url":"http://people.example/api/character/1?directory=people""#))
        client.store.breakDown()
        #expect(client.get("/api/character/1").status == .serviceUnavailable)
    }

    @Test func charactersFromAFileAreRecognizedByTheirFilters() throws {
        var crew = Directory.second("crew", title: "Crew")
        let client = try SiteClient((1...30).map { .make($0) }, directories: [.people, crew])
        let plain = client.get("/api/character/1").fields["ETag"]
        // A second request: the cache keeps what has been requested twice, by its address.
        #expect(client.get("/api/character/1").fields["ETag"] == plain)
        crew.filters = [FilterCounts(.status, ["Alive": 30])]
        crew.generation += 1
        client.store.state.withLock { $0.directories[1] = crew }
        #expect(client.get("/api/character?status=alive").status != .badRequest)
        #expect(client.get("/api/character/1").fields["ETag"] != plain)
        #expect(client.get("/api/character/1?directory=people").text.contains("?directory=people"))
    }

    @Test func valuesOfFiltersMatchInAnyCase() throws {
        let people = (1...26).map { User.make($0, more: $0 == 1 ? #"{"status":"Dead"}"# : #"{"status":"Alive"}"#) }
        let status = FilterCounts(.status, ["Alive": 25, "Dead": 1])
        let client = try SiteClient(people, directories: [.of(nil, status)])
        let alive = client.get("/api/character?status=alive").text
        #expect(
            alive.hasPrefix(
                #"{"info":{"count":25,"pages":2,"next":"http://people.example/api/character?page=2&status=Alive""#))
        #expect(client.get("/api/character?status=dead&name=user").text.hasPrefix(#"{"info":{"count":1,"#))
        #expect(client.get("/api/character?status=Undead").text == #"{"error":"There is nothing here"}"#)
        #expect(client.get("/api/character?status=alive&gender=Male").status == .badRequest)
    }

    @Test func anEmptySiteHasNobody() throws {
        let client = try SiteClient()
        #expect(client.get("/api/character").text == #"{"error":"There is nothing here"}"#)
        #expect(client.get("/2.3/users").text.hasPrefix(#"{"items":[],"has_more":false"#))
    }
}
