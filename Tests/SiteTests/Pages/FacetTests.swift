import Directories
import HTTP
import Testing

@testable import Site

@Suite("Filtering users by facets")
struct FacetTests {
    let client: SiteClient

    init() throws {
        var crew = Directory.people
        crew.facets = [
            FacetCounts(.status, [.init(value: "Alive", count: 1439), .init(value: "Dead \"&", count: 2)]),
            FacetCounts(.species, [.init(value: "Human", count: 1441)]),
        ]
        let users = (1...40).map { id in
            User.make(Int64(id), more: #"{"status":"\#(id % 2 == 0 ? "Alive" : "Dead")","species":"Human"}"#)
        }
        client = try SiteClient(store: FakeStore(users, directories: [crew]))
    }

    @Test func theFormOffersValuesWithTheirCounts() {
        let text = client.get("/?status=Alive").text
        #expect(text.contains("<label>Status <select name=\"status\">\n<option value=\"\">Any</option>"))
        #expect(text.contains("<option value=\"Alive\" selected>Alive (1,439)</option>"))
        #expect(text.contains("<option value=\"Dead &quot;&amp;\">Dead &quot;&amp; (2)</option>"))
        #expect(!text.contains("name=\"species\""), "a facet with a single value is not offered")
        #expect(text.contains("<title>Alive · People</title>"))
        #expect(client.get("/?species=Human").text.contains("<option value=\"Human\" selected>Human (1,441)</option>"))
    }

    /// Counts are stored for whole directories: combined with other filters they would be wrong.
    @Test(arguments: ["q=user", "species=Human", "q=user&status=Alive"])
    func countsAreShownOnlyWhenTheyAreRight(others: String) {
        #expect(client.get("/?\(others)").text.contains(">Dead &quot;&amp;</option>"))
    }

    @Test func aLongMenuIsAlphabeticalAndHasNoCounts() throws {
        var crew = Directory.people
        let values = ["Ä b", "z", "B", "a  c", "d", "e", "f", "g", "h"]
        crew.facets = [FacetCounts(.species, values.map { .init(value: $0, count: 3) })]
        let text = try SiteClient(store: FakeStore([.make(1)], directories: [crew])).get("/").text
        let menu = try #require(text.firstMatch(of: /<select name="species">\n((?s).*?)<\/select>/)?.1)
        let lines = menu.split(separator: "\n").map(String.init)
        #expect(lines[0] == #"<option value="" selected>Any</option>"#)
        #expect(lines[1] == #"<option value="a  c">a  c</option>"#, "HTML would collapse the spaces")
        #expect(lines[2...].first == "<option>B</option>" && lines.last == "<option>Ä b</option>")
    }

    @Test func thePageNamesTheSelectedValues() {
        let text = client.get("/?status=Alive&species=Human").text
        #expect(text.contains("<strong>20</strong> <span dir=\"auto\">people · Alive · Human</span>"))
        #expect(text.contains("content=\"Alive · Human · 20 people in People\""))
        #expect(
            client.get("/?q=user&status=Alive").text.contains("<span dir=\"auto\">matches for “user” · Alive</span>"))
    }

    /// Without scripts, the form also sends the facets of the directory that the visitor leaves.
    @Test func facetsDoNotCarryOverToAnotherDirectory() throws {
        var others = DirectoriesTests.crew
        others.facets = [FacetCounts(.status, [.init(value: "Alive", count: 1), .init(value: "Dead", count: 39)])]
        client.store.state.withLock { $0.directories.append(others) }
        #expect(client.get("/").text.contains("<input type=\"hidden\" name=\"facets_of\" value=\"people\">"))
        let plain = client.get("/?directory=crew&q=user")
        let other = client.get("/?facets_of=people&q=user&directory=crew&status=Alive&species=&sort=&order=asc")
        #expect(other.text == plain.text && other.fields["Link"] == plain.fields["Link"])
        #expect(other.text.contains("name=\"facets_of\" value=\"crew\""))
        #expect(client.get("/?facets_of=people&directory=people&status=Alive").fields["X-Total-Count"] == "20")
    }

    @Test func aSingleDirectoryNeedsNoFacetOwner() {
        #expect(!client.get("/").text.contains("facets_of"))
    }

