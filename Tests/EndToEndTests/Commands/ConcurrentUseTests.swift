import Foundation
import TestSupport
import Testing

/// Everything keeps working during an import.
@Suite("Concurrent use", .onThreadsForPrograms, .tags(.long))
final class ConcurrentUseTests: Stage {
    private func people(_ ids: some Sequence<Int>) -> Data {
        Data(ids.map { #"{"id":\#($0),"login":"user\#($0)","name":"Some \#($0) Body"}"# }.joined(separator: "\n").utf8)
    }

    private func importing(_ people: Data) throws -> Program {
        try Program(
            RollcallProcess.executable(),
            ["import", "file", "-", "--directory", "team", "--batch-size", "500", "--database", database], input: people
        )
    }

    /// Returns the ids that a walk along the next links visits, in its order.
    private func walk(_ server: RollcallProcess) throws -> [Int] {
        var ids: [Int] = []
        var target: String? = "/api/v3/users?per_page=100"
        while let path = target {
            let page = try Exchange(port: server.port, target: path)
            #expect(page.status == 200)
            ids += page.text.matches(of: /"id":(\d+),"node_id"|"id":(\d+),/).compactMap { Int($0.1 ?? $0.2 ?? "") }
            target = page.link("next")
        }
        return ids
    }

    @Test func aWalkDuringAnImportRepeatsAndMissesNobody() throws {
        let first = Array(stride(from: 10, through: 10_000, by: 10))
        #expect(try importing(people(first)).wait() == 0)
        let server = try serve()
        let program = try importing(people(1...40_000))
        var before = Set(first)
        repeat {
            let ids = try walk(server)
            #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
            #expect(before.isSubset(of: ids))
            before = Set(ids)
        } while program.isRunning && before.count < 20_000
        #expect(program.wait() == 0)
    }

    @Test func aBackupDuringAnImportIsASnapshot() throws {
        #expect(try importing(people(1...1000)).wait() == 0)
        let program = try importing(people(1001...30_000))
        let copy = path("copy.sqlite")
        let backup = ["backup", copy, "--database", database]
        let output = try run(binary(), backup)
        #expect(output.status == 0 && output.output == "" && output.error.hasPrefix("copied to \(copy), "))
        #expect(program.wait() == 0)
        let copied = try run(binary(), ["export", "--database", copy]).output.split(separator: "\n")
        let all = try rollcall("export").output.split(separator: "\n")
        #expect(all.count == 30_000 && copied.count >= 1000 && Set(all).isSuperset(of: copied))
        let server = try RollcallProcess(["serve", "--database", copy])
        #expect(try get(server.url + "/").fields["x-total-count"] == "\(copied.count)")

        let again = try run(binary(), backup)
        #expect(again.status == 1 && again.error.contains("copy.sqlite exists already"))
        #expect(try files.allSatisfy { !$0.contains("partial") })
        let missing = try run(binary(), ["backup", copy + "2", "--database", database + "2"])
        #expect(missing.status == 1 && missing.error.contains("there is no database"))
    }
}
