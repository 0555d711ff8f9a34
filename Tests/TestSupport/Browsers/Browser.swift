import Foundation

/// A browser that no one sees, driven by the commands of WebDriver (W3C). Chromium takes DevTools commands, too.
public final class Browser {
    private let connection: any WebDriverConnection

    private init(_ connection: any WebDriverConnection, width: Int, height: Int) throws {
        self.connection = connection
        try resize(width: width, height: height)
    }

    /// Opens a window that shares nothing with those of other tests, for the current one.
    ///
    /// The browser stays for other tests, unless this one fails.
    ///
    /// - Parameter isWhole: Starts the whole of Chromium for this test alone. Tests run in a part of it that has no
    ///   tabs to hide and keeps no pages that were left.
    public static func open(
        _ engine: Engine = .chromium, width: Int = 800, height: Int = 900, isWhole: Bool = false
    ) throws -> Browser {
        if isWhole {
            let driver = try engine.startWhole()
            TestScope.atEnd { _ in driver.quit() }
            try driver.begin()
            return try Browser(driver, width: width, height: height)
        }
        let connection = try IdleBrowsers.take(engine)
        TestScope.atEnd { hasFailed in
            if hasFailed { connection.quit() } else { IdleBrowsers.keep(connection, of: engine) }
        }
        return try Browser(connection, width: width, height: height)
    }

    // What a reader does. It may end with a wait until a JavaScript expression is true, as `wait(until:)` does it.

    public func open(_ url: String, until condition: String? = nil) throws {
        try command(.navigate, ["url": url], until: condition)
    }

    public func reload(until condition: String? = nil) throws { try command(.refresh, until: condition) }

    public func back(until condition: String? = nil) throws { try command(.back, until: condition) }

    /// The window that commands go to.
    public var window: String { get throws { try value(of: .getWindowHandle) } }

    /// Opens a tab in front of this one, and switches to it.
    public func openWindow() throws {
        struct Window: Decodable { let handle: String }
        try show(value(of: .newWindow, ["type": "tab"], as: Window.self).handle)
    }

    public func show(_ window: String) throws { try command(.switchToWindow, ["handle": window]) }

    /// Switches to a frame of this page.
    public func enterFrame(_ selector: String) throws { try command(.switchToFrame, ["id": element(selector)]) }

    /// Goes on in the whole page.
    public func leaveFrame() throws { try command(.switchToFrame, ["id": NSNull()]) }

