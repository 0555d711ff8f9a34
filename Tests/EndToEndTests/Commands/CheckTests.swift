import Base
import Checks
import Foundation
import HTTPClient
import StandIn
import Synchronization
import TestSupport
import Testing

@Suite("rollcall check", .onThreadsForPrograms)
final class CheckTests: Stage {
    private static func people(_ ids: some Sequence<Int>) -> String {
        // Two users share a name, some have none, and reputations repeat.
        ids.map {
            let name = $0 % 7 == 0 ? "null" : "\"Some <\($0 / 2)> Bödy\""
            return
                #"{"id":\#($0),"login":"user\#($0)","name":\#(name),"reputation":\#($0 % 5 == 0 ? "null" : "\($0 % 40 * 1000)")}"#
        }.joined(separator: "\n")
    }

    private func importPeople(_ ids: some Sequence<Int>) throws {
        try load(Self.people(ids), into: "team", "--order", "id")
    }

    /// The faults that a check finds, in this process.
    private struct Checked: Sendable {
        var seen: CheckProgress?
        /// The notes, and the fault last.
        var said = ""

        init(_ url: String, timeout: Duration = .seconds(60)) throws {
            var limits = Client.Limits()
            limits.silence = timeout
            var notes = ""
            do {
                let client = try Client(limits: limits, userAgent: "check/1")
                let check = try DirectoryCheck(WebAddress(url), client: client) { event in
                    if case .note(let text) = event { notes += text + "\n" }
                }
                seen = try check.run()
            } catch let fault as RollcallError { notes += "\(fault)\n" }
            said = notes
        }

        /// Checks several pages side by side: before a check reports a fault, it waits to see whether the directory has
        /// changed.
        static func all(_ pages: [(url: String, timeout: Duration)]) -> [Checked?] {
            final class Results: Sendable { let all = Mutex<[Int: Checked]>([:]) }
            let results = Results()
            let threads = pages.enumerated().map { index, page in
                OwnedThread {
                    let checked = try? Checked(page.url, timeout: page.timeout)
                    results.all.withLock { $0[index] = checked }
                }
            }
            for thread in threads { thread.join() }
            return results.all.withLock { all in pages.indices.map { all[$0] } }
        }
    }

    /// Runs `rollcall check`.
    private func program(_ url: String) throws -> Output { try run(binary(), ["check", url]) }

    @Test func aConsistentServerPasses() throws {
        try importPeople(1...250)
        let server = try serve("--base-path", "/people")
        for query in [
            "", "/", "/?sort=name", "/?sort=name&order=desc", "/?sort=login&per_page=7", "/?sort=reputation&per_page=9",
            "/?sort=reputation&order=desc",
            "/?directory=team&view=grid&order=desc", "/?q=some&sort=reputation", "/?q=nobody%20at%20all",
        ] {
            let checked = try Checked(server.url + "/people" + query)
            let count = query.contains("nobody") ? 0 : query.contains("some") ? 215 : 250
            #expect(checked.seen?.users == count, "\(query): \(checked.said)")
        }
        let output = try program(server.url + "/people")
        #expect(output.status == 0 && output.output.hasPrefix("250 users"), "\(output)")
        #expect(output.output.contains("JSON and export agree"), "\(output)")
    }

    /// Pages and exports begin in the directory's own order, and the JSON in the order by id.
    @Test func theOrdersOfADirectoryWithSettingsAreChecked() throws {
        let rows = (1...130).map { "P\($0 * 37 % 130);x;\($0 % 3 == 0 ? "" : "0\($0 % 9 + 1).05.2019")\n" }
        try load("Name;Position;Eintritt\n" + rows.joined(), into: "staff")
        let server = try serve()
        for query in [
            "", "/?sort=joined", "/?sort=-joined&per_page=7", "/?sort=name", "/?sort=-name", "/?order=desc",
            "/?sort=id", "/?sort=name&q=p1",
        ] {
            let checked = try Checked(server.url + query)
            #expect(checked.seen?.users == (query.contains("q=") ? 41 : 130), "\(query): \(checked.said)")
        }
        #expect(try Checked(server.url + "/?sort=-joined").seen?.sort == "joined, desc")
        let filtered = try Checked(
            server.url + "/?joined=2019-05-02&joined=2019-05-05..2019-05-06&reputation=&per_page=7")
        #expect(filtered.seen?.users == 44, "\(filtered.said)")
        let own = try Checked(server.url)
        #expect(own.seen?.sort == "place, asc")
        #expect(own.said.contains("no list contains what the order by place sorts by"))
    }

