import Foundation
import TestSupport
import Testing

extension Stage {
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

    /// Runs `rollcall check`, which finds so many people.
    func check(_ server: RollcallProcess, _ target: String = "/", users: Int) throws {
        let check = try run(binary(), ["check", server.url + target]).expect()
        #expect(check.output.hasPrefix("\(users) users"), "\(target): \(check.output)")
    }

    /// Whether the database or its log has a text in it.
    func holds(_ text: String) -> Bool { stored(in: database).range(of: Data(text.utf8)) != nil }

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
