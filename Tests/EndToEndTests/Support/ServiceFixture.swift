import Foundation
import StandIn
import TestSupport

/// A database for imports from a stand-in service, and the real program that imports into it.
///
/// `@unchecked` is safe because it has nothing but the constant folder of ``Stage``.
final class ServiceFixture: Stage, @unchecked Sendable {
    /// Starts `import SOURCE …` with `url` as the service. Tokens in the test's own environment are removed.
    func start(
        _ source: String, at url: String, _ options: [String] = [], environment: [String: String] = [:]
    ) throws -> Program {
        let quiet = ["GITHUB_TOKEN": "", "STACKEXCHANGE_KEY": "", "ROLLCALL_RETRY_PAUSE": "0.05s"]
        return try Program(
            RollcallProcess.executable(), ["import", source, "--base-url", url, "--database", database] + options,
            environment: quiet.merging(environment) { $1 })
    }

    /// Runs the same import to its end.
    func run(
        _ source: String, at url: String, _ options: String..., environment: [String: String] = [:]
    ) throws -> Output {
        let program = try start(source, at: url, options, environment: environment)
        let status = program.wait()
        return Output(status: status, output: program.output, error: program.errors)
    }

    /// Returns all users in the database in order, as the running program serves them.
    func people(_ directory: String) throws -> [[String: Any]] {
        let server = try serve()
        var people: [[String: Any]] = []
        var target: String? = "/api/v3/users?per_page=100&directory=\(directory)"
        while let next = target {
            let answer = try Exchange(port: server.port, target: next)
            guard answer.status == 200 else { throw Failure("\(next) responded with \(answer.status): \(answer.text)") }
            people += try JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]] ?? []
            target = answer.link("next")
        }
        return people
    }

    func ids(_ directory: String) throws -> [Int] { try people(directory).compactMap { $0["id"] as? Int } }
}