    /// Numbers and texts of a column of texts are in one order. A text in a column of numbers is no number: its row is
    /// among those without one.
    @Test func textsAmongNumbersAreChecked() throws {
        try load(#"[{"name":"Ann Lee","shelf":7},{"name":"Bo Ek","shelf":"8x"}]"#, into: "rooms", "--sorts", "shelf")
        let type = #"{"fields":[{"key":"points","from":"points","type":"number"}],"sorts":["points"]}"#
        let settings = try write("points.json", type)
        try load("Name,points\nAnn,1\nBo,\nCy,n/a\nDi,2\nEd,abc\n", into: "points", "--settings", settings)
        let server = try serve()
        #expect(try Checked(server.url + "/?directory=rooms&sort=shelf").seen?.users == 2)
        let mirror = try StandIn(Mirror(server.url) { $0.replace("8x", "5x") })
        let said = try Checked(mirror.url + "/?directory=rooms&sort=shelf").said
        #expect(said.contains("expected the order by shelf, asc, found user 2 (“5x”) after user 1"), "\(said)")
        for sort in ["points", "-points"] {
            let checked = try Checked(server.url + "/?directory=points&sort=\(sort)")
            #expect(checked.seen?.users == 5, "\(checked.said)")
        }
    }

    @Test func aPrivateSiteIsCheckedWithoutItsExport() throws {
        try importPeople(1...120)
        let server = try serve("--private")
        let checked = try Checked(server.url)
        #expect(checked.seen?.users == 120 && checked.said.contains("has no exports: none is compared"))
    }

    @Test func aServerWithAPublicURLIsCheckedLocally() throws {
        try importPeople(1...120)
        let server = try serve("--base-path", "/people", "--public-url", "https://www.example.org/people")
        let checked = try Checked(server.url + "/people/?per_page=50")
        #expect(checked.seen?.users == 120 && checked.seen?.pages == 3, "\(checked.said)")
    }

    @Test func aServerWithoutADirectoryPasses() throws {
        let server = try serve()
        let checked = try Checked(server.url)
        #expect(checked.seen?.users == 0 && checked.seen?.pages == 1, "\(checked.said)")
    }

    @Test func everyFaultIsNamed() throws {
        try importPeople(1...200)
        let server = try serve()
        let mirrors = try Fault.all.map { try StandIn(Mirror(server.url, $0.edit)) }
        let checks = Checked.all(mirrors.map { ($0.url + "/?per_page=50", .seconds(60)) })
        for (fault, checked) in zip(Fault.all, checks) {
            #expect(checked?.seen == nil && checked?.said.contains(fault.expected) == true, "\(fault.expected)")
        }
        let mirror = try StandIn(Mirror(server.url) { $0.exchange(100, 102) })
        let output = try program(mirror.url + "/?sort=name&order=desc&per_page=100")
        #expect(output.status == 1 && output.output.isEmpty && output.error.hasPrefix("rollcall: "), "\(output)")
        #expect(output.error.contains("desc, found user 102 (“Some <50> Bödy”) after user 101 ("), "\(output.error)")
        let lettered = try StandIn(
            Mirror(server.url) { if $0.isFor("/letters") { $0.text.replace(/"count":(?=\d\d)/, with: "\"count\":-") } })
        let said = try Checked(lettered.url + "/?sort=name&per_page=200").said
        #expect(said.contains("/letters.json?sort=name&per_page=200: expected the number"), "\(said)")
    }

    @Test func cutAndHangingResponsesAreNamed() throws {
        try importPeople(1...200)
        let server = try serve()
        let faults: [(FaultProxy.Fault, String)] = [
            (.cut, "Server returned nothing"), (.cutHalfway, "Transferred a partial file"),
            (.hold, "did not answer in time"), (.answer(503, body: "busy"), "answered 503"),
        ]
        let proxies = try faults.map { fault, _ in
            let proxy = try FaultProxy(to: server.port)
            proxy.set(next: [.pass, fault])
            return proxy
        }
        let pages = zip(proxies, faults).map { proxy, fault -> (String, Duration) in
            let timeout = if case .hold = fault.0 { Duration.seconds(5) } else { Duration.seconds(60) }
            return (proxy.url + "/?per_page=50", timeout)
        }
        for (checked, (_, expected)) in zip(Checked.all(pages), faults) {
            let said = try #require(checked).said
            #expect(said.contains("/fragment?since=50&per_page=50: ") && said.contains(expected), "\(said)")
        }
        for proxy in proxies {
            proxy.release()
            proxy.stop()
        }
        server.stop()
        #expect(try Checked(server.url).said.contains("Couldn't connect"))
    }

    @Test func aDirectoryThatChangesIsWalkedAgain() throws {
        try importPeople(1...200)
        let server = try serve()
        let (first, last) = (Counter(200), Counter())
        let mirror = try StandIn(
            Mirror(server.url) { [database, port = server.port] answer in
                guard answer.target == "/fragment?since=50&per_page=50", first.value < last.value else { return }
                let total = first.add()
                // Adds a user between those already read and those still to come.
                let arguments = ["import", "file", "-", "--directory", "team", "--database", database]
                let output = try? run(binary(), arguments, input: Data(Self.people([1000 + total]).utf8))
                #expect(output?.status == 0, "\(output?.error ?? "")")
                try? eventually("the server has \(total) users") {
                    (try? Exchange(port: port, target: "/fragment"))?.fields["x-total-count"] == "\(total)"
                }
            })
        last.add(201)
        let once = try Checked(mirror.url + "/?per_page=50")
        #expect(once.seen?.users == 201 && once.said.contains("has changed in the meantime: starting again"))
        last.add(99)
        let always = try Checked(mirror.url + "/?per_page=50")
        #expect(always.seen == nil && first.value == 204)
        #expect(always.said.contains("the directory changed during each of 3 walks"), "\(always.said)")
    }

    @Test func addressesThatCannotBeCheckedAreReported() throws {
        let since = try Checked("http://a.example/?since=3").said
        #expect(since.contains("/?since=3: expected an address without since"))
        try importPeople(1...3)
        let server = try serve()
        for (path, expected) in [("/?sort=nope", "answered 400: sort"), ("/?per_page=x", "answered 400: per_page")] {
            let checked = try Checked(server.url + path)
            #expect(checked.seen == nil && checked.said.contains(expected), "\(checked.said)")
        }
        let other = try StandIn(OtherSite())
        for (address, found) in [
            (server.url + "/api/v3/users", "application/json; charset=utf-8"), (server.url + "/nowhere", "status 404"),
            (server.url + "/?directory=x", "status 404"), (server.url + "/healthz", "text/plain; charset=utf-8"),
            (server.url + "/users/user1", "HTML with no list of people (id=\"users\") in it"),
            (other.url + "/page", "HTML with no list of people (id=\"users\") in it"),
            (other.url + "/moved", "status 301, which leads to /page"),
            (other.url + "/nothing", "an answer of no type"),
        ] {
            let message = "expected the page of a directory, as in http://127.0.0.1:8080/, found \(found)\n"
            #expect(try Checked(address).said == "\(address): \(message)")
        }
        let encrypted = try Checked(server.url.replacing("http:", with: "https:"))
        #expect(encrypted.said.contains("expected a running Rollcall there, which speaks http:// itself"))
    }
}

/// A server that is not Rollcall.
private struct OtherSite: World {
    func answer(_ asked: StandIn.Asked) -> Canned {
        switch asked.target {
        case "/page": Canned(200, "<!doctype html><p id=x>Hello <b").with("Content-Type", "text/html")
        case "/moved": Canned(301).with("Location", "/page")
        default: Canned(200, "")
        }
    }
}

/// A mistake that a server may make, and the message that reports it.
private struct Fault: Sendable {
    let expected: String
    let edit: @Sendable (inout Mirrored) -> Void

