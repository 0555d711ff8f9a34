import Foundation
import TestDatabases
import TestSupport
import Testing

/// Every suite with a browser is part of this one.
@Suite(.onThreadsForBrowsers) enum BrowserTests {}

/// A server with generated users, a proxy in front of it, and a browser.
struct BrowserFixture {
    let proxy: FaultProxy
    let browser: Browser
    /// The ids of all users, in order.
    let everyone: [Int]
    /// The program's own port, which bypasses the proxy.
    let directPort: Int

    /// Adds up the layout shifts of a page in `shift`, and notes in `shifts` what moved. For `Browser.runFirst`.
    static let observingShifts = """
        window.shift = 0;
        window.shifts = [];
        new PerformanceObserver(list => {
          for (const { value, sources } of list.getEntries()) {
            shift += value;
            shifts.push(value + ' ' + scrollY + sources.map(({ node, previousRect: old, currentRect: now }) =>
              ` ${node?.id || node?.className || node?.nodeName}: ${old.top} ${old.height} to ${now.top} ${now.height}`));
          }
        }).observe({ type: 'layout-shift', buffered: true });
        """

    /// The origin that the browser uses.
    var site: String { proxy.url }

    private init(_ server: SharedServer, _ proxy: FaultProxy, _ browser: Browser) {
        (self.proxy, self.browser, everyone, directPort) = (proxy, browser, server.everyone, server.port)
        TestScope.atEnd { _ in proxy.stop() }
    }

    /// Opens a fixture for the current test, whose proxy applies faults to requests that begin with `path`. The server
    /// is shared with other tests.
    ///
    /// - Parameter isWhole: Whether the test needs tabs that are hidden, or pages that are kept when they are left.
    static func open(
        users: Int = 300, width: Int = 800, height: Int = 900, options: [String] = [],
        faultsAt path: String = "/fragment", in engine: Engine = .chromium, isWhole: Bool = false
    ) throws -> BrowserFixture {
        let server = try SharedServer.demo(users: users, options)
        let browser = try Browser.open(engine, width: width, height: height, isWhole: isWhole)
        return BrowserFixture(server, try FaultProxy(to: server.port, for: path), browser)
    }

