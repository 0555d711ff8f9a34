import People
import Publishing
import Server
import Testing

@testable import Site

@Suite("Orders and filters of a directory with settings")
struct FieldQueryTests {
    private let client: SiteClient
    init() throws { client = try Staff.client() }

    private func logins(_ text: String) -> [String] {
        text.matches(of: /href="\/users\/([^"?]+)["?]/).map { String($0.1) }
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
        #expect(client.get("/api/v3/users?per_page=1").fields["Link"]?.contains("since=1&per_page=1>") == true)
        let page = client.get("/?since=1")
        #expect(logins(page.text).prefix(2) == ["zoe", "kim"])
        #expect(page.fields["Link"]?.contains("</?before=2&sort=id>; rel=\"prev\"") == true)
        #expect(page.fields["X-Robots-Tag"] == "noindex")
        #expect(logins(client.get("/?since=1&q=i").text) == ["kim"])
        #expect(client.get("/?since=1&sort=name").status == .badRequest)
    }

    @Test func aLetterIsOneOfTheLanguage() throws {
        for (target, expected) in [
            ("/?letter=AB", "letter: expected one of #, A, B, "), ("/?letter=1", "letter: expected one of #, A, B, "),
            ("/?letter=A&sort=id", "letter: expected the order by name"),
            ("/?letter=A&at=2", "at, letter: expected one of them, found both"),
            ("/letters.json?sort=id", "sort: expected name or surname, found “id”"),
            ("/letters.json?sort=nope", "sort: expected one of "),
        ] {
            let answer = client.get(target)
            #expect(answer.status == .badRequest && answer.text.contains(expected), "\(target): \(answer.text)")
        }
        #expect(client.get("/?letter=").status == .ok && client.get("/?letter=A").status == .ok)
        // A letter that is not on the jump bar opens the group that it belongs to.
        for (letter, group) in [("%C3%96", "O"), ("e", "E"), ("%D0%96", "%E2%80%A6")] {
            let text = client.get("/?letter=\(letter)").text
            #expect(text.contains("href=\"/api/v3/users?letter=\(group)\""), "\(letter): \(text)")
        }
        let letters = client.get("/letters.json")
        #expect(letters.text == #"{"directory":"team","sort":"name","letters":[]}"#, "the fake store has none")
    }

    @Test func aMinusMeansDescending() throws {
        #expect(client.get("/?sort=-name").text == client.get("/?sort=name&order=desc").text)
        #expect(client.get("/?sort=-name").fields["Link"]?.contains("</?order=desc>; rel=\"first\"") == true)
        let both = client.get("/?sort=-name&order=asc")
        #expect(both.status == .badRequest && both.text.contains("expected no order beside"))
        #expect(client.get("/?sort=-name&order=").status == .ok)
        let wrong = client.get("/?sort=-salary")
        #expect(wrong.status == .badRequest)
        #expect(wrong.text.contains("expected one of id, login, name, joined, relevance, found “salary”"))
    }

