import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("Copies of a database (rollcall copy)", .onThreadsForPrograms, .tags(.long))
final class CopyTests: Stage {
    private var copy: String { path("copy.sqlite") }

    private func load(_ count: Int) throws {
        let lines = (1...count).map { "user\($0),Name \($0 % 97),Team \($0 % 7)" }
        try load((["login,name,team"] + lines).joined(separator: "\n"))
    }

    private func export(_ database: String) throws -> Output {
        try rollcall("export", "--with-private", database: database)
    }

    private func copyDatabase() throws -> Output { try run(binary(), ["copy", database, copy]) }

    /// The number of tables that an interrupted copy has copied; 0 before it has begun.
    private func step(in copy: String) throws -> Int {
        guard copy.hasPrefix("postgres:") else {
            return Int((try? SQLiteFile(copy).numbers("SELECT step FROM copying").first) ?? 0)
        }
        let schema = try #require(copy.components(separatedBy: "schema=").last)
        return (try? Int(PostgresCluster.shared().query("SELECT step FROM \(schema).copying"))) ?? 0
    }

    @Test func aCopyExportsTheSamePeople() throws {
        try load(2000)
        try copyDatabase().expect(output: "2,000 people in 1 directory")
        #expect(try export(copy).output == export(database).output)
        let server = try serve(database: copy)
        #expect(try get(server.url + "/?q=user7").fields["x-total-count"] != "0")
        try copyDatabase().expect(1, error: "has directories")
    }

    @Test(arguments: [(SIGKILL, false), (SIGINT, true)])
    func anInterruptedCopyIsOpenedByNobodyAndGoesOn(_ signal: Int32, _ isOnServer: Bool) throws {
        try load(30_000)
        let copy = try isOnServer ? PostgresCluster.shared().makeURL() : self.copy
        let program = try Program(RollcallProcess.executable(), ["copy", database, copy])
        try program.wait(until: "some tables are copied") { try step(in: copy) > 11 }
        let status = program.stop(signal)
        #expect(status == (signal == SIGINT ? 130 : 128 + SIGKILL), "\(program.output) \(program.errors)")
        for command in [["serve", "--port", "0"], ["export"], ["directories"]] {
            try rollcall(command, database: copy).expect(1, error: "run the same rollcall copy again")
        }
        let file = ["import", "file", "-", "--format", "csv", "--directory", "team"]
        #expect(try rollcall(file, database: copy, input: "login\nada").status == 1)
        try run(binary(), ["copy", database, copy]).expect(output: "by an earlier run")
        #expect(try export(copy).output == export(database).output)
    }
}
