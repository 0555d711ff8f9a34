import Foundation

/// A headless Chromium, driven over WebDriver (W3C) and, through it, the DevTools protocol.
public final class Browser {
    private let driver: Program
    private let port: Int
    private var session = ""

    /// It looks for a free port with IPv4 first, and gives up where IPv6 has that one already: then another time.
    private static func startDriver() throws -> (Program, Int) {
        for _ in 1...4 {
            let driver = try Program(Program.find("chromedriver"), ["--port=0"])
            if let port = try? driver.port(after: "started successfully on port ") { return (driver, port) }
            driver.stop()
        }
        let driver = try Program(Program.find("chromedriver"), ["--port=0"])
        return (driver, try driver.port(after: "started successfully on port "))
    }

    public init(width: Int = 800, height: Int = 900) throws {
        (driver, port) = try Self.startDriver()
        let options: [String: Any] = [
            "binary": try Program.find("chromium", "chromium-browser", "google-chrome").path,
            // Nothing leaves this machine: no name but ours is resolved.
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                "--window-size=\(width),\(height)", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            ],
        ]
        let wanted: [String: Any] = [
            "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"],
            // A walk over a long list is one script; a busy machine takes longer for it than the usual half minute.
            "timeouts": ["script": 110_000],
        ]
        struct Session: Decodable { let sessionId: String }
        session = try send("POST", "", ["capabilities": ["alwaysMatch": wanted]], as: Session.self).sessionId
        // What the window shows is what was asked for, whatever the frame takes.
        try resize(width: width, height: height)
    }

    deinit { quit() }

    public func quit() {
        guard !session.isEmpty else { return }
        _ = try? command("DELETE", "", [:])
        session = ""
        driver.stop()
    }

    public func open(_ url: String) throws { try command("POST", "/url", ["url": url]) }

    public func reload() throws { try command("POST", "/refresh", [:]) }

    public func back() throws { try command("POST", "/back", [:]) }

    /// The window that commands go to.
    public var window: String { get throws { try send("GET", "/window", nil, as: String.self) } }

    /// Opens a tab in front of this one, and goes on there.
    public func openWindow() throws {
        struct Window: Decodable { let handle: String }
        try show(send("POST", "/window/new", ["type": "tab"], as: Window.self).handle)
    }

    public func show(_ window: String) throws { try command("POST", "/window", ["handle": window]) }

    /// Goes on in a frame of this page.
    public func enterFrame(_ selector: String) throws {
        try command("POST", "/frame", ["id": element(selector)])
    }

    /// Goes on in the whole page.
    public func leaveFrame() throws { try command("POST", "/frame", ["id": NSNull()]) }

    /// The size of the viewport, as a device would have it.
    public func resize(width: Int, height: Int) throws {
        let metrics: [String: Any] = ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false]
        try devTools("Emulation.setDeviceMetricsOverride", metrics)
    }

    /// The value of a JavaScript expression; a promise is awaited.
    public func value<T: Decodable>(_ expression: String, as type: T.Type = T.self) throws -> T {
        try send("POST", "/execute/sync", ["script": "return \(expression)", "args": [Any]()], as: type)
    }

    public func run(_ script: String) throws {
        try command("POST", "/execute/sync", ["script": script, "args": [Any]()])
    }

    /// Waits until a JavaScript expression is true, two minutes at most. Errors while a page comes and goes count as not yet.
    public func wait(until expression: String) throws {
        let end = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < end {
            if (try? value("!!(\(expression))", as: Bool.self)) == true { return }
            Thread.sleep(forTimeInterval: 0.02)
        }
        let state = """
            location.href + ' at ' + scrollY + ', ' + (document.getElementById('users')?.dataset.state ?? 'no list') + ' with '
              + document.querySelectorAll('.user').length
            """
        throw Failure(
            "waited two minutes for: \(expression); the page is \((try? value(state, as: String.self)) ?? "gone")")
    }

    /// Lets the page draw some frames: what was going to happen by itself has had its chance.
    public func drawFrames(_ count: Int = 20) throws {
        try run(
            """
            return new Promise(done => {
              let left = \(count);
              const next = () => left-- ? requestAnimationFrame(next) : setTimeout(done, 50);
              next();
            })
            """)
    }

    /// Clicks in the middle of an element, as a mouse would.
    public func click(_ selector: String) throws {
        guard let element = try element(selector).values.first else { throw Failure("there is no \(selector)") }
        try command("POST", "/element/\(element)/click", [:])
    }

    /// An element as WebDriver names it: its kind, and its reference.
    private func element(_ selector: String) throws -> [String: String] {
        try send("POST", "/element", ["using": "css selector", "value": selector], as: [String: String].self)
    }

    /// Presses and lets go of a key, by its DOM name and code.
    public func press(_ key: String, code: Int, isControl: Bool = false) throws {
        for type in ["rawKeyDown", "keyUp"] {
            let event: [String: Any] = [
                "type": type, "key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": isControl ? 2 : 0,
            ]
            try devTools("Input.dispatchKeyEvent", event)
        }
    }

    public func devTools(_ method: String, _ parameters: [String: Any] = [:]) throws {
        try command("POST", "/goog/cdp/execute", ["cmd": method, "params": parameters])
    }

    /// What a DevTools command answers with.
    public func devTools<T: Decodable>(_ method: String, as type: T.Type) throws -> T {
        try send("POST", "/goog/cdp/execute", ["cmd": method, "params": [String: Any]()], as: type)
    }

    /// Runs before the scripts of every page to come.
    public func runFirst(_ script: String) throws {
        try devTools("Page.addScriptToEvaluateOnNewDocument", ["source": script])
    }

    public struct LogEntry: Decodable, Sendable { public let source, level, message: String }

    /// What the console got since the last call.
    public func takeLog() throws -> [LogEntry] {
        try send("POST", "/se/log", ["type": "browser"], as: [LogEntry].self)
    }

    public func saveScreenshot(to file: URL) throws {
        let text = try send("GET", "/screenshot", nil, as: String.self)
        guard let data = Data(base64Encoded: text) else { throw Failure("the screenshot is no base64") }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    private struct Reply<T: Decodable>: Decodable { let value: T }
    private struct Problem: Decodable { let error, message: String }

    private func send<T: Decodable>(_ method: String, _ path: String, _ body: [String: Any]?, as type: T.Type) throws
        -> T
    {
        try JSONDecoder().decode(Reply<T>.self, from: Data(command(method, path, body))).value
    }

    @discardableResult
    private func command(_ method: String, _ path: String, _ body: [String: Any]?) throws -> [UInt8] {
        let target = session.isEmpty ? "/session" : "/session/\(session)\(path)"
        let json = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let answer = try Exchange(port: port, method: method, target: target, body: Array(json))
        guard answer.status == 200 else {
            let problem = try? JSONDecoder().decode(Reply<Problem>.self, from: Data(answer.body)).value
            throw Failure("\(path): \(problem?.message.prefix(300).description ?? answer.text)")
        }
        return answer.body
    }
}
