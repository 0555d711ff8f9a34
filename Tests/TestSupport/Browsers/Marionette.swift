import Foundation

/// Firefox, driven over Marionette, its own protocol: each message is its length, a colon and JSON, over TCP.
///
/// Each test has a private window. Firefox forgets all data of private windows when the last of them is closed.
final class Marionette: WebDriverConnection, @unchecked Sendable {
    let hasDevTools = false
    private let program: Program
    private let connection: Connection
    private let home: TemporaryHome
    private var received: [UInt8] = []
    /// How many commands were sent.
    private var count = 0
    private var isOpen = true
    /// The window that stays between tests.
    private var firstWindow = ""

    /// - Parameter home: the program's home, removed after it.
    init(_ program: Program, port: Int, capabilities: [String: Any], home: TemporaryHome) throws {
        (self.program, self.home) = (program, home)
        connection = try Connection(port: port)
        let greeting = try nextMessage() as? [String: Any]
        guard greeting?["marionetteProtocol"] as? Int == 3 else {
            throw Failure("expected version 3 of Marionette, found \(greeting ?? [:])")
        }
        _ = try send(.newSession, ["capabilities": ["alwaysMatch": capabilities]])
        firstWindow = try JSONDecoder().decode(WebDriverReply<String>.self, from: send(.getWindowHandle, [:])).value
    }

    deinit { quit() }

    func begin() throws {
        struct Window: Decodable { let handle: String }
        let reply = try send(.newWindow, ["type": "window", "private": true])
        let window = try JSONDecoder().decode(WebDriverReply<Window>.self, from: reply).value
        _ = try send(.switchToWindow, ["handle": window.handle])
    }

    func end() throws {
        _ = try send(.closeWindow, [:])
        _ = try send(.switchToWindow, ["handle": firstWindow])
    }

    func send(_ command: WebDriverCommand, _ parameters: [String: Any]) throws -> Data {
        guard let name = command.marionetteName else { throw Failure("Firefox has no \(command.path)") }
        count += 1
        let message = try JSONSerialization.data(withJSONObject: [0, count, name, parameters] as [Any])
        try connection.write("\(message.count):".utf8 + Array(message))
        // [1, number, error, result]
        guard let reply = try nextMessage() as? [Any], reply.count == 4, reply[1] as? Int == count else {
            throw Failure("expected the reply to \(name)")
        }
        if let problem = reply[2] as? [String: Any] { throw Failure("\(name): \(problem["message"] ?? problem)") }
        // Some results come without the `value` around them that they have over HTTP.
        let isWrapped = (reply[3] as? [String: Any])?.keys.contains("value") == true
        return try JSONSerialization.data(withJSONObject: isWrapped ? reply[3] : ["value": reply[3]])
    }

    private func nextMessage() throws -> Any {
        var colon = received.firstIndex(of: UInt8(ascii: ":"))
        while colon == nil {
            try receive()
            colon = received.firstIndex(of: UInt8(ascii: ":"))
        }
        guard let colon, let length = Int(String(decoding: received[..<colon], as: UTF8.self)) else {
            throw Failure("expected a length, found \(String(decoding: received.prefix(80), as: UTF8.self))")
        }
        while received.count < colon + 1 + length { try receive() }
        defer { received.removeFirst(colon + 1 + length) }
        return try JSONSerialization.jsonObject(with: Data(received[(colon + 1)...].prefix(length)))
    }

    private func receive() throws {
        let bytes = try connection.read()
        if bytes.isEmpty { throw Failure("Firefox closed the connection: \(program.errors.suffix(2_000))") }
        received += bytes
    }

    func quit() {
        guard isOpen else { return }
        isOpen = false
        connection.close()
        program.stop()
    }
}
