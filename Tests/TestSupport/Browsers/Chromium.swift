import Foundation

/// One Chromium for many tests. Each has a browser context, with cookies, storage and pages of its own.
///
/// `chromedriver` allows no DevTools commands that make contexts, so these go to the browser directly, as JSON with a
/// zero byte after each message.
final class Chromium: WebDriverConnection, @unchecked Sendable {
    let hasDevTools = true
    private let program: Program
    private let driver: HTTPDriver
    private let home: TemporaryHome
    private let pipe: Connection
    private var received: [UInt8] = []
    /// How many commands were sent to the browser.
    private var count = 0
    private var context: String?

    init(_ executable: URL, _ arguments: [String], driver: (_ debuggerPort: Int) throws -> HTTPDriver) throws {
        home = try TemporaryHome()
        let profile = home.folder.appending(path: "profile")
        let (ours, theirs) = try Connection.pair()
        defer { theirs.close() }
        pipe = ours
        program = try Program(
            executable,
            arguments + [
                "--remote-debugging-pipe", "--remote-debugging-port=0", "--user-data-dir=\(profile.path)",
                // `chromedriver` waits for a first page.
                "about:blank",
            ],
            environment: home.environment, descriptors: [theirs.descriptor, theirs.descriptor])
        let file = profile.appending(path: "DevToolsActivePort")
        let port = try program.wait(for: "Chromium's port") {
            (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n").first.flatMap { Int($0) }
        }
        self.driver = try driver(port)
        try self.driver.begin()
    }

    deinit { quit() }

    func begin() throws {
        struct Context: Decodable { let browserContextId: String }
        struct Target: Decodable { let targetId: String }
        let context = try ask("Target.createBrowserContext", as: Context.self).browserContextId
        self.context = context
        let parameters = ["url": "about:blank", "browserContextId": context]
        let page = try ask("Target.createTarget", parameters, as: Target.self)
        _ = try driver.send(.switchToWindow, ["handle": page.targetId])
        // Drops the messages of earlier pages.
        _ = try driver.send(.takeLog, ["type": "browser"])
    }

    func end() throws {
        guard let context else { return }
        self.context = nil
        _ = try ask("Target.disposeBrowserContext", ["browserContextId": context], as: Nothing.self)
    }

    func send(_ command: WebDriverCommand, _ parameters: [String: Any]) throws -> Data {
        try driver.send(command, parameters)
    }

    func quit() {
        guard program.isRunning else { return }
        driver.quit()
        // A script starts the browser and does not pass on signals.
        if (try? ask("Browser.close", as: Nothing.self)) != nil {
            try? eventually("Chromium has ended") { !program.isRunning }
        }
        program.stop()
        pipe.close()
    }

    private struct Message: Decodable { let id: Int? }
    private struct Answer<Result: Decodable>: Decodable { let result: Result }
    private struct Nothing: Decodable {}

    /// Returns the result of a DevTools command to the browser.
    private func ask<T: Decodable>(_ method: String, _ parameters: [String: String] = [:], as type: T.Type) throws -> T
    {
        count += 1
        let message: [String: Any] = ["id": count, "method": method, "params": parameters]
        try pipe.write(JSONSerialization.data(withJSONObject: message) + [0])
        while true {
            let answer = try nextMessage()
            // Others are events.
            guard try JSONDecoder().decode(Message.self, from: answer).id == count else { continue }
            guard let result = try? JSONDecoder().decode(Answer<T>.self, from: answer).result else {
                throw Failure("\(method): \(String(decoding: answer, as: UTF8.self))")
            }
            return result
        }
    }

    private func nextMessage() throws -> Data {
        while true {
            if let end = received.firstIndex(of: 0) {
                defer { received.removeFirst(end + 1) }
                return Data(received[..<end])
            }
            let bytes = try pipe.read()
            if bytes.isEmpty { throw Failure("Chromium has ended: \(program.errors.suffix(2_000))") }
            received += bytes
        }
    }
}