    /// Opens a fixture with users of these names and with the logins `user1`, `user2`, …
    static func open(names: [String]) throws -> BrowserFixture {
        let lines = names.enumerated().map { #"{"id": \#($0 + 1), "login": "user\#($0 + 1)", "name": "\#($1)"}"# }
        return try open(directories: [("people", lines)])
    }

    /// Opens a fixture with directories of these records, numbered from 1. The first directory is the default. Tests
    /// with the same records share the server.
    static func open(
        directories: [(slug: String, lines: [String])], options: [String] = [], width: Int = 800, height: Int = 900
    ) throws -> BrowserFixture {
        let server = try SharedServer.of(directories, options)
        let browser = try Browser.open(width: width, height: height)
        return BrowserFixture(server, try FaultProxy(to: server.port), browser)
    }

    /// People whose pictures are at `pictures`, `/1.svg` and so on, which counts who asks for them.
    static func open(picturesOf users: Int) throws -> (BrowserFixture, pictures: FaultProxy) {
        let pictures = try FaultProxy(to: 0, for: "/")
        TestScope.atEnd { _ in pictures.stop() }
        pictures.set(
            then: .answer(
                200, ["Content-Type": "image/svg+xml"],
                body: "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>"))
        let lines = (1...users).map {
            #"{"id": \#($0), "login": "user\#($0)", "avatar_url": "http://127.0.0.1:\#(pictures.port)/\#($0).svg"}"#
        }
        return (try open(directories: [("people", lines)], options: ["--pictures", "link"]), pictures)
    }

    /// The same with faults, as `FaultProxy` sets them.
    func withFaults(next queue: [FaultProxy.Fault] = [], then standing: FaultProxy.Fault = .pass) -> BrowserFixture {
        proxy.set(next: queue, then: standing)
        return self
    }

    // What tests ask of the browser most.

    func value<T: Decodable>(_ expression: String, as type: T.Type = T.self) throws -> T {
        try browser.value(expression, as: type)
    }
    @discardableResult func run(_ script: String, until condition: String? = nil) throws -> BrowserFixture {
        try browser.run(script, until: condition)
        return self
    }
    func wait(until expression: String) throws { try browser.wait(until: expression) }
    @discardableResult func click(_ selector: String, until condition: String? = nil) throws -> BrowserFixture {
        try browser.click(selector, until: condition)
        return self
    }
    func drawFrames(_ count: Int = 20) throws { try browser.drawFrames(count) }

    /// Where an element is in the viewport, in pixels.
    struct Box: Decodable { let left, right, top, bottom: Double }

    func box(_ element: String) throws -> Box { try value("\(element).getBoundingClientRect().toJSON()") }

    /// Opens a page of the list, presses a key, and waits until all its scripts hold it.
    @discardableResult func visit(_ path: String = "/") throws -> BrowserFixture {
        try browser.open(site + path)
        try waitForScripts()
        return self
    }

    /// Opens the page that begins after the user with this number, counted from 1.
    @discardableResult func visit(after number: Int) throws -> BrowserFixture {
        try visit("/?since=\(everyone[number - 1])")
    }

    /// Waits for the page, presses a key, which brings `find.js` and `views.css`, and waits for these.
    func waitForScripts() throws {
        try wait(until: "document.readyState == 'complete'")
        try run("dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift' }))")
        try wait(
            until: """
                (!$('#users')?.sentinel || users.sentinel.find !== undefined)
                  && $$('[rel=stylesheet]').every(link => link.sheet)
                """)
    }

    /// Opens a page at another origin, which has this after its title.
    @discardableResult func openHost(_ body: String, fields: [String: String] = [:]) throws -> HostSite {
        let page = "<!doctype html><html lang=\"en\"><title>Host</title>" + body
        let host = try HostSite(["/": HostSite.Page(page, fields: fields)])
        try browser.open(host.url)
        return host
    }

    /// Notes in `wasKept` whether the browser had kept a page that it shows. Unless it shall, pages have an `unload`
    /// handler, with which none is kept.
    func noteWhetherKept(_ isKept: Bool) throws {
        try browser.runFirst(
            "addEventListener('pageshow', event => { window.wasKept = event.persisted });"
                + (isKept ? "" : "addEventListener('unload', () => {});"))
    }

    func scrollToEnd(until condition: String? = nil) throws {
        try run("scrollTo(0, document.documentElement.scrollHeight)", until: condition)
    }

    /// Scrolls to the end, and waits for a state of the list.
    func scrollToEnd(untilState state: String) throws { try scrollToEnd(until: "users.dataset.state == '\(state)'") }

    /// Scrolls until this many users are in the page or the list has ended.
    func scroll(untilUsers count: Int) throws {
        while true {
            let before = try self.count
            if try before >= count || state == "end" { return }
            try scrollToEnd(until: "$$('.user').length > \(before)")
        }
    }

    var count: Int { get throws { try value("$$('.user').length") } }
    var state: String { get throws { try value("$('#users').dataset.state") } }
    var ids: [Int] {
        get throws { try value("$$('.user').map(user => +user.dataset.id)") }
    }
    /// Path and query in the address bar.
    var address: String { get throws { try value("location.pathname + location.search") } }
    /// Returns a selector for the user with this number, counted from 1.
    func user(_ number: Int) -> String { "#user-\(everyone[number - 1])" }

    /// Returns the path of a user's page, as linked in the list.
    func path(ofUser number: Int) throws -> String {
        let target = number == 1 ? "/fragment?per_page=1" : "/fragment?per_page=1&since=\(everyone[number - 2])"
        let text = try Exchange(port: directPort, target: target).text
        return "/users/" + text.components(separatedBy: "href=\"/users/")[1].prefix { $0 != "\"" }
    }

    /// Scrolls until the user with this number is at the upper edge, and by `further` pixels more.
    func scroll(toUser number: Int, further: Int = 0) throws {
        try run("$('\(user(number))').scrollIntoView(); scrollBy(0, \(further))")
    }

    /// Waits until the address names the user with this number as the first in view.
    func wait(untilAddressNamesUser number: Int) throws {
        try wait(until: "new URLSearchParams(location.search).get('since') == '\(everyone[number - 2])'")
    }

    /// Waits until the address names the first user in view, as it does soon after scrolling ends, and returns it.
    func settledAddress() throws -> String {
        try wait(
            until: """
                (() => {
                  const users = $$('.user');
                  const index = users.findIndex(user => user.getBoundingClientRect().bottom > \(Self.bar) + 1);
                  const { cursor, id } = users[index - 1]?.dataset ?? {};
                  return new URLSearchParams(location.search).get('since') == (cursor ?? id ?? null);
                })()
                """)
        return try address
    }

    /// Where the list begins in the window: below the bar, which stays.
    private static let bar = "($('.bar')?.getBoundingClientRect().bottom ?? 0)"
    var listTop: Double { get throws { try value("+\(Self.bar)") } }
    /// The id of the first user that shows in the viewport.
    var firstInView: Int {
        get throws {
            try value("+$$('.user').find(user => user.getBoundingClientRect().bottom > \(Self.bar) + 1).dataset.id")
        }
    }
    /// Returns how far below the upper edge of the viewport the user with this number begins, in pixels.
    func top(ofUser number: Int) throws -> Double {
        try box("$('\(user(number))')").top
    }

    /// Returns the number of the user with this id, counted from 1.
    func number(of id: Int) -> Int { (everyone.firstIndex(of: id) ?? -1) + 1 }

    /// Says that the reader saves data. For `Browser.runFirst`.
    static let savingData = """
        Object.defineProperty(navigator, 'connection', { value: Object.assign(new EventTarget, { saveData: true }) })
        """

    /// Turns off scroll anchoring in the browser, as in Safari.
    static let withoutScrollAnchoring = """
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('* { overflow-anchor: none !important }');
        document.adoptedStyleSheets = [sheet];
        """
}

extension FaultProxy.Fault {
    /// The response of a server that is busy for longer than scripts wait.
    static let busy = answer(503, ["Retry-After": "3600"])

    /// A page or a fragment, for pages of any origin.
    static func page(_ body: String, status: Int = 200) -> Self {
        .answer(status, ["Content-Type": "text/html", "Access-Control-Allow-Origin": "*"], body: body)
    }
}
