import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("Searching with curl", .onThreadsForPrograms, .tags(.long))
final class SearchTests: Stage {
    /// Returns the names of the users of a page, without marks.
    private func names(_ answer: Exchange) -> [String] {
        answer.text.matches(of: /<h2><a[^>]*>(.*?)<\/a><\/h2>/).map {
            String($0.1).replacing("<mark>", with: "").replacing("</mark>", with: "")
        }
    }

    @Test func aStaffListIsFoundAsPeopleExpect() throws {
        try load(StaffList.text, into: "people")
        let server = try serve()
        for (search, expected) in [
            ("muller", ["Anna Müller", "Anna Müller", "Zoe Mueller"]),
            ("mueller", ["Zoe Mueller", "Anna Müller", "Anna Müller"]),
            ("M%C3%BCller", ["Anna Müller", "Anna Müller", "Zoe Mueller"]), ("asa", ["Åsa Öberg"]),
            ("gross", ["Jürgen Groß"]), ("oberg", ["Åsa Öberg"]), ("vertrieb", ["Anna Müller", "Anna Müller"]),
            ("%E3%84%B1%E3%85%81%E3%85%85", ["김민수"]), ("%EA%B9%80%EB%AF%B8", ["김민수"]),
            ("%EA%B9%80%EB%AF%B8%EB%82%98", []), ("%E3%85%81%E3%85%81", []), ("72", []), ("example", []),
        ] { #expect(try names(get(server.url + "/fragment?q=" + search)) == expected, "\(search)") }
        let page = try get(server.url + "/?q=Jurgne")
        #expect(page.fields["x-total-count"] == "0")
        let link = "<a href=\"/?q=J%C3%BCrgen%20Gro%C3%9F\" dir=\"auto\">Jürgen Groß</a>"
        #expect(page.text.contains("<p>Did you mean \(link)?</p>"))
        #expect(try get(server.url + "/api/v3/users?q=Jurgne").text == "[]")
        let empty = try get(server.url + "/?q=anna&department=Technik").text
        #expect(empty.contains("<h2>No one matches <q dir=\"auto\">anna</q> in <bdi>Abteilung: Technik</bdi></h2>"))
        #expect(empty.contains("<a class=\"button\" href=\"/?q=anna\">Remove Technik (2 matches)</a>"))
    }
}
