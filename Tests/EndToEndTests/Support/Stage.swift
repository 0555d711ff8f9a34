import Foundation
import TestSupport

/// A folder of a test's own, with a database in it. Suites inherit it; both are gone with the test.
class Stage: TestFolder {
    var database: String { path("people.sqlite") }

    /// Runs a command on the database.
    func rollcall(_ arguments: String..., input: String = "", environment: [String: String] = [:]) throws -> Output {
        try rollcall(arguments, input: input, environment: environment)
    }

    func rollcall(_ arguments: [String], input: String = "", environment: [String: String] = [:]) throws -> Output {
        try run(binary(), arguments + ["--database", database], input: Data(input.utf8), environment: environment)
    }

    /// Imports records from standard input, all of which must be good.
    @discardableResult func load(
        _ text: String, into directory: String = "team", _ options: String..., database: String? = nil
    ) throws -> Output {
        let output = try run(
            binary(),
            ["import", "file", "-", "--directory", directory, "--database", database ?? self.database] + options,
            input: Data(text.utf8))
        guard output.status == 0 else { throw Failure("import of \(text.prefix(100)): \(output.error)") }
        return output
    }

    /// The settings of a directory, as they are printed.
    func settings(of directory: String) throws -> [String: Any] {
        let output = try rollcall("directories", "settings", directory)
        let object = try JSONSerialization.jsonObject(with: Data(output.output.utf8))
        guard let settings = object as? [String: Any] else { throw Failure("no settings: \(output)") }
        return settings
    }

    /// Starts a server of the database.
    func serve(_ options: String..., environment: [String: String] = [:]) throws -> RollcallProcess {
        try RollcallProcess(["serve", "--database", database] + options, environment: environment)
    }
}
