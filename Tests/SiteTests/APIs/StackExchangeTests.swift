import Foundation
import People
import Publishing
import Server
import Testing

@testable import Site

@Suite("Stack Exchange API")
struct StackExchangeTests {
    let client: SiteClient
    init() throws {
        let users = [
            User(
                id: 22656, login: "jon-skeet-22656", name: "Jön O'Skeet 김 𝒳", avatarURL: "https://a.example/?s=1&r=PG",
                more:
                    #"{"badge_counts":{"bronze":3,"silver":2,"gold":1},"reputation":942345,"account_id":11683,"location":"A & B","website_url":"https://x.example/?a&b","user_type":"moderator","link":"https://stackoverflow.com/users/22656/jon-skeet","about_me":"<p>&amp;</p>"}"#
            ),
            User(
                id: 5, login: "ada", name: nil,
                more:
                    #"{"user_type":"Organization","created_at":"2008-01-14T04:33:35Z","updated_at":"nonsense","blog":"https://ada.example","location":{"name":"London","url":"x"},"node_id":"y"}"#
            ),
        ]
        client = try SiteClient(users, directories: [.of(.stackExchange)]) { $0.pictures = .link }
    }

    private func items(_ target: String) throws -> [[String: Any]] {
        try #require(client.get(target).object["items"] as? [[String: Any]])
    }

    @Test func usersFromTheServiceAreServedUnchanged() throws {
        let item = try items("/2.3/users/22656")[0]
        #expect(item["user_id"] as? Int == 22656)
        #expect(item["display_name"] as? String == "J&#246;n O&#39;Skeet 김 &#119987;")
        #expect(item["location"] as? String == "A &amp; B")
        #expect(item["website_url"] as? String == "https://x.example/?a&b")
        #expect(item["about_me"] as? String == "<p>&amp;</p>")
        #expect(item["profile_image"] as? String == "https://a.example/?s=1&r=PG")
        #expect(item["link"] as? String == "https://stackoverflow.com/users/22656/jon-skeet")
        #expect(item["user_type"] as? String == "moderator")
        #expect(item["reputation"] as? Int == 942_345)
        #expect((item["badge_counts"] as? [String: Int]) == ["bronze": 3, "silver": 2, "gold": 1])
    }

    @Test func otherUsersAreServedWithTheMembersOfTheService() throws {
        let item = try items("/2.3/users/5")[0]
        #expect(item["display_name"] as? String == "ada")
        #expect(item["user_type"] as? String == "registered")
        #expect(item["creation_date"] as? Int == 1_200_285_215)
        #expect(item["location"] as? String == "London")
        #expect(item["website_url"] as? String == "https://ada.example")
        #expect(item["link"] as? String == "http://people.example/users/ada")
        #expect(item["reputation"] as? Int == 0)
        for absent in ["last_modified_date", "last_access_date", "node_id"] {
            #expect(item[absent] == nil, "\(absent)")
        }
    }

    @Test func theLocationIsTheFieldWithThatRole() throws {
        let client = try Staff.client(settings: { $0.fields.append(FieldSettings(key: "location", from: "Raum")) })
        #expect(client.get("/2.3/users/1").text.contains(#""location":"12","#))
        #expect(client.get("/api/character/1").text.contains(#""location":{"name":"12","url":""}"#))
        #expect(client.get("/api/character/2").text.contains(#""location":{"name":"unknown","url":""}"#))
    }

