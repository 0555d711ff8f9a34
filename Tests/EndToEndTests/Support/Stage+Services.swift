import Foundation
import TestSupport

/// A folder of a test's own, with a database in it. Suites inherit it; both are gone with the test.
class Stage: TestFolder {
    var database: String { path("people.sqlite") }

    /// Starts a command on the database, or on another one.
    func start(
        _ arguments: [String], database: String? = nil, input: String = "", environment: [String: String] = [:]
    ) throws -> Program {
        try Program(
            RollcallProcess.executable(), arguments + ["--database", database ?? self.database],
            environment: environment, input: Data(input.utf8))
    }

    func start(_ arguments: String...) throws -> Program { try start(arguments) }

    /// Runs a command on the database, or on another one.
    func rollcall(
        _ arguments: [String], database: String? = nil, input: String = "", environment: [String: String] = [:]
    ) throws -> Output {
        try start(arguments, database: database, input: input, environment: environment).result()
    }

    func rollcall(
        _ arguments: String..., database: String? = nil, input: String = "", environment: [String: String] = [:]
    ) throws -> Output {
        try rollcall(arguments, database: database, input: input, environment: environment)
    }

    /// Imports records from standard input, all of which must be good.
    @discardableResult func load(
        _ text: String, into directory: String = "team", _ options: String..., database: String? = nil
    ) throws -> Output {
        let arguments = ["import", "file", "-", "--directory", directory] + options
        let output = try rollcall(arguments, database: database, input: text)
        guard output.status == 0 else { throw Failure("import of \(text.prefix(100)): \(output.error)") }
        return output
    }

    /// Starts `import SOURCE …` with `url` as the service. Tokens in the test's own environment are removed.
    func startImport(
        from source: String, at url: String, _ options: [String] = [], environment: [String: String] = [:]
    ) throws -> Program {
        let quiet = ["GITHUB_TOKEN": "", "STACKEXCHANGE_KEY": "", "ROLLCALL_RETRY_PAUSE": "0.05s"]
        return try start(
            ["import", source, "--base-url", url] + options, environment: quiet.merging(environment) { $1 })
    }

    /// Runs the same import to its end.
    func runImport(
        from source: String, at url: String, _ options: String..., environment: [String: String] = [:]
    ) throws -> Output {
        try startImport(from: source, at: url, options, environment: environment).result()
    }

    /// The settings of a directory, as they are printed.
    func settings(of directory: String) throws -> [String: Any] {
        let output = try rollcall("directories", "settings", directory)
        let object = try JSONSerialization.jsonObject(with: Data(output.output.utf8))
        guard let settings = object as? [String: Any] else { throw Failure("no settings: \(output)") }
        return settings
    }

    /// Starts a server of the database, or of another one.
    func serve(
        _ options: String..., database: String? = nil, environment: [String: String] = [:]
    ) throws -> RollcallProcess {
        try RollcallProcess(["serve", "--database", database ?? self.database] + options, environment: environment)
    }

    /// Returns all users in a directory in order, as the running program serves them.
    func people(_ directory: String) throws -> [[String: Any]] {
        let server = try serve()
        var people: [[String: Any]] = []
        try server.walk("/api/v3/users?per_page=100&directory=\(directory)") { page in
            people += try JSONSerialization.jsonObject(with: Data(page.body)) as? [[String: Any]] ?? []
        }
        return people
    }

    func ids(_ directory: String) throws -> [Int] { try people(directory).compactMap { $0["id"] as? Int } }
}

extension RollcallProcess {
    /// Visits the page at `target` and those that follow it. Each must be there.
    func walk(_ target: String, _ visit: (Exchange) throws -> Void) throws {
        var next: String? = target
        while let target = next {
            let page = try Exchange(port: port, target: target)
            guard page.status == 200 else { throw Failure("\(target) responded with \(page.status): \(page.text)") }
            try visit(page)
            next = page.link("next")
        }
    }
}
