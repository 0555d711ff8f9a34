import Foundation
import GRDB
import TestSupport
import Testing

@Suite("Copies of a database (rollcall copy)")
final class CopyTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-copy-\(UUID().uuidString)")
    private var database: String { path("people.sqlite") }
    private var copy: String { path("copy.sqlite") }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func load(_ count: Int) throws {
        let lines = (1...count).map { "user\($0),Name \($0 % 97),Team \($0 % 7)" }
        let input = Data((["login,name,team"] + lines).joined(separator: "\n").utf8)
        let arguments = ["import", "file", "-", "--format", "csv", "--directory", "team", "--database", database]
        #expect(try run(binary(), arguments, input: input).status == 0)
    }

    private func export(_ database: String) throws -> Output {
        try run(binary(), ["export", "--with-private", "--database", database])
    }

    private func copyDatabase() throws -> Output { try run(binary(), ["copy", database, copy]) }

    @Test func aCopyExportsTheSamePeople() throws {
        try load(2000)
        let output = try copyDatabase()
        #expect(output.status == 0, "\(output.error)")
        #expect(output.output.contains("2,000 people in 1 directory"), "\(output.output)")
        #expect(try export(copy).output == export(database).output)
        let server = try RollcallProcess(["serve", "--database", copy])
        defer { server.stop() }
        #expect(try curl(server.url + "/?q=user7").fields["x-total-count"] != "0")
        let again = try copyDatabase()
        #expect(again.status == 1 && again.error.contains("has directories"), "\(again.error)")
    }

    @Test(arguments: [SIGKILL, SIGINT])
    func anInterruptedCopyIsOpenedByNobodyAndGoesOn(_ signal: Int32) throws {
        try load(30_000)
        let program = try Program(RollcallProcess.executable(), ["copy", database, copy])
        try program.wait(until: "some tables are copied") { [copy] in
            let step = try? DatabaseQueue(path: copy).read { try Int.fetchOne($0, sql: "SELECT step FROM copying") }
            return (step ?? 0) > 11
        }
        let status = program.stop(signal)
        #expect(status == (signal == SIGINT ? 130 : 128 + SIGKILL), "\(program.output) \(program.errors)")
        for command in [["serve", "--port", "0"], ["export"], ["directories"], ["backup", path("b.sqlite")]] {
            let output = try run(binary(), command + ["--database", copy])
            #expect(output.status == 1 && output.error.contains("run the same rollcall copy again"), "\(output.error)")
        }
        let file = ["import", "file", "-", "--format", "csv", "--directory", "team", "--database", copy]
        #expect(try run(binary(), file, input: Data("login\nada".utf8)).status == 1)
        let output = try copyDatabase()
        #expect(output.status == 0 && output.output.contains("by an earlier run"), "\(output.output) \(output.error)")
        #expect(try export(copy).output == export(database).output)
    }
}