    @Test func theMenuListsTheDirectorysOrdersInWords() throws {
        let client = try Staff.client { $0.sorts = ["place", "name", "joined", "budget"] }
        let text = client.get("/").text
        let menu = try #require(
            text.firstMatch(of: /<select name="sort" aria-label="Sort by">\n((?s).*?)<\/select>/)?.1)
        #expect(
            menu.matches(of: /<option value="([^"]*)"( selected)?>([^<]*)</).map { "\($0.1)\($0.2 ?? "")=\($0.3)" } == [
                " selected=Name A–Z", "place=As listed", "-name=Name Z–A", "-joined=Newest", "joined=Longest here",
                "-budget=Budget, highest first", "budget=Budget, lowest first",
            ])
        #expect(!text.contains(#"<select name="order">"#))
        #expect(client.get("/?sort=-name").text.contains(#"<option value="-name" selected>Name Z–A</option>"#))
        #expect(client.get("/?sort=-joined").text.contains("<title>Our team, by Dabei seit, descending</title>"))
    }

    // MARK: Filters

    @Test func fieldsAreFilters() throws {
        let response = client.get("/?department=technik")
        #expect(logins(response.text).first == "kim" && response.fields["X-Total-Count"] == "1")
        #expect(
            response.text.contains(
                "<legend dir=\"auto\">Abteilung</legend>\n<label><input type=\"checkbox\" name=\"department\""))
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

    /// A form without a script sends the ends of a range as parameters of their own.
    @Test func theEndsOfARangeAreTwoFields() throws {
        let text = client.get("/?joined.from=2020-02&joined.to=2021").text
        #expect(text.contains(#"<input type="date" name="joined.from" value="2020-02-01">"#))
        #expect(text.contains(#"<input type="date" name="joined.to" value="2021-12-31">"#))
        #expect(!text.contains(#"<input type="checkbox" name="joined""#))
        for (query, range) in [
            ("joined.from=2020-02&joined.to=2021", "2020-02..2021"), ("joined.from=2020&joined.to=", "2020.."),
            ("joined.to=2021", "..2021"), ("joined.from=2021&joined.to=2020", "2020..2021"),
            ("f.joined.from=2020", "2020.."),
        ] {
            let link = client.get("/?\(query)").fields["Link"]
            #expect(link?.contains("</?joined=\(range)>; rel=\"first\"") == true, "\(query): \(link ?? "")")
        }
        #expect(client.get("/?joined.from=&joined.to=").text == client.get("/").text)
        let numbers = try figures().get("/?reputation.from=5").text
        #expect(numbers.contains(#"<input type="number" name="reputation.from" value="5" step="any">"#))
        // Two ranges are more than two fields can say.
        let two = client.get("/?joined=2020&joined=2022").text
        #expect(two.contains(#"<input type="checkbox" name="joined" value="2020" checked>"#))
        #expect(two.contains(#"<input type="date" name="joined.from" value="">"#))
        for (query, message) in [
            ("joined.from=soon", "joined.from: expected a day, month or year"),
            ("joined.from=2020&joined.from=2021", "joined.from: given more than once"),
        ] {
            let answer = client.get("/?\(query)")
            #expect(answer.status == .badRequest && answer.text.contains(message), "\(query): \(answer.text)")
        }
    }

    @Test func aFieldThatIsNotAFilterIsAnError() throws {
        let response = client.get("/api/v3/users?title=Leiterin")
        #expect(response.status == .badRequest)
        #expect(response.text.contains("\"title: not a filter; filters are department\""))
        #expect(client.get("/?f.pay=1").text.contains("f.pay: not a filter; filters are department"))
        #expect(client.get("/?f.salary=1").text.contains("f.salary: not a filter; filters are department"))
    }

    @Test(arguments: ["utm_source=x", "salary=1", "pay=1", "Gehalt=1", "page=3", "status=Alive"])
    func unknownParametersAndPrivateFieldsAreIgnored(_ query: String) throws {
        #expect(try Staff.client().get("/?\(query)").fields["X-Total-Count"] == "3")
    }

    @Test func valuesMatchInLooseForm() throws {
        let client = try Staff.client(FilterCounts(Filter("department"), ["Köln": 2, "Koln": 1]))
        for (value, known) in [("koln", "Koln"), ("KÖLN", "K%C3%B6ln"), ("K%C3%B3ln", "K%C3%B6ln")] {
            let link = client.get("/?department=\(value)").fields["Link"]
            #expect(link?.contains("</?department=\(known)>; rel=\"first\"") == true, "\(value): \(link ?? "")")
        }
    }

    @Test func numbersAndDatesOfOrdersHaveRanges() throws {
        let client = try figures()
        let link = client.get("/?joined=2020..2021&reputation=10..&department=technik").fields["Link"]
        #expect(
            link?.contains("</?department=Technik&joined=2020..2021&reputation=10..>; rel=\"first\"") == true,
            "\(link ?? "")")
        let page = client.get("/?joined=2020..2021&joined=..2019-05").text
        #expect(page.contains("<title>Dabei seit up to 2019-05 or 2020 to 2021 · Our team</title>"))
        #expect(page.contains(#"name="joined" value="2020..2021" checked> <bdi>2020 to 2021</bdi></label>"#))
        #expect(client.get("/?joined=").fields["X-Total-Count"] == "3")
        let wrong = client.get("/api/v3/users?joined=soon")
        #expect(
            wrong.status == .badRequest
                && wrong.text.contains(
                    "joined: expected a day, month or year, or a range of them such as 2020-01..2021, 2020.. or "
                        + "..2021-12-31, found “soon”")
        )
        #expect(client.get("/fragment?reputation=many").text.contains("reputation: expected a number, or a range of"))
        #expect(client.get("/?budget=5").status == .badRequest, "the field is neither a filter nor an order")
    }

    /// A client of the staff with a figure, which the menu does not offer.
    private func figures(_ visibility: FieldVisibility? = nil) throws -> SiteClient {
        try Staff.client {
            var field = FieldSettings(key: "reputation", from: "Punkte")
            field.show = visibility
            $0.fields.append(field)
        }
    }

    @Test func aHiddenReputationReadsAsUnknown() throws {
        let (hidden, none) = (try figures(.private), try Staff.client())
        for client in [hidden, none] {
            #expect(client.get("/?reputation=1..2").fields["X-Total-Count"] == "3")
            let link = client.get("/?sort=-reputation").fields["Link"]
            #expect(link?.contains("</?sort=id>; rel=\"first\"") == true, "\(link ?? "")")
        }
        #expect(hidden.get("/?sort=reputation").text == none.get("/?sort=reputation").text)
    }

    @Test func aFigureIsAnOrderThatTheMenuNeedNotOffer() throws {
        let page = try figures().get("/?sort=-reputation")
        #expect(page.text.contains(">Most punkte</option>"))
        #expect(page.fields["Link"]?.contains("</?sort=reputation&order=desc>; rel=\"first\"") == true)
        #expect(try !figures().get("/").text.contains("Most punkte"))
    }

    // MARK: Values

    @Test func theValuesOfAFilterHaveAPage() throws {
        let values = (1...30).map { FilterCounts.Value(value: "Büro \($0)", count: 60 - $0) }
        let client = try Staff.client(FilterCounts(Filter("page"), values))
        let json = client.get("/fields/page.json?find=buro%202&f.page=Büro%2022")
        #expect(json.fields["Content-Type"] == "application/json; charset=utf-8")
        #expect(
            json.text.hasPrefix(
                #"{"directory":"team","key":"page","label":"page","total":11,"values":[{"value":"Büro 2","label":"#))
        #expect(json.text.contains(#"{"value":"Büro 22","label":"Büro 22","count":null,"chosen":true}"#))
        #expect(client.get("/fields/page.json?find=BÜRO%2029").text.contains(#""count":31,"chosen":false"#))
        let page = client.get("/fields/page?f.page=Büro%2022&q=a&view=grid")
        #expect(page.text.matches(of: /type="checkbox" name="f.page"/).count == 30)
        #expect(!page.text.contains("those that most people have."))
        #expect(page.text.contains(#"<input type="hidden" name="view" value="grid">"#))
        #expect(page.fields["X-Robots-Tag"] == "noindex")
        #expect(
            client.get("/fields/page?find=29&f.page=Büro%2022").text.contains(
                #"<input type="hidden" name="f.page" value="Büro 22">"#), "it stays chosen")
        #expect(client.get("/fields/page?find=nix").text.contains("<p>No value contains <q dir=\"auto\">nix</q>.</p>"))
        #expect(
            client.get("/fields/title.json").status == .notFound && client.get("/fields/salary").status == .notFound)
        #expect(client.get("/fields/page.json?directory=people").status == .notFound)
        #expect(client.get("/fields/page.json?find=a&find=b").status == .badRequest)
    }

    @Test func aKeyThatIsAnotherParameterIsWrittenWithAPrefix() throws {
        let client = try Staff.client(FilterCounts(Filter("page"), ["Vertrieb": 2, "b": 1]))
        #expect(client.get("/").text.contains("<input type=\"checkbox\" name=\"f.page\" value=\"Vertrieb\">"))
        #expect(client.get("/?f.page=vertrieb").fields["Link"]?.contains("</?f.page=Vertrieb>") == true)
        #expect(client.get("/?page=vertrieb").fields["X-Total-Count"] == "3")
    }
}