    init(_ expected: String, _ edit: @escaping @Sendable (inout Mirrored) -> Void) {
        (self.expected, self.edit) = (expected, edit)
    }

    /// A mistake in the answers for targets that begin with `start`, which is reported for the second page of these.
    init(_ start: String, _ expected: String, _ edit: @escaping @Sendable (inout Mirrored) -> Void) {
        let rest = start == Self.export ? "&proof=1: " : Self.rest
        self.init(start + rest + expected) { if $0.isFor(start) { edit(&$0) } }
    }

    static let (page, fragment, json) = ("/?since=50", "/fragment?since=50", "/api/v3/users?since=50")
    static let export = "/export.ndjson?per_page=50"
    static let (rest, source) = ("&per_page=50: ", "as in /api/v3/users?since=50&per_page=50")

    static let all = [
        Fault("\(json)\(rest)user 60 comes twice in a row") { $0.change(60) { $0 + $0 } },
        Fault("\(json)\(rest)expected the order by id, asc, found user 60 after user 61") { $0.exchange(60, 61) },
        Fault("\(page)\(rest)user 61: expected aria-posinset 60, found 61") { $0.change(60) { _ in "" } },
        Fault("\(page)\(rest)expected user 61 at position 60 \(source), found user 60") {
            if $0.isFor("/api") { $0.change(60) { _ in "" } }
        },
        Fault(fragment, "expected user 60 at position 60 \(source), found user 61") { $0.change(60) { _ in "" } },
        Fault(page, "expected user 100 at position 100 \(source), found nobody more") { $0.change(100) { _ in "" } },
        Fault(json, "expected X-Total-Count 200 as before, found 201") { $0.fields["x-total-count"] = "201" },
        Fault("/?per_page=50: expected the total 201 as in /api/v3/users?per_page=50, found 200") {
            if $0.isFor("/api") { $0.fields["x-total-count"] = "201" }
        },
        Fault("/api/v3/users?per_page=50: expected X-Total-Count to be the aria-setsize an unknown number, found -1") {
            if $0.isFor("/api") { $0.fields["x-total-count"] = "-1" }
        },
        Fault("/api/v3/users?since=150&per_page=50: ends after 200 users, expected 201 as X-Total-Count says") {
            $0.say(total: 201)
        },
        Fault(fragment, "expected X-Total-Count to be the aria-setsize 200, found 7") {
            $0.fields["x-total-count"] = "7"
        },
        Fault("\(page)\(rest)user 60: expected the name “Somebody” \(source), found “Some <30> Bödy”") {
            $0.change(60) { $0.replacing(/"name":"[^"]*"/, with: "\"name\":\"Somebody\"") }
        },
        Fault(fragment, "user 60: expected the login “user60” \(source), found “other”") {
            $0.replace("/users/user60", "/users/other")
        },
        Fault(page, "user 61: expected the reputation 21000 \(source), found 31000") { $0.replace("21,000", "31,000") },
        Fault(fragment, "user 60: expected aria-posinset 60, found 59") {
            $0.replace("aria-posinset=\"60\"", "aria-posinset=\"59\"")
        },
        Fault(json, "leads in circles, back to /api/v3/users?per_page=50") { $0.relink("since=100&", "") },
        Fault(json, "leads in circles, back to \(json)&per_page=50") { $0.relink("since=100", "since=50") },
        Fault(json, "leads to http://other.example:") { $0.relink("http://127.0.0.1:", "http://other.example:") },
        Fault(fragment, "ends here, where \(json)&per_page=50 leads on to /api/v3/users?since=100&per_page=50") {
            $0.fields["link"] = nil
            $0.text = $0.text.replacing(/<a class="next".*/, with: "<p class=\"end\"></p>")
        },
        Fault(page, "expected the same next page in the Link field and in the HTML, found /?since=90") {
            $0.relink("since=100", "since=90")
        },
        Fault(page, "leads to the fragment /fragment?since=99&per_page=50, where \(fragment)&per_page=50 leads") {
            $0.replace("/fragment?since=100", "/fragment?since=99")
        },
        Fault(fragment, "answered 500: out of order") {
            ($0.status, $0.text) = (500, #"{"message":"out of order"}"#)
        },
        Fault(json, "answered 302") { $0.status = 302 },
        Fault(json, "expected application/json as Content-Type, found text/plain") {
            $0.fields["content-type"] = "text/plain"
        },
        Fault(page, "expected an ETag, found none") { $0.fields["etag"] = nil },
        Fault(json, "expected") { $0.text.removeLast(30) },
        Fault(fragment, "expected <a class=\"next\"> or <p class=\"end\"> after the last user, found neither") {
            $0.text = $0.text.replacing(/<a class="next".*/, with: "")
        },
        Fault(export, "line 60: expected user 60 as in the lists, found user 61") { $0.change(60) { _ in "" } },
        Fault("\(export)&proof=1: has user 200, who is in none of the lists") {
            guard !$0.isFor("/export") else { return }
            $0.change(200) { _ in "" }
            $0.say(total: 199)
        },
        Fault(export, "is cut off after 200 users") { $0.replace("{\"rollcall\":{\"count\":200}}\n", "") },
        Fault(export, "has 200 users and says 199, expected 200") { $0.replace("\"count\":200", "\"count\":199") },
        Fault(export, "answered 404") { $0.status = 404 },
    ]
}

/// A real server's response, to be falsified.
private struct Mirrored {
    let target: String
    var status: Int
    var fields: [String: String]
    var text: String