    @Test(arguments: ["/", "/fragment", "/api/v3/users"])
    func linksKeepTheFacets(path: String) throws {
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

    @Test func valuesMatchInAnyCaseAndKeepTheirSpelling() throws {
        let link = try #require(client.get("/fragment?status=aLIVE").fields["Link"])
        #expect(link.contains("status=Alive"))
        #expect(
            client.get("/fragment?status=aLIVE").fields["ETag"] == client.get("/fragment?status=Alive").fields["ETag"])
        #expect(
            client.get("/fragment?status=Dead").fields["ETag"] != client.get("/fragment?status=Alive").fields["ETag"])
    }

    @Test func aValueThatNoUserHasMatchesNoUsers() {
        let response = client.get("/?status=Zombie")
        #expect(response.status == .ok && response.fields["X-Total-Count"] == "0")
        #expect(response.text.contains("Nobody here matches all of these filters."))
        #expect(response.text.contains("<option value=\"Zombie\" selected>Zombie (0)</option>"))
    }

    @Test func aSearchThatAFilterEmptiesNamesItAndLeadsOn() {
        // That value is in no record of the store.
        let text = client.get("/?q=user2&status=Dead%20%22%26&view=grid").text
        #expect(
            text.contains(
                "No name or login here matches <q dir=\"auto\">user2</q> with <bdi>Status: Dead &quot;&amp;</bdi>."))
        // user2, and user20 to user29
        #expect(
            text.contains(
                "href=\"/?q=user2&amp;view=grid\">Show 11 people without Status: Dead &quot;&amp;</a>"))
    }

    @Test func everyFilterThatAloneIsToBlameIsNamed() {
        let text = client.get("/?q=user2&status=Alive&species=Robot").text
        #expect(text.contains("with <bdi>Status: Alive, Species: Robot</bdi>."))
        #expect(text.contains("href=\"/?q=user2&amp;status=Alive\">Show 6 people without Species: Robot</a>"))
        #expect(!text.contains("without Status"))
        let both = client.get("/?q=user2&status=Zombie&species=Robot").text
        #expect(both.contains("href=\"/?q=user2\">Show 11 people without Status: Zombie, Species: Robot</a>"))
        let wordless = client.get("/?status=Alive&species=Robot").text
        #expect(wordless.contains("Nobody here has all of <bdi>Status: Alive, Species: Robot</bdi>."))
        #expect(wordless.contains("href=\"/?status=Alive\">Show 20 people without Species: Robot</a>"))
    }

    @Test func wordsThatNobodyHasAreToldAsWithoutFilters() {
        let text = client.get("/?q=nobody&status=Alive").text
        #expect(text.contains("matches <q dir=\"auto\">nobody</q>. Every word") && !text.contains("without Status"))
        let reads = client.store.reads
        _ = client.get("/?q=user3&status=Alive")
        #expect(client.store.reads == reads + 1, "matches need no further search")
    }

    @Test func whatTheDirectoryDoesNotHaveIsNoParameter() {
        #expect(client.get("/fragment?user_type=x&gender=Male&status=").fields["X-Total-Count"] == "40")
    }

    @Test func malformedFacetsAreErrors() {
        #expect(client.get("/fragment?status=Al%FFive").text.contains("status: expected UTF-8 text"))
        let long = client.get("/api/v3/users?species=" + String(repeating: "x", count: 300))
        #expect(long.status == .badRequest && long.text.contains("species: expected at most 256 bytes"))
    }

    @Test func directoriesWithoutFacetsHaveNoFacetMarkup() throws {
        let plain = try SiteClient((1...3).map { .make($0, more: #"{"status":"Alive"}"#) })
        let text = plain.get("/").text
        #expect(!text.contains("Alive") && !text.contains("<svg"))
    }

    @Test func charactersShowTheirStatus() {
        let text = client.get("/fragment?per_page=2").text
        #expect(text.contains(##"fill="#d13c3c"/></svg> Dead</span> <span>Human</span></p>"##))
        #expect(text.contains(##"fill="#2a9d4a"/></svg> Alive</span> <span>Human</span></p>"##))
        #expect(client.get("/users/user2").text.contains("</svg> Alive</span>"))
    }

    @Test(arguments: [
        (#"{"badge_counts":{"bronze":1234,"silver":1,"gold":0}}"#, ["1 silver badge", "1,234 bronze badges"]),
        (#"{"badge_counts":{}}"#, []), ("{\"badge_counts\":7}", []), ("{", []), ("", []),
    ])
    func stackExchangeUsersShowTheirBadges(more: String, marks: [String]) {
        let bytes = Array(more.utf8)
        let found = bytes.withUnsafeBytes { Badge.ofStackExchange(in: $0) }
        #expect(found.map { "\($0.text) \($0.label ?? "")" } == marks)
    }
}
