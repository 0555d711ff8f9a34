import Foundation
import People
import Server
import Testing

@testable import Site

@Suite("Fields in JSON and vCards")
struct FieldJSONTests {
    private let client: SiteClient
    init() throws { client = try Staff.client { $0.publicURL = "https://people.example" } }

    private func object(_ target: String) -> [String: Any] { client.get(target).object }

    private let anna =
        #""fields":{"title":"Leiterin","department":"Vertrieb","skills":["Swift","Rust"],"joined":"2019-03-01","#
        + #""budget":1234.5,"remote":true,"email":"mailto:anna@example.org","website":"https://anna.example/","#
        + #""about":"Über mich"}"#

    @Test func aSingleUserHasTypedFieldsInOrder() throws {
        let text = client.get("/api/v3/users/anna-mueller").text
        #expect(text.contains(anna))
        #expect(text.contains(#""generated":["id","login"]"#) && !text.contains("Gehalt") && !text.contains("salary"))
        let user = object("/api/v3/users/anna-mueller")
        #expect(user["Raum"] as? String == "12", "a column that no field reads")
        #expect(user["Abteilung"] == nil && user["Vorname"] == nil, "a field's column is in fields")
        #expect(user["blog"] as? String == "https://anna.example/" && user["bio"] as? String == "Über mich")
        #expect(user["email"] as? String == "anna@example.org" && user["company"] is NSNull)
        #expect(!client.get("/api/v3/users/kim").text.contains("generated"))
    }

    @Test func listsHaveTheFieldsThatAreAskedFor() throws {
        #expect(!client.get("/api/v3/users").text.contains(#""fields":"#))
        #expect(client.get("/api/v3/users?fields=*").text.contains(anna))
        let response = client.get("/api/v3/users?fields=department,title&per_page=1")
        #expect(response.text.contains(#""fields":{"title":"Leiterin","department":"Vertrieb"}}"#))
        #expect(response.fields["Link"]?.contains("&fields=title%2Cdepartment>") == true)
        #expect(client.get("/api/v3/users?fields=*&per_page=1").fields["Link"]?.contains("fields=%2A>") == true)
        #expect(client.get("/api/v3/users?fields=").text == client.get("/api/v3/users").text)
    }

    @Test(arguments: ["salary", "pay", "title,salary", "title,", "Title"])
    func aPrivateFieldIsTreatedLikeAMissingOne(_ value: String) throws {
        let response = client.get("/api/v3/users?fields=\(value)")
        #expect(response.status == .badRequest && response.text.contains("fields: expected some of *, name, title,"))
        #expect(!response.text.contains("website, about, salary"))
    }

    @Test func fieldsAreDescribed() throws {
        let described = object("/fields.json")
        #expect(described["directory"] as? String == "team" && described["order"] as? String == "name")
        let fields = try #require(described["fields"] as? [[String: Any]])
        #expect(
            fields.compactMap { $0["key"] as? String } == [
                "name", "title", "department", "skills", "joined", "budget", "remote", "email", "website", "about",
            ])
        let joined = fields[4]
        #expect(joined["label"] as? String == "Dabei seit" && joined["type"] as? String == "date")
        #expect(joined["role"] as? String == "joined" && joined["sort"] as? Bool == true)
        #expect(fields[2]["filter"] as? Bool == true && joined["filter"] as? Bool == false)
        #expect(fields[5]["role"] is NSNull)
        #expect(client.get("/fields.json?directory=nowhere").status == .notFound)
        let empty = try SiteClient([.make(1)]).get("/fields.json").text
        #expect(empty == #"{"directory":"people","order":"id","fields":[]}"#)
    }

    @Test func linkedDataUsesTheNamesOfSchemaOrg() throws {
        let text = client.get("/users/anna-mueller").text
        let json = try #require(text.firstMatch(of: /<script type="application\/ld\+json">(.*?)<\/script>/)?.1)
        let person = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(person["jobTitle"] as? String == "Leiterin")
        let employer = try #require(person["worksFor"] as? [String: Any])
        #expect((employer["department"] as? [String: String])?["name"] == "Vertrieb")
        #expect(person["knowsAbout"] as? [String] == ["Swift", "Rust"])
        #expect(person["sameAs"] as? [String] == ["https://anna.example/"])
        #expect(person["email"] as? String == "anna@example.org")
        #expect(person["identifier"] == nil && person["alternateName"] == nil, "nothing that Rollcall made")
    }

    // MARK: vCard

    @Test func aPersonIsAContact() throws {
        let response = client.get("/users/anna-mueller.vcf")
        #expect(response.fields["Content-Type"] == "text/vcard; charset=utf-8")
        #expect(response.fields["Content-Disposition"] == "attachment; filename=\"anna-mueller.vcf\"")
        #expect(response.fields["X-Robots-Tag"] == "noindex")
        #expect(
            response.text.components(separatedBy: "\r\n") == [
                "BEGIN:VCARD", "VERSION:4.0", "KIND:individual", "FN:Anna Müller", "N:Müller;Anna;;;", "TITLE:Leiterin",
                "ORG:;Vertrieb", "CATEGORIES:Swift,Rust", "EMAIL:anna@example.org", "URL:https://anna.example/",
                "NOTE:Über mich", "UID:https://people.example/users/anna-mueller",
                "SOURCE:https://people.example/users/anna-mueller", "END:VCARD", "",
            ])
        let page = client.get("/users/anna-mueller").text
        #expect(page.contains(#"href="/users/anna-mueller.vcf" download>Save contact"#))
        #expect(client.get("/users/nobody.vcf").status == .notFound)
        let kim = try SiteClient([.make(1, "김민수", name: "김민수")], directories: [Staff.directory])
            .get("/users/%EA%B9%80%EB%AF%BC%EC%88%98.vcf")
        #expect(
            kim.fields["Content-Disposition"]
                == "attachment; filename=\"contact.vcf\"; filename*=UTF-8''%EA%B9%80%EB%AF%BC%EC%88%98.vcf")
        #expect(client.get("/users/a/b.vcf").status == .notFound)
    }

    @Test func linesAreEscapedAndFolded() throws {
        let more = ["Text": String(repeating: "Ü", count: 60) + ", a; b\\\nc\rd", "Position": "김민수"]
        let json = String(decoding: try JSONSerialization.data(withJSONObject: more), as: UTF8.self)
        let user = User.make(1, "a", name: "A\r\nEND:VCARD", more: json)
        let response = try SiteClient([user], directories: [Staff.directory]).get("/users/a.vcf")
        let lines = response.text.components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 75 })
        #expect(lines.contains("FN:A\\nEND:VCARD") && lines.count { $0 == "END:VCARD" } == 1)
        let unfolded = lines.joined(separator: "\r\n").replacing("\r\n ", with: "")
        #expect(unfolded.contains("NOTE:" + String(repeating: "Ü", count: 60) + "\\, a\\; b\\\\\\ncd\r\n"))
    }
}
