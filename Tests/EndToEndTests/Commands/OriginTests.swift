import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("Absolute links over real sockets", .onThreadsForPrograms)
struct OriginTests {
    /// The answer to a head of these lines.
    private func ask(_ connection: Connection, _ lines: String...) throws -> Exchange {
        defer { connection.close() }
        try connection.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        return try Exchange(readFrom: connection)
    }

    private let forms = ["/embed", "/fragment?embed=html", "/fragment?embed=htmx", "/fragment?embed=turbo"]

    private let forwarded = ["Host: one.example", "Connection: close", "X-Forwarded-Proto: https"]

    @Test func aProxyOnTheUnixSocketMaySayThatItsClientUsesTLS() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "rollcall-\(UUID().uuidString).sock").path
        let program = try RollcallProcess(["demo", "--users", "60", "--unix-socket", path])
        defer { program.stop() }
        for target in forms {
            let head = forwarded.joined(separator: "\r\n")
            let answer = try ask(Connection(path: path), "GET \(target) HTTP/1.1", head)
            #expect(answer.text.contains("https://one.example/") && !answer.text.contains("http://one.example/"))
            let plain = try ask(
                Connection(path: path), "GET \(target) HTTP/1.1", "Host: one.example", "Connection: close")
            #expect(plain.text.contains("http://one.example/") && !plain.text.contains("https://one.example/"))
        }
        #expect(!program.errors.contains("--trusted-proxies"))
    }

    @Test func soMayAProxyThatIsNamedAndFromElsewhereItIsLoggedOnce() throws {
        let named = try RollcallProcess.demo(users: 60, ["--trusted-proxies", "10.0.0.0/8, 127.0.0.0/8"])
        let trusted = try ask(Connection(port: named.port), "GET /embed HTTP/1.1", forwarded.joined(separator: "\r\n"))
        #expect(trusted.text.contains("https://one.example/") && !trusted.text.contains("http://one.example/"))
        let program = try RollcallProcess.demo(users: 60, ["--trusted-proxies", "10.0.0.0/8"])
        for _ in 1...3 {
            let answer = try ask(
                Connection(port: program.port), "GET /embed HTTP/1.1", forwarded.joined(separator: "\r\n"))
            #expect(answer.text.contains("http://one.example/") && !answer.text.contains("https://one.example/"))
        }
        program.stop()
        #expect(program.errors.components(separatedBy: "Set --public-url").count == 2)
    }
}