    func isFor(_ start: String) -> Bool { target.hasPrefix(start) }

    mutating func replace(_ old: String, _ new: String) { text = text.replacing(old, with: new) }

    /// Changes a user's object, line or article.
    mutating func change(_ id: Int, _ body: (String) -> String) {
        let patterns = [
            #",?\{"login":"user\#(id)",.*?\}(?=,\{"login":|\]\s*$)"#, #"\{"id":\#(id),[^\n]*\n"#,
            #"<article[^>]*data-id="\#(id)"[\s\S]*?</article>"#,
        ]
        for pattern in patterns {
            guard let place = text.range(of: pattern, options: .regularExpression) else { continue }
            text.replaceSubrange(place, with: body(String(text[place])))
        }
    }

    /// Exchanges the ids of two users in JSON.
    mutating func exchange(_ one: Int, _ other: Int) {
        replace("\"id\":\(one),", "\"id\":0,")
        replace("\"id\":\(other),", "\"id\":\(one),")
        replace("\"id\":0,", "\"id\":\(other),")
    }

    mutating func relink(_ old: String, _ new: String) {
        guard let link = fields["link"], let next = link.firstRange(of: "rel=\"next\"") else { return }
        fields["link"] = String(link[..<next.upperBound]).replacing(old, with: new) + String(link[next.upperBound...])
    }

