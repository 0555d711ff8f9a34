import People
import Server
import Testing

@testable import Site

@Suite("Many values of a filter")
struct FilterLimitTests {
    private let client: SiteClient
    init() throws { client = try Staff.client() }

    private func query(_ count: Int) -> String { (0..<count).map { "department=x\($0)" }.joined(separator: "&") }

    @Test(arguments: ["/", "/fragment", "/api/v3/users", "/fields.json", "/events.json", "/wall.svg", "/export.csv"])
    func moreThanFourHundredAreRefused(_ path: String) throws {
        #expect(client.get("\(path)?\(query(400))").status == .ok)
        #expect(client.get("\(path)?\(query(401))").status == (path == "/fields.json" ? .ok : .badRequest))
    }

    @Test func theRefusalNamesTheParameter() throws {
        let text = client.get("/api/v3/users?\(query(401))").text
        #expect(text.contains("department: expected at most 400 values and ranges, found more"), "\(text)")
    }

    @Test func rangesThatOverlapAreJoined() throws {
        for (given, joined) in [
            ("joined=2019..2021&joined=2020-05..2023&joined=2020", "joined=2019..2023"),
            ("joined=2024..2025&joined=2019..2021", "joined=2019..2021&joined=2024..2025"),
            ("joined=..2020&joined=2019..2022", "joined=..2022"), ("joined=2020&joined=2020..", "joined=2020.."),
            // No text says a range without any end.
            ("joined=..2020&joined=2019..", "joined=..2020&joined=2019.."),
        ] {
            let link = try #require(client.get("/?\(given)").fields["Link"])
            #expect(link.contains("</?\(joined)>; rel=\"first\""), "\(given): \(link)")
        }
    }

    @Test func aPageDoesNotGrowWithTheSquareOfWhatIsChosen() throws {
        #expect(client.get("/?\(query(20))").text.matches(of: /class="chip"/).count == 20)
        let target = "/?\(query(400))&joined=2020"
        let many = client.get(target).text
        let chips = many.matches(of: /<a class="chip" href="([^"]*)" aria-label="([^"]*)"/)
        #expect(chips.map { String($0.1) }.contains("/?joined=2020"), "all of a filter are one chip")
        #expect(
            chips.map { String($0.2) } == ["Remove Abteilung: Abteilung: 400", "Remove Dabei seit: Dabei seit 2020"])
        #expect(many.utf8.count < 20 * target.utf8.count)
        #expect(many.matches(of: /type="checkbox" name="department" value="x[0-9]+" checked/).count == 400)
    }

    @Test func linksToPeopleLeaveALongSelectionOut() throws {
        let short = client.get("/?\(query(20))&department=Vertrieb&sort=id&lang=en").text
        #expect(short.contains(/href="\/users\/zoe\?department=Vertrieb&amp;[^"]*&amp;sort=id&amp;lang=en"/))
        let long = client.get("/?\(query(399))&department=Vertrieb&sort=id&lang=en").text
        #expect(long.contains("href=\"/users/zoe?lang=en\""))
    }

    /// No other connection waits while many parameters are read.
    @Test(arguments: ["/", "/nothing", "/healthz", "/export.csv", "/events", "/style.css", "/users/anna-mueller"])
    func longRequestsAreReadInThePool(_ path: String) throws {
        let long = "\(path)?" + String(repeating: "z=1&", count: 200)
        #expect(client.isAnsweredByPool(long))
        #expect(client.get(long).status == client.get("\(path)?z=1").status)
    }

    @Test func aLongRequestIsFoundInTheCache() throws {
        let target = "/fragment?" + String(repeating: "z=1&", count: 200)
        _ = client.get(target)
        let reads = client.store.reads
        _ = client.get(target)
        _ = client.get(target)
        #expect(client.store.reads == reads && !client.isAnsweredByPool(target))
    }
}
