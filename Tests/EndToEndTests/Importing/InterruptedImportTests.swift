import Foundation
import StandIn
import TestSupport
import Testing

/// Every possible fault occurs repeatedly; the same command runs again until the import is complete.
@Suite("Imports with many faults", .onThreadsForPrograms, .tags(.long))
final class InterruptedImportTests: Stage {
    /// Temporary faults that every service has: an error response, a response of the wrong kind, silence, and a
    /// connection that ends in the middle of a response.
    private static let faults: [FaultProxy.Fault] = [
        .answer(500, body: "<html>"), .cut, .hold, .answer(200, body: "[{\"id\""), .answer(503, ["Retry-After": "1"]),
        .cutHalfway, .answer(200, body: "3"), .hold, .answer(502), .cut, .answer(429, ["Retry-After": "1"]),
        .hold, .answer(200, body: "\u{1F}\u{8B}"), .answer(504), .cut, .answer(500), .answer(500), .answer(500),
    ]

    /// Runs the import until it is complete, through a proxy that breaks every second or third response, and kills it
    /// where it has to wait. Returns the targets of the intact responses, and the whole output.
    private func run(
        _ source: String, _ service: StandIn, path: String, prefix: String, _ options: [String] = [],
        also more: [FaultProxy.Fault], environment: [String: String] = [:], expected status: Int32 = 0
    ) throws -> (good: [String], output: String) {
        let proxy = try FaultProxy(to: service.port, for: prefix)
        defer { proxy.stop() }
        let script = (more + Self.faults).enumerated().flatMap { index, fault in
            [FaultProxy.Fault](repeating: .pass, count: 1 + index % 2) + [fault]
        }
        var (output, signals) = ("", [SIGKILL, SIGINT, 0, SIGTERM])
        for _ in 0..<40 {
            proxy.set(next: Array(script.dropFirst(proxy.fragments.count)))
            let program = try startImport(
                from: source, at: proxy.url + path, options + ["--timeout", "4s"], environment: environment)
            var seen = 0
            try program.wait(until: "it ends") {
                let count = proxy.fragments.count
                if count > seen, count <= script.count, case .hold = script[count - 1] {
                    // Without a signal, the import gives up by itself.
                    let signal = signals.isEmpty ? 0 : signals.removeFirst()
                    if signal != 0 { program.send(signal) }
                }
                seen = count
                return false
            }
            proxy.release()
            output += program.output + program.errors
            let end = program.wait()
            #expect([0, 1, 2, 130, 128 + SIGKILL].contains(end), "\(program.errors)")
            if end == status {
                #expect(proxy.fragments.count > script.count, "every fault occurred")
                return (try check(proxy, script), output)
            }
        }
        throw Failure("the import never completed: \(output)")
    }

    /// Checks that no request came too early. Returns the targets of the requests that got an intact response.
    private func check(_ proxy: FaultProxy, _ script: [FaultProxy.Fault]) throws -> [String] {
        var good: [String] = []
        for (index, target) in proxy.fragments.enumerated() {
            switch index < script.count ? script[index] : .pass {
            case .pass: good.append(target)
            case .answer(let status, let fields, _):
                let pause = fields["Retry-After"].flatMap(Double.init) ?? (status == 302 ? 0 : 0.05)
                if proxy.pauses[index] < pause { Issue.record("\(target) again after \(proxy.pauses[index]) s") }
            default: break
            }
        }
        return good
    }

    @Test func aGitHubImportCompletes() throws {
        let abroad = try StandIn(GitHubWorld(accounts: 60))
        let bad: Set<Int64> = [11, 29]
        let github = try StandIn(
            GitHubWorld(accounts: 60) { bad.contains($0) ? #"{"id":\#($0),"login":""}"# : GitHubWorld.account($0) })
        let limit = FaultProxy.Fault.answer(403, ["Retry-After": "1"], body: #"{"message":"slow, very-secret"}"#)
        let (good, output) = try run(
            "github", github, path: "", prefix: "/users", ["--details"],
            also: [limit, .answer(302, ["Location": abroad.url + "/users"]), limit],
            environment: ["GITHUB_TOKEN": "very-secret"], expected: 2)
        #expect(Set(good).count == good.count, "a page that arrived intact is not requested again: \(good)")
        #expect(good.contains("/users/bot-7%5Bbot%5D"))
        #expect(abroad.count == 0 && github.log.allSatisfy { $0.authorization == "Bearer very-secret" })
        #expect(!output.contains("very-secret") && output.contains("rejected id 11: expected a login"), "\(output)")
        #expect(output.contains("continuing the import of") && output.contains("in all, since"), "\(output)")
        let people = try people("github")
        let expected = (0..<60).map(GitHubWorld.id).filter { !bad.contains($0) }
        #expect(people.compactMap { $0["id"] as? Int64 } == expected)
        for (person, id) in zip(people, expected) {
            let object = try JSONSerialization.jsonObject(with: Data(GitHubWorld.account(id).utf8))
            let account = try #require(object as? [String: Any])
            for key in ["login", "html_url", "type", "node_id"] {
                #expect(person[key] as? String == account[key] as? String)
            }
            #expect(person["name"] as? String == "Person \(id)")
        }
    }

    @Test func aStackExchangeImportCompletes() throws {
        let world = StackExchangeWorld(users: 3450)
        world.change { $0.backoffs = [0, 0, 1] }
        let service = try StandIn(world)
        let error = { (number: Int, text: String) in
            FaultProxy.Fault.answer(
                400, ["Retry-After": "0"], body: #"{"error_id":\#(number),"error_name":"x","error_message":"\#(text)"}"#
            )
        }
        let (good, output) = try run(
            "stackexchange", service, path: "/2.3", prefix: "/2.3",
            also: [error(502, "more requests available in 1 seconds"), error(500, "k-e-y"), error(503, "later")],
            environment: ["STACKEXCHANGE_KEY": "k-e-y"])
        #expect(good.count == 35 && Set(good).count == 35, "\(good)")
        #expect(good.allSatisfy { $0.hasSuffix("&key=k-e-y") } && !output.contains("k-e-y"), "\(output)")
        let people = try people("stackoverflow")
        #expect(people.compactMap { $0["id"] as? Int } == Array(1...3450))
        #expect(people.allSatisfy { ($0["reputation"] as? Int) == ($0["id"] as? Int).map { $0 * 10 } })
        #expect(people.dropFirst(2).allSatisfy { $0["name"] as? String == "User \($0["id"] ?? "")" })
    }
}