    @Test func theWrapperReportsWhetherThereIsMore() throws {
        let client = try SiteClient((1...7).map { .make($0) })
        func page(_ query: String) -> String {
            client.get("/2.3/users?sort=creation&order=asc&\(query)").text
                .replacing(/\{"badge_counts[^\]]*?"user_id":(\d+)[^}]*}/) { String($0.1) }
        }
        #expect(page("pagesize=3") == #"{"items":[1,2,3],"has_more":true,"quota_max":10000,"quota_remaining":10000}"#)
        #expect(page("pagesize=3&page=3").hasPrefix(#"{"items":[7],"has_more":false"#))
        #expect(page("pagesize=3&page=4").hasPrefix(#"{"items":[],"has_more":false"#))
        #expect(page("pagesize=100&page=2147483647").hasPrefix(#"{"items":[],"has_more":false"#))
        #expect(page("pagesize=7").hasPrefix(#"{"items":[1,2,3,4,5,6,7],"has_more":false"#))
        #expect(page("pagesize=0").hasPrefix(#"{"items":[],"has_more":true"#))
        #expect(page("site=people&inname=user7").hasPrefix(#"{"items":[7],"has_more":false"#))
        #expect(page("filter=total") == #"{"total":7}"#)
        #expect(page("filter=total&inname=USER7") == #"{"total":1}"#)
        #expect(page("filter=!nKzQUR30W7&key=abc&access_token=x").hasPrefix(#"{"items":[1,2,3,4,5,6,7]"#))
    }

    @Test func severalIDsGiveUsersInPages() throws {
        let client = try SiteClient((1...7).map { .make($0) })
        #expect(client.get("/2.3/users/3;99;5/?pagesize=1").text.contains(#""user_id":3"#))
        #expect(client.get("/2.3/users/3;99;5?pagesize=1").text.contains(#""has_more":true"#))
        #expect(client.get("/2.3/users/3;99;5?pagesize=1&page=2").text.contains(#""user_id":5"#))
        #expect(client.get("/2.3/users/3;99;5?pagesize=1&page=2").text.contains(#""has_more":false"#))
        #expect(client.get("/2.3/users/99").text.hasPrefix(#"{"items":[],"has_more":false"#))
    }

    @Test func sitesAreTheDirectories() throws {
        let other = Directory.second("cafe", title: "Café")
        let client = try SiteClient([.make(1)], directories: [.people, other])
        func sites(_ query: String) -> [String: Any] { client.get("/2.3/sites/?\(query)").object }
        let items = try #require(sites("pagesize=1000&filter=!x")["items"] as? [[String: String]])
        #expect(items.map { $0["api_site_parameter"] } == ["people", "cafe"])
        #expect(items.map { $0["name"] } == ["People", "Caf&#233;"])
        #expect(items[1]["site_url"] == "http://people.example/?directory=cafe")
        #expect(sites("pagesize=1")["has_more"] as? Bool == true)
        #expect((sites("pagesize=1&page=2")["items"] as? [[String: String]])?.count == 1)
        let tag = try #require(client.get("/2.3/sites").fields["ETag"])
        client.store.state.withLock { $0.directories[1].title = "Bar" }
        #expect(client.get("/2.3/sites", "If-None-Match: \(tag)").text.contains("Bar"))
    }

    @Test func moderatorsAreUsersOfThatType() throws {
        let people = (1...4).map { User.make($0, more: $0 % 2 == 0 ? #"{"user_type":"moderator"}"# : nil) }
        let client = try SiteClient(people)
        let moderators = client.get("/2.3/users/moderators?sort=creation&order=asc&inname=user4").text
        #expect(moderators.hasPrefix(#"{"items":[{"#) && moderators.contains(#""user_id":4"#))
        #expect(client.get("/2.3/users/moderators?filter=total").text == #"{"total":2}"#)
        #expect(client.get("/2.3/users?filter=total").text == #"{"total":4}"#)
    }

    @Test(arguments: [
        ("/2.3/users?site=nowhere", 400, "bad_parameter", "site"), ("/2.3/users?page=0", 400, "bad_parameter", "page"),
        ("/2.3/users?pagesize=101", 400, "bad_parameter", "pagesize"),
        ("/2.3/users?sort=modified", 400, "bad_parameter", "sort"),
        ("/2.3/users?order=up", 400, "bad_parameter", "order"), ("/2.3/users?min=5", 400, "bad_parameter", "min"),
        ("/2.3/users?page=1&page=2", 400, "bad_parameter", "page"),
        ("/2.3/users?inname=user&page=200&pagesize=100", 400, "bad_parameter", "page"),
        ("/2.3/users/x", 400, "bad_parameter", "ids"), ("/2.3/users/1;", 400, "bad_parameter", "ids"),
        ("/2.3/users/1/answers", 404, "no_method", "method"), ("/2.3/answers", 404, "no_method", "method"),
    ])
    func errorsHaveTheShapeOfTheService(_ target: String, _ number: Int, _ name: String, _ word: String) throws {
        let response = client.get(target), error = response.object
        #expect(response.status == .badRequest && (error["error_message"] as? String)?.contains(word) == true)
        #expect(error["error_id"] as? Int == number && error["error_name"] as? String == name)
    }

    @Test func aBrokenDatabaseIsTemporary() throws {
        client.store.breakDown()
        let response = client.get("/2.3/users")
        #expect(response.status == .serviceUnavailable)
        #expect(response.text.contains(#""error_id":503"#) && !response.text.contains("Unreadable"))
    }

    @Test func aResponseIsValidWhileTheDirectoryIsUnchanged() throws {
        let tag = try #require(client.get("/2.3/users").fields["ETag"])
        let reads = client.store.reads
        #expect(client.get("/2.3/users", "If-None-Match: \(tag)").status == .notModified)
        #expect(client.get("/2.3/users?page=1&pagesize=30&order=desc").status == .ok)
        #expect(client.store.reads == reads)
        client.store.change { $0.removeLast() }
        #expect(client.get("/2.3/users", "If-None-Match: \(tag)").status == .ok)
        #expect(client.get("/2.3/users", "Accept-Encoding: gzip").fields["Content-Encoding"] == "gzip")
        #expect(client.get("/2.3/users").fields["Access-Control-Allow-Origin"] == "*")
    }
}
