import Foundation

/// A browser engine that tests drive.
public enum Engine: String, CaseIterable, Sendable {
    case chromium, firefox, webkit

    /// Starts the engine's browser, which no one sees.
    func start() throws -> any WebDriverConnection {
        switch self {
        case .chromium: try startChromium()
        case .firefox: try startFirefox()
        case .webkit: try startWebKit()
        }
    }

    /// A walk over a long list is one script; a busy machine takes longer for it than the usual half minute.
    private var timeouts: [String: Any] { ["script": 110_000] }

    /// Nothing leaves this machine: no name but ours is resolved.
    private var arguments: [String] {
        [
            "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            // While a page fades in, for 0.1 s, clicks reach nothing in it.
            "--force-prefers-reduced-motion", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ]
    }

    private var wholeChromium: URL { get throws { try Program.find("chromium", "chromium-browser", "google-chrome") } }

    /// Starts the part of Chromium that has no windows, where it is installed: it takes a fifth of the CPU time.
    private func startChromium() throws -> Chromium {
        let part = try? Program.find("chromium-headless-shell")
        return try Chromium(part ?? wholeChromium, arguments + (part == nil ? ["--headless=new"] : [])) { port in
            try chromeDriver(["debuggerAddress": "127.0.0.1:\(port)"])
        }
    }

    /// Prepares to start the whole of Chromium.
    func startWhole() throws -> HTTPDriver {
        try chromeDriver(["binary": wholeChromium.path, "args": arguments + ["--headless=new"]])
    }

    private func chromeDriver(_ options: [String: Any]) throws -> HTTPDriver {
        let (driver, port) = try startChromeDriver()
        let capabilities: [String: Any] = [
            "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"], "timeouts": timeouts,
        ]
        return HTTPDriver([driver], port: port, capabilities: capabilities, hasDevTools: true)
    }

    /// `chromedriver` looks for a free port with IPv4 first, and gives up where IPv6 has that one already: then another
    /// time.
    private func startChromeDriver() throws -> (Program, Int) {
        for _ in 1...4 {
            let driver = try Program(Program.find("chromedriver"), ["--port=0"])
            if let port = try? driver.port(after: "started successfully on port ") { return (driver, port) }
            driver.stop()
        }
        let driver = try Program(Program.find("chromedriver"), ["--port=0"])
        return (driver, try driver.port(after: "started successfully on port "))
    }

    private func startFirefox() throws -> Marionette {
        let home = try TemporaryHome()
        let profile = home.folder.appending(path: "profile")
        try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
        let preferences: KeyValuePairs = [
            "marionette.port": "0",
            // Nothing leaves this machine: every name is this machine's, and nothing is asked for at the start.
            "network.dns.forceResolve": "\"127.0.0.1\"", "network.captive-portal-service.enabled": "false",
            "network.connectivity-service.enabled": "false", "datareporting.policy.dataSubmissionEnabled": "false",
            // No process for a page that may come, and nothing that moves.
            "dom.ipc.processPrelaunch.enabled": "false", "browser.newtab.preload": "false",
            "ui.prefersReducedMotion": "1",
        ]
        let lines = preferences.map { name, value in "user_pref(\"\(name)\", \(value));\n" }
        try Data(lines.joined().utf8).write(to: profile.appending(path: "user.js"))
        let firefox = try Program(
            Program.find("firefox-esr", "firefox"),
            ["--headless", "--marionette", "--no-remote", "--profile", profile.path, "about:blank"],
            environment: home.environment)
        let file = profile.appending(path: "MarionetteActivePort")
        let port = try firefox.wait(for: "Marionette's port") {
            (try? String(contentsOf: file, encoding: .utf8)).flatMap { Int($0) }
        }
        return try Marionette(firefox, port: port, capabilities: ["timeouts": timeouts], home: home)
    }

    /// Starts the browser on a display of its own, because WebKitGTK cannot do without one.
    private func startWebKit() throws -> HTTPDriver {
        let display = try Program(
            Program.find("Xvfb"), ["-displayfd", "1", "-screen", "0", "1600x1600x24", "-nolisten", "tcp"])
        let number = try display.wait(for: "the display's number") {
            display.output.hasSuffix("\n") ? Int(display.output.dropLast()) : nil
        }
        let home = try TemporaryHome()
        // Nothing moves here, either.
        let desktop = home.folder.appending(path: "gtk-3.0")
        try FileManager.default.createDirectory(at: desktop, withIntermediateDirectories: true)
        try Data("[Settings]\ngtk-enable-animations=0\n".utf8).write(to: desktop.appending(path: "settings.ini"))
        let settings = [
            "DISPLAY": ":\(number)", "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1",
            // Containers have no bus for the desktop's settings and screen readers.
            "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1",
        ]
        let driver = try Program(
            Program.find("WebKitWebDriver"), ["--port=0"], environment: home.environment.merging(settings) { $1 })
        let port = try driver.wait(for: "the driver's port") { driver.listeningPort }
        return HTTPDriver([driver, display], port: port, capabilities: ["timeouts": timeouts], home: home)
    }
}
