import Base
import Logging
import People
import Server
import Testing

@testable import Site

@Suite("Walls and lists without a server")
final class PeopleTableTests {
    private static let bots: [User] = [
        .make(1, "ann", name: "Ann"), .make(2, "build", name: "Build", more: #"{"type":"Bot"}"#),
        .make(3, "bo", name: "Bo"), .make(4, "merge[bot]", name: "Merge"), .make(5, "cy", name: "Cy"),
    ]

    private func site(_ users: [User], _ directory: Directory = .people) throws -> Site {
        let site = try Self.makeSite(users, directory)
        sites.append(site)
        return site
    }

    private static func makeSite(_ users: [User], _ directory: Directory) throws -> Site {
        try Site(
            configuration: Site.Configuration(), store: FakeStore(users, directories: [directory]), assets: .builtIn,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private var sites: [Site] = []

    deinit { sites.forEach { $0.close() } }

    private func table(_ users: [User], _ directory: Directory = .people, max: Int = 100) throws -> PeopleTable {
        try site(users, directory).table([], max: max, showsBots: false)
    }

    // MARK: Bots

    @Test func botsAreInNoWallAndNotAmongTheOthers() throws {
        let client = try SiteClient(Self.bots, directories: [.of(.gitHub)])
        let wall = client.get("/wall.svg?max=1").text
        #expect(wall.contains("<title>Ann</title>") && wall.contains(">+2<"))
        let whole = client.get("/wall.svg").text
        #expect(whole.contains("<title>Cy</title>") && !whole.contains("Build") && !whole.contains("Merge"))
        #expect(!whole.contains(">+"))
    }

    @Test func aWallIsFullEvenIfBotsComeFirst() throws {
        let client = try SiteClient(Array(Self.bots.dropFirst()), directories: [.of(.gitHub)])
        let wall = client.get("/wall.svg?max=2").text
        #expect(wall.contains("<title>Bo</title>") && wall.contains("<title>Cy</title>") && !wall.contains(">+"))
    }

    @Test func botsComeIfTheyAreAskedFor() throws {
        let client = try SiteClient(Self.bots, directories: [.of(.gitHub)])
        #expect(client.get("/wall.svg?max=1&bots=1").text.contains(">+4<"))
        #expect(client.get("/wall.svg?bots=2").text.contains("bots: expected 1, found “2”"))
        #expect(try site(Self.bots, .of(.gitHub)).table([], max: 9, showsBots: true).count == 5)
    }

    @Test func theCommandWritesWhatTheServerServes() throws {
        let served = try SiteClient(Self.bots, directories: [.of(.gitHub)]).get(
            "/wall.svg?columns=2&max=2"
        ).text
        let written = try site(Self.bots, .of(.gitHub)).wall([("columns", "2"), ("max", "2")])
        #expect(written.map { String(decoding: $0, as: UTF8.self) } == served)
    }

    /// Whoever keeps the site keeps the store, whose threads then use it while the program ends.
    @Test func nothingIsLeftOfASiteThatIsClosed() throws {
        weak var left: Site?
        do {
            let site = try Self.makeSite(Self.bots, .of(.gitHub))
            left = site
            _ = try site.wall([("max", "2")])
            site.close()
        }
        #expect(left == nil)
    }

    @Test(arguments: [
        ("columns", "0", "columns: expected a number from 1 to 100"), ("sort", "nope", "sort: expected one of"),
        ("talk", "x", "talk: unknown"), ("since", "3", "since: unknown"),
    ])
    func aCommandNamesWrongParameters(_ name: String, _ value: String, _ message: String) throws {
        let error = #expect(throws: RollcallError.self) { try site(Self.bots, .of(.gitHub)).wall([(name, value)]) }
        #expect(error?.description.hasPrefix(message) == true)
    }

    // MARK: Tables

    @Test func rowsHaveNameFieldsAndFigure() throws {
        var users = Staff.users
        users[0].more = users[0].more.map {
            #"{"Punkte":1200,"# + $0.dropFirst().replacing("https://anna.example/", with: "https://anna.example/a|b")
        }
        let table = try table(users, Staff.directoryWithFigure)
        #expect(
            table.markdown.hasPrefix(
                """
                | Name | Position | Abteilung | Punkte |
                | --- | --- | --- | ---: |
                | [Anna Müller](<https://anna.example/a%7Cb>) | Leiterin | Vertrieb | 1,200 |

                """))
        #expect(table.text.hasPrefix("Anna Müller\tLeiterin\tVertrieb\t1,200\n"))
    }

    @Test func markupOfNamesIsText() throws {
        let (name, more) = ("<b>E</b> *v* | [e](http://x.example) @you\tz", #"{"html_url":"javascript:alert(1)"}"#)
        let table = try table([.make(1, "eve", name: name, more: more)], .of(.gitHub))
        let line = table.markdown.split(separator: "\n")[2]
        #expect(line == #"| &lt;b&gt;E&lt;/b&gt; \*v\* \| \[e\]\(http&#58;//x\.example\) &#64;you z |"#)
        let html = table.html(columns: 7, size: 64)
        #expect(html.contains("&lt;b&gt;E&lt;/b&gt;") && !html.contains("<b>E") && !html.contains("javascript"))
        #expect(table.text == "<b>E</b> *v* | [e](http://x.example) @you z\n")
    }

    @Test func facesStandInRowsWithLinksOfTheWebOnly() throws {
        var people = (1...3).map { User.make(Int64($0), "u\($0)", name: "U\($0)") }
        people[0].avatarURL = "https://pictures.example/1?a&b"
        people[0].more = #"{"html_url":"https://one.example/"}"#
        let html = try table(people, .of(.gitHub)).html(columns: 2, size: 48)
        #expect(html.components(separatedBy: "<tr>").count == 3)
        #expect(
            html.contains(
                #"<a href="https://one.example/"><img src="https://pictures.example/1?a&amp;b" width="48" height="48""#)
        )
        #expect(html.contains(#"<td align="center" valign="top"><sub><b>U2</b></sub></td>"#))
    }
}
