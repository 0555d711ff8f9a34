import Foundation
import People
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

/// Kills processes with `kill -9` at random moments, the same ones in every run as far as the machine allows. The
/// invariants hold at any moment.
@Suite("Killed processes")
final class KilledTests: TestFolder {
    var database: String { path("people.sqlite") }
    var people: String { path("people.ndjson") }

    private func write(_ ids: ClosedRange<Int>, name: String) throws {
        let lines = ids.map {
            #"{"id":\#($0),"login":"user\#($0)","name":"\#(name) \#($0 % 7)","reputation":\#($0 % 13)}"#
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: people))
    }

    private func start(_ arguments: [String], in path: String? = nil) throws -> Program {
        try Program(RollcallProcess.executable(), arguments + ["--database", path ?? database])
    }

    private var importArguments: [String] {
        ["import", "file", people, "--directory", "team", "--batch-size", "100"]
    }

    private func importing(_ options: String...) throws -> Program { try start(importArguments + options) }

    /// Returns how long an import takes that nobody kills, in microseconds. Most kills shall come before its end.
    private func importTime() throws -> UInt32 {
        let start = ContinuousClock.now
        let path = folder.appending(path: "timed-\(UUID().uuidString).sqlite").path
        #expect(try self.start(importArguments, in: path).wait() == 0)
        return UInt32(max(1, (ContinuousClock.now - start) / .microseconds(1)))
    }

    /// Kills `program` within `microseconds`.
    private func kill(_ program: Program, within microseconds: UInt32, _ random: inout SplitMix) {
        usleep(UInt32.random(in: 0...microseconds, using: &random))
        program.stop(SIGKILL)
    }

    @Test func aKilledImportLosesNothingSavedAndIsCompleted() throws {
        var random = SplitMix(walk: 9)
        try write(1...3000, name: "name")
        var saved = 0
        let time = try importTime()
        for _ in 0..<RandomWalk.rounds(10) {
            kill(try importing(), within: time, &random)
            guard FileManager.default.fileExists(atPath: database) else { continue }
            let count = try WholeDatabase(database).users.count
            #expect(count >= saved && count % 100 == 0)
            saved = count
        }
        #expect(try importing().wait() == 0)
        #expect(try WholeDatabase(database).users.count == 3000)
        // All users change their name and position; those after id 2,500 are removed.
        try write(1...2500, name: "new name")
        for _ in 0..<RandomWalk.rounds(10) {
            kill(try importing("--prune"), within: time, &random)
            #expect(try WholeDatabase(database).users.count >= 2500)
        }
        #expect(try importing("--prune").wait() == 0)
        let whole = try WholeDatabase(database)
        #expect(whole.users.count == 2500 && whole.users.allSatisfy { $0.name?.hasPrefix("new") == true })
    }

    @Test func aKilledForgettingIsCompletedByTheSameCommand() throws {
        var random = SplitMix(walk: 10)
        try write(1...2000, name: "name")
        #expect(try importing().wait() == 0)
        let time = try importTime() / 4
        var gone: Set<Int64> = []
        for round in 1...12 {
            let named = (0..<20).map { Int64(round * 100 + $0) }
            let arguments = ["forget", "--directory", "team"] + named.map { "USER\($0)" }
            kill(try start(arguments), within: time, &random)
            let left = Set(try WholeDatabase(database).users.map(\.id))
            #expect(left.union(named).union(gone) == Set(1...2000))
            #expect(left.isDisjoint(with: gone))
            #expect(try start(arguments).wait() == 0)
            gone.formUnion(named)
        }
        #expect(try importing().wait() == 0)
        #expect(Set(try WholeDatabase(database).users.map(\.id)) == Set(1...2000).subtracting(gone))
    }

    @Test func usersForgottenDuringAnImportStayOut() throws {
        try write(1...2000, name: "name")
        #expect(try importing().wait() == 0)
        try write(1...6000, name: "new name")
        let running = try importing()
        var gone: Set<Int64> = []
        // As many as it takes for the import to end, spread over its users.
        for id in stride(from: Int64(1), to: 2000, by: 97) where running.isRunning || gone.count < 3 {
            #expect(try start(["forget", "user\(id)", "--directory", "team"]).wait() == 0)
            gone.insert(id)
        }
        #expect(running.wait() == 0)
        #expect(Set(try WholeDatabase(database).users.map(\.id)) == Set(1...6000).subtracting(gone))
    }

    @Test func twoConcurrentImportsBothSucceed() throws {
        try write(1...3000, name: "name")
        let one = try importing()
        let two = try importing()
        #expect(one.wait() == 0 && two.wait() == 0)
        #expect(try WholeDatabase(database).users.count == 3000)
    }

    @Test func aKilledServerBlocksNobody() throws {
        try write(1...300, name: "name")
        #expect(try importing().wait() == 0)
        let socket = "/tmp/rollcall-\(UUID().uuidString.prefix(8)).sock"
        let arguments = ["serve", "--database", database, "--unix-socket", socket]
        try RollcallProcess(arguments).stop(SIGKILL)
        #expect(FileManager.default.fileExists(atPath: socket))
        #expect(try RollcallProcess(arguments).stop(SIGTERM) == 0)
        #expect(try importing().wait() == 0)
        #expect(try WholeDatabase(database).users.count == 300)
    }
}