    /// Gives the viewport this size, as a device would have it.
    public func resize(width: Int, height: Int) throws {
        if connection.hasDevTools {
            let metrics: [String: Any] = ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false]
            return try devTools("Emulation.setDeviceMetricsOverride", metrics)
        }
        // The window is larger than the viewport by its toolbars, and takes a new size when it likes.
        try eventually("the viewport is \(width) × \(height)") {
            let sizes = try value("[innerWidth, innerHeight, outerWidth, outerHeight]", as: [Int].self)
            if sizes[0] == width && sizes[1] == height { return true }
            let rect = ["width": width + sizes[2] - sizes[0], "height": height + sizes[3] - sizes[1]]
            try command(.setWindowRect, rect)
            return false
        }
    }

    /// What scripts of tests may use, as in the console of a browser.
    private static let console =
        "const $ = selector => document.querySelector(selector), $$ = selector => [...document.querySelectorAll(selector)];"

    /// Returns the value of a JavaScript expression; a promise is awaited.
    public func value<T: Decodable>(_ expression: String, as type: T.Type = T.self) throws -> T {
        try value(of: .executeScript, ["script": "\(Self.console) return \(expression)", "args": [Any]()])
    }

    public func run(_ script: String, until condition: String? = nil) throws {
        try command(.executeScript, ["script": "\(Self.console) \(script)", "args": [Any]()], until: condition)
    }

    /// Waits until a JavaScript expression is true, for at most two minutes. Errors while pages change count as false.
    public func wait(until expression: String) throws {
        let end = ContinuousClock.now + .seconds(120)
        // Each question costs some milliseconds in three processes.
        var pause = 0.01
        while ContinuousClock.now < end {
            if (try? value("!!(\(expression))", as: Bool.self)) == true { return }
            Thread.sleep(forTimeInterval: pause)
            pause = min(pause * 1.5, 0.08)
        }
        let state = """
            location.href + ' at ' + scrollY + ', ' + ($('#users')?.dataset.state ?? 'no list') + ' with ' + $$('.user').length
            """
        throw Failure(
            "waited two minutes for: \(expression); the page is \((try? value(state, as: String.self)) ?? "gone")")
    }

    /// Lets the page draw some frames, so that anything about to happen by itself can happen.
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
    public func click(_ selector: String, until condition: String? = nil) throws {
        try command(.clickElement, ["id": reference(selector)], until: condition)
    }

    /// Types into an element, as a keyboard would.
    public func type(_ text: String, into selector: String) throws {
        try command(.sendKeys, ["id": reference(selector), "text": text])
    }

    private func reference(_ selector: String) throws -> String {
        guard let reference = try element(selector).values.first else { throw Failure("there is no \(selector)") }
        return reference
    }

    /// Returns an element in WebDriver's form: its kind and its reference.
    private func element(_ selector: String) throws -> [String: String] {
        try value(of: .findElement, ["using": "css selector", "value": selector])
    }

    /// Presses with a mouse in the middle of what an expression returns, whatever lies there. It must be in view.
    public func pressMouse(on expression: String, until condition: String? = nil) throws {
        let place = try value(
            """
            (element => {
              const { left, top, width, height } = element.getBoundingClientRect();
              return [left + width / 2, top + height / 2, innerWidth, innerHeight].map(Math.floor);
            })(\(expression))
            """, as: [Int].self)
        guard (0..<place[2]).contains(place[0]), (0..<place[3]).contains(place[1]) else {
            throw Failure("not in view, but at \(place[0]), \(place[1]): \(expression)")
        }
        let move: [String: Any] = [
            "type": "pointerMove", "duration": 0, "origin": "viewport", "x": place[0], "y": place[1],
        ]
        let press = ["pointerDown", "pointerUp"].map { ["type": $0, "button": 0] as [String: Any] }
        let parameters = ["pointerType": "mouse"]
        let input: [String: Any] = [
            "type": "pointer", "id": "mouse", "parameters": parameters, "actions": [move] + press,
        ]
        try perform(input, until: condition)
    }

    /// Drags a mouse over what an expression returns, from its left edge to its right one.
    public func dragMouse(over expression: String) throws {
        let place = try value(
            """
            (element => {
              const { left, right, top, height } = element.getBoundingClientRect();
              return [left + 1, right - 1, top + height / 2].map(Math.round);
            })(\(expression))
            """, as: [Int].self)
        let moves = place.prefix(2).map {
            ["type": "pointerMove", "duration": 0, "origin": "viewport", "x": $0, "y": place[2]] as [String: Any]
        }
        let (down, up) = (
            ["type": "pointerDown", "button": 0] as [String: Any], ["type": "pointerUp", "button": 0] as [String: Any]
        )
        let actions = [moves[0], down, moves[1], up]
        try perform(["type": "pointer", "id": "mouse", "parameters": ["pointerType": "mouse"], "actions": actions])
    }

    /// A key that has no letter, as WebDriver names it.
    public enum Key: Character, Sendable {
        case backspace = "\u{E003}"
        case tab = "\u{E004}"
        case enter = "\u{E007}"
        case shift = "\u{E008}"
        case control = "\u{E009}"
        case down = "\u{E015}"
    }

    /// Types on a keyboard, into what has the focus.
    public func type(_ text: String, until condition: String? = nil) throws {
        try strike(text.flatMap { [("keyDown", $0), ("keyUp", $0)] }, until: condition)
    }

    /// Types a key, while another is held.
    public func type(_ key: Character, with held: Key) throws {
        let held = held.rawValue
        try strike([("keyDown", held), ("keyDown", key), ("keyUp", key), ("keyUp", held)])
    }

    public func type(_ key: Key, until condition: String? = nil) throws {
        try type(String(key.rawValue), until: condition)
    }

    private func strike(_ keys: [(type: String, key: Character)], until condition: String? = nil) throws {
        let actions = keys.map { ["type": $0.type, "value": String($0.key)] }
        try perform(["type": "key", "id": "keyboard", "actions": actions], until: condition)
    }

    private func perform(_ input: [String: Any], until condition: String? = nil) throws {
        try command(.performActions, ["actions": [input]], until: condition)
    }

    /// Presses and releases a key, given by its DOM name and code.
    public func press(_ key: String, code: Int, isControl: Bool = false) throws {
        for type in ["rawKeyDown", "keyUp"] {
            let event: [String: Any] = [
                "type": type, "key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": isControl ? 2 : 0,
            ]
            try devTools("Input.dispatchKeyEvent", event)
        }
    }

    public func devTools(_ method: String, _ parameters: [String: Any] = [:]) throws {
        try command(.devTools, ["cmd": method, "params": parameters])
    }

    /// Returns the result of a DevTools command.
    public func devTools<T: Decodable>(_ method: String, as type: T.Type) throws -> T {
        try value(of: .devTools, ["cmd": method, "params": [String: Any]()])
    }

    /// Adds a script that runs before the scripts of all later pages.
    public func runFirst(_ script: String) throws {
        try devTools("Page.addScriptToEvaluateOnNewDocument", ["source": script])
    }

    public struct LogEntry: Decodable, Sendable { public let source, level, message: String }

    /// Returns the console messages since the last call.
    public func takeLog() throws -> [LogEntry] { try value(of: .takeLog, ["type": "browser"]) }

    /// Saves a picture of the viewport. WebKitGTK's driver hangs on those of long pages.
    public func saveScreenshot(to file: URL) throws {
        let text = try value(of: .takeScreenshot, as: String.self)
        guard let data = Data(base64Encoded: text) else { throw Failure("the screenshot is no base64") }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    private func value<T: Decodable>(
        of command: WebDriverCommand, _ parameters: [String: Any] = [:], as type: T.Type = T.self
    ) throws -> T { try JSONDecoder().decode(WebDriverReply<T>.self, from: connection.send(command, parameters)).value }

    private func command(
        _ command: WebDriverCommand, _ parameters: [String: Any] = [:], until condition: String? = nil
    ) throws {
        _ = try connection.send(command, parameters)
        if let condition { try wait(until: condition) }
    }
}
