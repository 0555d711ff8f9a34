import Directories
import Fields
import HTTP
import Testing

@testable import Site

@Suite("Orders and filters of a directory with settings")
struct FieldQueryTests {
    private func logins(_ text: String) -> [String] {
        text.matches(of: /href="\/users\/([^"?]+)"/).map { String($0.1) }
    }

    // MARK: Orders

    @Test func pagesAndFragmentsHaveTheDirectorysOrder() throws {
        let client = try Staff.client { $0.order = "name:desc" }
        for target in ["/", "/fragment"] {
            #expect(logins(client.get(target).text) == ["kim", "zoe", "anna-mueller"], "\(target)")
        }
        let fragment = client.get("/fragment?per_page=1")
        #expect(logins(fragment.text) == ["kim"])
        let link = try #require(fragment.fields["Link"])
        #expect(link.contains("</fragment?since=k") && !link.contains("sort=") && !link.contains("order="))
        #expect(client.get("/").text.contains("data-cursor=\"k"))
    }

    @Test func theAPIAndBareNumbersStayByID() throws {
        let client = try Staff.client()
        #expect(client.get("/api/v3/users?per_page=1").fields["Link"]?.contains("since=1&per_page=1>") == true)
        let page = client.get("/?since=1")
        #expect(logins(page.text).prefix(2) == ["zoe", "kim"])
        #expect(page.fields["Link"]?.contains("</?before=2&sort=id>; rel=\"prev\"") == true)
        #expect(page.fields["X-Robots-Tag"] == "noindex")
        #expect(logins(client.get("/?since=1&q=i").text) == ["kim"])
        #expect(client.get("/?since=1&sort=name").status == .badRequest)
    }

    @Test func aMinusMeansDescending() throws {
        let client = try Staff.client()
        #expect(client.get("/?sort=-name").text == client.get("/?sort=name&order=desc").text)
        #expect(client.get("/?sort=-name").fields["Link"]?.contains("</?order=desc>; rel=\"first\"") == true)
        let both = client.get("/?sort=-name&order=asc")
        #expect(both.status == .badRequest && both.text.contains("expected no order beside"))
        #expect(client.get("/?sort=-name&order=").status == .ok)
        let wrong = client.get("/?sort=-salary")
        #expect(wrong.status == .badRequest)
        #expect(wrong.text.contains("expected one of id, login, name, reputation, joined, relevance, found “salary”"))
    }

    @Test func theMenuListsTheDirectorysOrdersInWords() throws {
        let client = try Staff.client { $0.sorts = ["place", "name", "joined", "budget"] }
        let text = client.get("/").text
        let menu = try #require(text.firstMatch(of: /<select name="sort">\n((?s).*?)<\/select>/)?.1)
        #expect(
            menu.matches(of: /<option value="([^"]*)"( selected)?>([^<]*)</).map { "\($0.1)\($0.2 ?? "")=\($0.3)" } == [
                " selected=Name", "place=As listed", "-joined=Dabei seit, newest first",
                "joined=Dabei seit, oldest first",
                "-budget=Budget, most first", "budget=Budget, fewest first",
            ])
        #expect(!text.contains(#"<select name="order">"#))
        #expect(client.get("/?sort=-name").text.contains(#"<option value="-name" selected>Name, reversed</option>"#))
        #expect(client.get("/?sort=-joined").text.contains("<title>Our team, by Dabei seit, descending</title>"))
    }

    // MARK: Filters

    @Test func fieldsAreFilters() throws {
        let client = try Staff.client()
        let response = client.get("/?department=technik")
        #expect(logins(response.text).first == "kim" && response.fields["X-Total-Count"] == "1")
        #expect(response.text.contains("<label>Abteilung <select name=\"department\">"))
        #expect(response.text.contains("<title>Technik · Our team</title>"))
        #expect(response.fields["Link"]?.contains("</?department=Technik>; rel=\"first\"") == true)
        #expect(client.get("/?f.department=technik").text == response.text)
        #expect(client.get("/?department=").fields["X-Total-Count"] == "3")
        let both = client.get("/?department=technik&f.department=Vertrieb&department=")
        #expect(both.fields["X-Total-Count"] == "3")
        #expect(both.fields["Link"]?.contains("</?department=Technik&department=Vertrieb>; rel=\"first\"") == true)
        #expect(client.get("/?department=a&department=b").fields["X-Total-Count"] == "0")
        #expect(client.get("/?sort=name&sort=id").status == .badRequest, "only filters may be given twice")
        #expect(client.get("/robots.txt").text.contains("Disallow: /?*department=\n"))
    }

    @Test func aFieldThatIsNotAFilterIsAnError() throws {
        let client = try Staff.client()
        let response = client.get("/api/v3/users?title=Leiterin")
        #expect(response.status == .badRequest)
        #expect(response.text.contains("\"title: expected a filter, one of department\""))
        #expect(client.get("/?f.pay=1").text.contains("f.pay: expected a filter, one of department"))
        #expect(client.get("/?f.salary=1").text.contains("f.salary: expected a filter, one of department"))
    }

    @Test(arguments: ["utm_source=x", "salary=1", "pay=1", "Gehalt=1", "page=3", "status=Alive"])
    func unknownParametersAndPrivateFieldsAreIgnored(_ query: String) throws {
        #expect(try Staff.client().get("/?\(query)").fields["X-Total-Count"] == "3")
    }

    @Test func aKeyThatIsAnotherParameterIsWrittenWithAPrefix() throws {
        var directory = Staff.directory
        let values: [FacetCounts.Value] = [.init(value: "Vertrieb", count: 2), .init(value: "b", count: 1)]
        directory.facets = [FacetCounts(Facet("page"), values)]
        let client = try SiteClient(store: FakeStore(Staff.users, directories: [directory]))
        #expect(client.get("/").text.contains("<select name=\"f.page\">"))
        #expect(client.get("/?f.page=vertrieb").fields["Link"]?.contains("</?f.page=Vertrieb>") == true)
        #expect(client.get("/?page=vertrieb").fields["X-Total-Count"] == "3")
    }
}
