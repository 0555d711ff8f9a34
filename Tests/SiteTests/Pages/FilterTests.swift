import People
import Server
import Testing

@testable import Site

@Suite("Filtering users by their values")
struct FilterTests {
    let client: SiteClient

    init() throws {
        let status = FilterCounts(.status, ["Alive": 1439, "Dead \"&": 2])
        let crew = Directory.of(.rickAndMorty, status, FilterCounts(.species, ["Human": 1441]))
        let users = (1...40).map { id in
            User.make(Int64(id), more: #"{"status":"\#(id % 2 == 0 ? "Alive" : "Dead")","species":"Human"}"#)
        }
        client = try SiteClient(users, directories: [crew])
    }

    @Test func theFormOffersValuesWithTheirCounts() {
        client.store.state.withLock { $0.counts = [[1439, 2]] }
        let text = client.get("/?status=Alive").text
        #expect(
            text.contains(
                "<span>Filters</span> <b>1</b></summary><div>\n<fieldset><legend dir=\"auto\">Status</legend>\n<label>")
        )
        #expect(text.contains(choice("status", "Alive", " checked", "1,439")))
        #expect(text.contains(choice("status", "Dead &quot;&amp;", "", "2")))
        #expect(!text.contains("name=\"species\""), "a filter with a single value is not offered")
        #expect(text.contains("<title>Alive · People</title>"))
        let plain = client.get("/").text
        #expect(
            plain.contains("<span>Filters</span></summary>") && plain.contains(choice("status", "Alive", "", "1,439")))
    }

    @Test(arguments: [("statu", "status"), ("Status", "status"), ("sttaus", "status"), ("specis", "species")])
    func aNameThatIsNearlyAFiltersIsSaid(name: String, nearest: String) {
        let response = client.get("/?\(name)=Human&q=ann")
        #expect(response.status == .badRequest)
        #expect(
            response.text.contains(#"Did you mean <a href="/?\#(nearest)=Human&amp;q=ann" dir="auto">\#(nearest)</a>?"#)
        )
        #expect(response.text.contains(#"href="/?q=ann">Show the list without <bdi>\#(name)</bdi></a>"#))
    }

    /// And what JSON and fragments answer stays.
    @Test(arguments: [
        "/?utm_source=status", "/?fbclid=1&gclid=2", "/?stat=1", "/?colour=red", "/fragment?statu=Alive",
        "/api/v3/users?statu=Alive",
    ])
    func otherUnknownNamesAreIgnored(target: String) { #expect(client.get(target).status == .ok) }

    private func choice(_ name: String, _ value: String, _ checked: String, _ count: String) -> String {
        """
        <label><input type="checkbox" name="\(name)" value="\(value)"\(checked)> <bdi>\(value)</bdi> \
        <span>\(count)</span></label>
        """
    }

    @Test func countsAreThoseAmongTheOthers() throws {
        client.store.state.withLock { $0.counts = [[20, 0], [7]] }
        let text = client.get("/?q=user&species=Human").text
        #expect(
            text.contains(choice("status", "Alive", "", "20"))
                && text.contains(choice("species", "Human", " checked", "7")))
        // A value that finds nobody is folded in.
        #expect(
            text.contains(
                #"<details><summary>1 more</summary>\#n<label class="none"><input type="checkbox" name="status" value="Dead &quot;&amp;">"#
            ))
        let asked = try #require(client.store.state.withLock { $0.counted })
        #expect(asked == [ChosenFilter(.status, ["Alive", "Dead \"&"]), ChosenFilter(.species, "Human")])
    }

    @Test func whereNoValueWouldFindAnybodyAllAreFoldedIn() {
        client.store.state.withLock { $0.counts = [[0, 0]] }
        let text = client.get("/?q=nobody").text
        #expect(text.contains("<legend dir=\"auto\">Status</legend>\n<details><summary>All 2</summary>"))
        #expect(!text.contains(" more</summary>"))
        client.store.state.withLock { $0.counts = [[0, 0]] }
        #expect(client.get("/?q=nobody&lang=de").text.contains("<summary>Alle 2</summary>"))
    }

    @Test func usersThatAreTooManyToCountHaveNoCounts() {
        #expect(client.get("/?q=user").text.contains(#"value="Alive"> <bdi>Alive</bdi></label>"#))
    }

    @Test func moreValuesAreFoldedAndTheRestHasAPage() throws {
        let species = FilterCounts(.species, (1...14).map { .init(value: "s\($0)", count: 30 - $0) })
        let client = try SiteClient([.make(1)], directories: [.of(nil, species)])
        func group(_ target: String) -> (shown: [String], folded: [String], text: String) {
            let text = client.get(target).text
            let parts = text.components(separatedBy: "<details><summary>")
            let values = parts.map { $0.matches(of: #/ name="species" value="([^"]+)"/#).map { String($0.1) } }
            return (values[0], values[1], parts[1])
        }
        let plain = group("/")
        #expect(plain.shown == ["s1", "s2", "s3", "s4", "s5", "s6"])
        #expect(plain.folded == ["s7", "s8", "s9", "s10", "s11", "s12"])
        #expect(
            plain.text.hasPrefix("8 more</summary>") && plain.text.contains("<a href=\"/fields/species\">All 14</a>"))
        let chosen = group("/?species=s8&species=s14&species=new&view=grid&since=1")
        #expect(chosen.shown == ["s1", "s2", "s3", "s4", "s5", "s6", "s8", "s14", "new"])
        #expect(chosen.folded == ["s7", "s9", "s10", "s11", "s12", "s13"] && chosen.text.hasPrefix("6 more</summary>"))
        #expect(
            chosen.text.contains(
                "href=\"/fields/species?species=new&amp;species=s14&amp;species=s8&amp;view=grid\">All 14</a>"))
    }

    /// Each chosen value has a link to the same list without it.
    @Test func chosenValuesAreChipsThatRemoveThem() {
        let text = client.get("/?q=user&status=Alive&status=Dead+%22%26&species=Human&view=grid&since=m710").text
        let chips = text.matches(of: /<a class="chip" href="([^"]*)" aria-label="([^"]*)"><bdi>([^<]*)</).map {
            "\($0.1) | \($0.2) | \($0.3)"
        }
        #expect(
            chips == [
                "/?q=user&amp;status=Dead%20%22%26&amp;species=Human&amp;view=grid | Remove Status: Alive | Alive",
                "/?q=user&amp;status=Alive&amp;species=Human&amp;view=grid | Remove Status: Dead &quot;&amp; | Dead &quot;&amp;",
                "/?q=user&amp;status=Alive&amp;status=Dead%20%22%26&amp;view=grid | Remove Species: Human | Human",
            ])
        #expect(!client.get("/?q=user").text.contains("class=\"chip\""))
    }

    @Test func filtersDoNotCarryOverToAnotherDirectory() throws {
        var others = DirectoriesTests.crew
        others.filters = [FilterCounts(.status, ["Alive": 1, "Dead": 39])]
        client.store.state.withLock { $0.directories.append(others) }
        #expect(client.get("/?status=Alive").text.contains("<a href=\"/?directory=crew\" dir=\"auto\">"))
        let text = client.get("/?directory=crew&q=user").text
        #expect(text.contains("<input type=\"hidden\" name=\"directory\" value=\"crew\">"))
    }

    @Test(arguments: ["/", "/fragment", "/api/v3/users"])
    func linksKeepTheFilters(path: String) throws {
        let response = client.get(path + "?status=Alive&species=Human&per_page=5&q=user")
        #expect(response.fields["X-Total-Count"] == "20")
        let link = try #require(response.fields["Link"])
        // Pages of a search are in the order by relevance.
        let cursor = path == "/api/v3/users" ? "10" : "m710"
        #expect(link.contains("since=\(cursor)&per_page=5&q=user&status=Alive&species=Human"))
        if path != "/api/v3/users" {
            #expect(
                response.text.contains("/fragment?since=m710&amp;per_page=5&amp;q=user&amp;status=Alive&amp;species="))
        }
    }

    static let shown = [
        Shown(
            "a page names the selected values", "/?status=Alive&species=Human",
            "<p class=\"count\"><b>20</b> of 40</p>", "content=\"Alive · Human · 20 people in People\""),
        Shown("or all people", "/", "<p class=\"count\"><b>40</b> people</p>"),
        Shown("and a button how many", "/?status=Alive&per_page=1", "<button>Show 20 people</button>"),
        Shown(
            "a value that nobody has finds nobody", "/?status=Zombie",
            "<h2>No one matches <bdi>Status: Zombie</bdi></h2>", #"value="Zombie" checked> <bdi>Zombie</bdi>"#),
        // That value is in no record of the store. user2, and user20 to user29 are found without it.
        Shown(
            "a search that a filter empties names it and leads on", "/?q=user2&status=Dead%20%22%26&view=grid",
            "<h2>No one matches <q dir=\"auto\">user2</q> in <bdi>Status: Dead &quot;&amp;</bdi></h2>",
            "href=\"/?q=user2&amp;view=grid\">Remove Dead &quot;&amp; (11 matches)</a>"),
        Shown(
            "every filter that alone is to blame is named", "/?q=user2&status=Alive&species=Robot",
            "in <bdi>Status: Alive, Species: Robot</bdi></h2>",
            "href=\"/?q=user2&amp;status=Alive\">Remove Robot (6 matches)</a>", without: "Remove Alive ("),
        Shown(
            "or all of them", "/?q=user2&status=Zombie&species=Robot",
            "href=\"/?q=user2\">Remove all filters (11 matches)</a>"),
        Shown(
            "without words, too", "/?status=Alive&species=Robot",
            "<h2>No one matches <bdi>Status: Alive, Species: Robot</bdi></h2>",
            "href=\"/?status=Alive\">Remove Robot (20 matches)</a>"),
        Shown(
            "words that nobody has are told as without filters", "/?q=nobody&status=Alive",
            "<h2>No one matches <q dir=\"auto\">nobody</q></h2>", without: "matches)"),
        Shown(
            "characters show their status", "/fragment?per_page=2",
            ##"fill="#d13c3c"/></svg> Dead</span> · <span>Human</span></p>"##,
            ##"fill="#2a9d4a"/></svg> Alive</span> · <span>Human</span></p>"##),
        Shown("on their pages as well", "/users/user2", "</svg> Alive</span>"),
    ]

    @Test(arguments: shown) func listsWithFiltersShow(_ shown: Shown) { shown.check(client) }

    @Test func theTypesOfStackExchangeAreItsOwn() throws {
        let types = FilterCounts(.userType, ["registered": 2, "moderator": 1])
        let client = try SiteClient([.make(1)], directories: [.of(.stackExchange, types)])
        Shown(
            "", "/?user_type=moderator", #"value="registered"> <bdi>registered</bdi>"#,
            "<title>moderator · People</title>"
        ).check(client)
    }

    @Test func matchesNeedNoFurtherSearch() {
        _ = client.get("/?q=nobody&status=Alive")
        let reads = client.store.reads
        _ = client.get("/?q=user3&status=Alive")
        #expect(client.store.reads == reads + 1)
        let nobody = client.get("/?status=Zombie")
        #expect(nobody.status == .ok && nobody.fields["X-Total-Count"] == "0")
    }

    @Test func malformedFiltersAreErrors() {
        #expect(client.get("/fragment?status=Al%FFive").text.contains("status: expected UTF-8 text"))
        let long = client.get("/api/v3/users?species=" + String(repeating: "x", count: 300))
        #expect(long.status == .badRequest && long.text.contains("species: expected at most 256 bytes"))
    }

    @Test func directoriesWithoutFiltersHaveNoFilterMarkup() throws {
        let text = try SiteClient((1...3).map { .make($0, more: #"{"status":"Alive"}"#) }).get("/").text
        #expect(!text.contains("Alive") && !text.contains("<circle"))
    }

    @Test func aStatusOfThePublishersOwnIsNoBadge() throws {
        var directory = Staff.directory
        directory.filters = [FilterCounts(.status, ["Alive": 1])]
        let client = try SiteClient([.make(1, more: #"{"status":"Alive"}"#)], directories: [directory])
        #expect(!client.get("/").text.contains("<circle") && self.client.get("/").text.contains("<circle"))
    }

    @Test(arguments: [
        (#"{"badge_counts":{"bronze":1234,"silver":1,"gold":0}}"#, ["1 silver badge", "1,234 bronze badges"]),
        (#"{"badge_counts":{}}"#, []), ("{\"badge_counts\":7}", []), ("{", []), ("", []),
    ])
    func stackExchangeUsersShowTheirBadges(more: String, marks: [String]) {
        let bytes = Array(more.utf8)
        let found = Badge.ofStackExchange(in: bytes.span, .english)
        #expect(found.map { "\($0.text) \($0.label ?? "")" } == marks)
    }
}
