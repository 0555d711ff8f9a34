import Foundation

/// A driver that speaks HTTP, `chromedriver` or `WebKitWebDriver`. It starts a browser for each test.
final class HTTPDriver: WebDriverConnection, @unchecked Sendable {
    let hasDevTools: Bool
    private let port: Int
    private let programs: [Program]
    private let home: TemporaryHome?
    private let capabilities: [String: Any]
    private var session = ""

    /// - Parameters:
    ///   - programs: the driver and, after it, the programs that it needs.
    ///   - capabilities: those of every session.
    ///   - home: the home of these programs, removed after them.
    init(
        _ programs: [Program], port: Int, capabilities: [String: Any], home: TemporaryHome? = nil,
        hasDevTools: Bool = false
    ) {
        (self.programs, self.port, self.home, self.hasDevTools) = (programs, port, home, hasDevTools)
        self.capabilities = capabilities
    }

    deinit { quit() }

    func begin() throws {
        struct Session: Decodable { let sessionId: String }
        let reply = try send(.newSession, ["capabilities": ["alwaysMatch": capabilities]])
        session = try JSONDecoder().decode(WebDriverReply<Session>.self, from: reply).value.sessionId
    }

    func end() throws {
        guard !session.isEmpty else { return }
        _ = try send(.deleteSession, [:])
        session = ""
    }

    func send(_ command: WebDriverCommand, _ parameters: [String: Any]) throws -> Data {
        let path = command.path.replacing("{id}", with: parameters["id"] as? String ?? "")
        let target = session.isEmpty ? "/session" : "/session/\(session)\(path)"
        let body = command.method == "POST" ? try JSONSerialization.data(withJSONObject: parameters) : Data()
        let answer = try Exchange(port: port, method: command.method, target: target, body: Array(body))
        guard answer.status == 200 else {
            struct Problem: Decodable { let error, message: String }
            let problem = try? JSONDecoder().decode(WebDriverReply<Problem>.self, from: Data(answer.body)).value
            throw Failure("\(path): \(problem.map { "\($0.error), \($0.message.prefix(300))" } ?? answer.text)")
        }
        return Data(answer.body)
    }

    func quit() {
        try? end()
        for program in programs { program.stop() }
    }
}
