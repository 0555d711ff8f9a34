import Foundation
import TestSupport
import Testing

/// Everything keeps working during an import.
@Suite("Concurrent use", .onThreadsForPrograms, .tags(.long))
final class ConcurrentUseTests: Stage {
    private func importing(_ ids: some Sequence<Int>) throws -> Program {
        let people = ids.map { #"{"id":\#($0),"login":"user\#($0)","name":"Some \#($0) Body"}"# }
        return try start(
            ["import", "file", "-", "--directory", "team", "--batch-size", "500"],
            input: people.joined(separator: "\n"))
    }

    @Test func aWalkDuringAnImportRepeatsAndMissesNobody() throws {
        let first = Array(stride(from: 10, through: 10_000, by: 10))
        #expect(try importing(first).wait() == 0)
        let server = try serve()
        let program = try importing(1...40_000)
        var before = Set(first)
        repeat {
            var ids: [Int] = []
            try server.walk("/api/v3/users?per_page=100") { page in
                ids += page.text.matches(of: /"id":(\d+),/).compactMap { Int($0.1) }
            }
            #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
            #expect(before.isSubset(of: ids))
            before = Set(ids)
        } while program.isRunning && before.count < 20_000
        #expect(program.wait() == 0)
    }

    @Test func aBackupDuringAnImportIsASnapshot() throws {
        #expect(try importing(1...1000).wait() == 0)
        let program = try importing(1001...30_000)
        let copy = path("copy.sqlite")
        #expect(try rollcall("backup", copy).expect(whole: "").error.hasPrefix("copied to \(copy), "))
        #expect(program.wait() == 0)
        let copied = try rollcall("export", database: copy).output.split(separator: "\n")
        let all = try rollcall("export").output.split(separator: "\n")
        #expect(all.count == 30_000 && copied.count >= 1000 && Set(all).isSuperset(of: copied))
        let server = try serve(database: copy)
        #expect(try get(server.url + "/").fields["x-total-count"] == "\(copied.count)")

        try rollcall("backup", copy).expect(1, error: "copy.sqlite exists already")
        #expect(try files.allSatisfy { !$0.contains("partial") })
        try rollcall("backup", copy + "2", database: database + "2").expect(1, error: "there is no database")
    }
}
