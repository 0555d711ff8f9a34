import Foundation

/// A folder of a test's own, with a database in it, for commands of the real program. Suites inherit it; all is gone
/// with the test.
open class Stage: TestFolder {
    open var database: String { path("people.sqlite") }

    /// Starts a command on the database, or on another one.
    public func start(
        _ arguments: [String], database: String? = nil, input: String = "", environment: [String: String] = [:]
    ) throws -> Program {
        try Program(
            RollcallProcess.executable(), arguments + ["--database", database ?? self.database],
            environment: environment, input: Data(input.utf8))
    }

    public func start(_ arguments: String...) throws -> Program { try start(arguments) }

    /// Runs a command on the database, or on another one.
    public func rollcall(
        _ arguments: [String], database: String? = nil, input: String = "", environment: [String: String] = [:]
    ) throws -> Output {
        try start(arguments, database: database, input: input, environment: environment).result()
    }

    public func rollcall(
        _ arguments: String..., database: String? = nil, input: String = "", environment: [String: String] = [:]
    ) throws -> Output {
        try rollcall(arguments, database: database, input: input, environment: environment)
    }

    /// Imports records from standard input, all of which must be good.
    @discardableResult public func load(
        _ text: String, into directory: String = "team", _ options: String..., database: String? = nil
    ) throws -> Output {
        let arguments = ["import", "file", "-", "--directory", directory] + options
        let output = try rollcall(arguments, database: database, input: text)
        guard output.status == 0 else { throw Failure("import of \(text.prefix(100)): \(output.error)") }
        return output
    }

    /// Starts a server of the database, or of another one.
    public func serve(
        _ options: String..., database: String? = nil, environment: [String: String] = [:]
    ) throws -> RollcallProcess {
        try serve(options, database: database, environment: environment)
    }

    public func serve(
        _ options: [String], database: String? = nil, environment: [String: String] = [:]
    ) throws -> RollcallProcess {
        try RollcallProcess(["serve", "--database", database ?? self.database] + options, environment: environment)
    }
}
