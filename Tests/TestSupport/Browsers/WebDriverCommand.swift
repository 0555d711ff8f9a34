import Foundation

/// A command of WebDriver (W3C), as drivers take it over HTTP and as Firefox takes it over Marionette.
struct WebDriverCommand {
    let method: String
    /// The path below the session's own. `{id}` stands for the parameter of that name.
    let path: String
    /// The name in Marionette; `nil` where Marionette lacks the command.
    let marionetteName: String?

    private init(_ method: String, _ path: String, _ marionetteName: String?) {
        (self.method, self.path, self.marionetteName) = (method, path, marionetteName.map { "WebDriver:" + $0 })
    }

    static let newSession = Self("POST", "", "NewSession")
    static let deleteSession = Self("DELETE", "", "DeleteSession")
    static let navigate = Self("POST", "/url", "Navigate")
    static let refresh = Self("POST", "/refresh", "Refresh")
    static let back = Self("POST", "/back", "Back")
    static let getWindowHandle = Self("GET", "/window", "GetWindowHandle")
    static let closeWindow = Self("DELETE", "/window", "CloseWindow")
    static let newWindow = Self("POST", "/window/new", "NewWindow")
    static let switchToWindow = Self("POST", "/window", "SwitchToWindow")
    static let switchToFrame = Self("POST", "/frame", "SwitchToFrame")
    static let setWindowRect = Self("POST", "/window/rect", "SetWindowRect")
    static let executeScript = Self("POST", "/execute/sync", "ExecuteScript")
    static let findElement = Self("POST", "/element", "FindElement")
    static let clickElement = Self("POST", "/element/{id}/click", "ElementClick")
    static let sendKeys = Self("POST", "/element/{id}/value", "ElementSendKeys")
    static let performActions = Self("POST", "/actions", "PerformActions")
    static let takeScreenshot = Self("GET", "/screenshot", "TakeScreenshot")

    // Chromium's own.
    static let devTools = Self("POST", "/goog/cdp/execute", nil)
    static let takeLog = Self("POST", "/se/log", nil)
}

/// A browser, and what drives it. One test after the other has it.
protocol WebDriverConnection: AnyObject, Sendable {
    var hasDevTools: Bool { get }

    /// Opens a window that shares no cookies, no storage and no history with those of earlier tests.
    func begin() throws

    /// Closes what the test opened.
    func end() throws

    /// Returns the reply to a command: JSON, with what the command results in as `value`.
    func send(_ command: WebDriverCommand, _ parameters: [String: Any]) throws -> Data

    /// Ends the browser and the programs that were started for it.
    func quit()
}

struct WebDriverReply<Value: Decodable>: Decodable { let value: Value }