    /// Changes the total in lists.
    mutating func say(total: Int) {
        if fields["x-total-count"] != nil { fields["x-total-count"] = "\(total)" }
        for name in ["data-total", "aria-setsize"] { replace("\(name)=\"200\"", "\(name)=\"\(total)\"") }
    }
}

/// A running Rollcall whose responses are falsified.
private struct Mirror: World {
    let url: String
    let edit: @Sendable (inout Mirrored) -> Void

    init(_ url: String, _ edit: @escaping @Sendable (inout Mirrored) -> Void) { (self.url, self.edit) = (url, edit) }

    func answer(_ asked: StandIn.Asked) -> Canned {
        do {
            let fields = asked.validator.map { [(name: "If-None-Match", value: $0)] } ?? []
            let client = try Client(userAgent: "mirror/1")
            let answer = try client.fetch(ClientRequest(WebAddress(url + asked.target), fields: fields))
            var seen = Mirrored(
                target: asked.target, status: answer.status, fields: answer.fields,
                text: String(decoding: answer.body, as: UTF8.self))
            // Links in JSON are absolute.
            seen.fields["link"]?.replace(url, with: "http://" + asked.authority)
            edit(&seen)
            var canned = Canned(seen.status, seen.text)
            for name in ["Content-Type", "ETag", "Link", "X-Total-Count"] as [StaticString] {
                if let value = seen.fields["\(name)".lowercased()] { canned = canned.with(name, value) }
            }
            return canned
        } catch { return Canned(502, "\(error)") }
    }
}
