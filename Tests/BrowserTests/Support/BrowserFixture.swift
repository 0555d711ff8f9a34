import Foundation
import TestDatabases
import TestSupport
import Testing

/// Every suite with a browser is part of this one.
@Suite(.inLanes) enum BrowserTests {}

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

    /// Opens a fixture in the same way, and in it a page of the list.
    static func visit(
        _ path: String = "/", users: Int = 300, width: Int = 800, height: Int = 900, options: [String] = [],
        faultsAt faults: String = "/fragment", in engine: Engine = .chromium
    ) throws -> BrowserFixture {
        let stage = try open(
            users: users, width: width, height: height, options: options, faultsAt: faults, in: engine)
        try stage.visit(path)
        return stage
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

    /// Opens a page of the list, presses a key, and waits until all its scripts hold it.
    func visit(_ path: String = "/") throws {
        try browser.open(site + path)
        try waitForScripts()
    }

    /// Waits for the page, presses a key, which brings `find.js` and `views.css`, and waits for these.
    func waitForScripts() throws {
        try browser.wait(until: "document.readyState == 'complete'")
        try browser.run("dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift' }))")
        try browser.wait(
            until: """
                (!document.getElementById('users')?.sentinel || users.sentinel.find !== undefined)
                  && [...document.querySelectorAll('[rel=stylesheet]')].every(link => link.sheet)
                """)
    }

    func scrollToEnd() throws { try browser.run("scrollTo(0, document.documentElement.scrollHeight)") }

    /// Scrolls until this many users are in the page or the list has ended.
    func scroll(untilUsers count: Int) throws {
        while true {
            let before = try self.count
            if try before >= count || state == "end" { return }
            try scrollToEnd()
            try browser.wait(until: "document.querySelectorAll('.user').length > \(before)")
        }
    }

    var count: Int { get throws { try browser.value("document.querySelectorAll('.user').length") } }
    var state: String { get throws { try browser.value("document.getElementById('users').dataset.state") } }
    var ids: [Int] {
        get throws { try browser.value("[...document.querySelectorAll('.user')].map(user => +user.dataset.id)") }
    }
    /// Path and query in the address bar.
    var address: String { get throws { try browser.value("location.pathname + location.search") } }
    /// Returns a selector for the user with this number, counted from 1.
    func user(_ number: Int) -> String { "#user-\(everyone[number - 1])" }

    /// Scrolls until the user with this number is at the upper edge, and by `further` pixels more.
    func scroll(toUser number: Int, further: Int = 0) throws {
        try browser.run("document.querySelector('\(user(number))').scrollIntoView(); scrollBy(0, \(further))")
    }

    /// Waits until the address names the user with this number as the first in view.
    func wait(untilAddressNamesUser number: Int) throws {
        try browser.wait(until: "new URLSearchParams(location.search).get('since') == '\(everyone[number - 2])'")
    }

    /// Waits until the address names the first user in view, as it does soon after scrolling ends, and returns it.
    func settledAddress() throws -> String {
        try browser.wait(
            until: """
                (() => {
                  const users = [...document.querySelectorAll('.user')];
                  const index = users.findIndex(user => user.getBoundingClientRect().bottom > \(Self.bar) + 1);
                  const { cursor, id } = users[index - 1]?.dataset ?? {};
                  return new URLSearchParams(location.search).get('since') == (cursor ?? id ?? null);
                })()
                """)
        return try address
    }

    /// Where the list begins in the window: below the bar, which stays.
    private static let bar = "(document.querySelector('.bar')?.getBoundingClientRect().bottom ?? 0)"
    var listTop: Double { get throws { try browser.value("+\(Self.bar)") } }
    /// The id of the first user that shows in the viewport.
    var firstInView: Int {
        get throws {
            try browser.value(
                "+[...document.querySelectorAll('.user')].find(user => user.getBoundingClientRect().bottom > \(Self.bar) + 1).dataset.id"
            )
        }
    }
    /// Returns how far below the upper edge of the viewport the user with this number begins, in pixels.
    func top(ofUser number: Int) throws -> Double {
        try browser.value("document.querySelector('\(user(number))').getBoundingClientRect().top")
    }

    /// Returns the number of the user with this id, counted from 1.
    func number(of id: Int) -> Int { (everyone.firstIndex(of: id) ?? -1) + 1 }

    /// Turns off scroll anchoring in the browser, as in Safari.
    static let withoutScrollAnchoring = """
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('* { overflow-anchor: none !important }');
        document.adoptedStyleSheets = [sheet];
        """
}
