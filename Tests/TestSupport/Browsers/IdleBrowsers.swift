import Foundation
import Synchronization

/// Browsers between two tests. They end with this process.
enum IdleBrowsers {
    private static let idle = Mutex<[Engine: [any WebDriverConnection]]>([:])

    /// Returns a browser of this engine with a fresh window: one that is idle, or a new one.
    static func take(_ engine: Engine) throws -> any WebDriverConnection {
        while let browser = idle.withLock({ $0[engine]?.popLast() }) {
            // One that was killed meanwhile is of no use.
            if (try? browser.begin()) != nil { return browser }
            browser.quit()
        }
        let browser = try engine.start()
        try browser.begin()
        return browser
    }

    /// Keeps a browser for the next test.
    static func keep(_ browser: any WebDriverConnection, of engine: Engine) {
        guard (try? browser.end()) != nil else { return browser.quit() }
        idle.withLock { idle in
            if idle.isEmpty { atexit { IdleBrowsers.quit() } }
            idle[engine, default: []].append(browser)
        }
    }

    private static func quit() {
        for browser in idle.withLock({ $0 }).values.joined() { browser.quit() }
    }
}
