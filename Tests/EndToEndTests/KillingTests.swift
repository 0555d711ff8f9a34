import Foundation
import TestSupport
import Testing

/// `kill -9` at any moment of what writes.
@Suite("Killing")
struct KillingTests {
    let folder: URL
    var database: String { folder.appending(path: "people.sqlite").path }
    private static let people = 12_000

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-kill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func file() throws -> String {
        let url = folder.appending(path: "people.ndjson")
        // Neither order follows from another one.
        let lines = (1...Self.people).map { id in
            let number = id * 7919 % 100_003
            return
                #"{"id":\#(id),"login":"user\#(number)","name":"\#(["Ada", "김", "Zoë"][id % 3]) \#(number * 31 % 100_003)"}"#
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: url)
        return url.path
    }

    /// How much has been written in this database: grows until a checkpoint.
    private var written: Int {
        [database, database + "-wal"].reduce(0) { sum, path in
            sum + ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0)
        }
    }

    /// Everyone once in every order, as many as are told, and found by what they are called.
    private func check(_ server: RollcallProcess) throws -> Set<Int> {
        let connection = try Connection(port: server.port)
        var known: Set<Int>?
        for sort in ["id", "login", "name", "reputation"] {
            var target: String? = "/api/v3/users?per_page=100&sort=\(sort)"
            var (ids, total) = ([Int](), 0)
            while let next = target {
                let answer = try Exchange(on: connection, target: next)
                total = Int(answer.headers["x-total-count"] ?? "") ?? -1
                let users = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]])
                ids += users.compactMap { $0["id"] as? Int }
                target = answer.headers["link"].flatMap { link in
                    link.split(separator: ",").first { $0.contains("rel=\"next\"") }?
                        .split(separator: "<").last?.split(separator: ">").first
                        .flatMap { URLComponents(string: String($0)) }.map {
                            "\($0.path)?\($0.percentEncodedQuery ?? "")"
                        }
                }
            }
            #expect(ids.count == total)
            let unique = Set(ids)
            #expect(unique.count == ids.count)
            #expect(known == nil || known == unique, "\(sort) has others")
            known = unique
        }
        let found = try Exchange(on: connection, target: "/api/v3/users?q=ada&per_page=1")
        if let known, known.count < 30_000 {
            #expect(found.headers["x-total-count"] == "\(known.filter { $0 % 3 == 0 }.count)")
        }
        return known ?? []
    }

    @Test func importsLoseNothingThatWasSaved() throws {
        let file = try file()
        var random = SplitMix(state: 2)
        var saved: Set<Int> = []
        let server = try RollcallProcess(["serve", "--database", database])
        for _ in 0..<5 {
            let before = written
            let enough = Int.random(in: 1...3_000_000, using: &random)
            let program = try Program(
                RollcallProcess.executable(), ["import", "file", file, "--database", database, "--batch-size", "300"])
            while abs(written - before) < enough, program.isRunning { usleep(500) }
            program.stop(SIGKILL)
            let now = try check(server)
            #expect(now.isSuperset(of: saved))
            saved = now
        }
        let last = try run(binary(), ["import", "file", file, "--database", database])
        #expect(last.status == 0)
        #expect(try check(server).count == Self.people)
        #expect(last.output.contains("0 changed"))
    }

    @Test func forgettingIsDoneOrNotAtAll() throws {
        #expect(try run(binary(), ["import", "file", file(), "--database", database]).status == 0)
        var random = SplitMix(state: 3)
        let server = try RollcallProcess(["serve", "--database", database])
        let gone = (0..<60).map { _ in Int.random(in: 1...Self.people, using: &random) }
        let options = gone.flatMap { ["--id", "\($0)"] }
        var before = try check(server)
        for _ in 0..<4 {
            let size = written
            let enough = Int.random(in: 1...1_000_000, using: &random)
            let program = try Program(RollcallProcess.executable(), ["forget", "--database", database] + options)
            while abs(written - size) < enough, program.isRunning { usleep(500) }
            program.stop(SIGKILL)
            let now = try check(server)
            #expect(now.isSubset(of: before) && before.subtracting(now).isSubset(of: gone))
            before = now
        }
        _ = try run(binary(), ["forget", "--database", database] + options)
        #expect(try check(server) == Set(1...Self.people).subtracting(gone))
        let again = try run(binary(), ["import", "file", file(), "--database", database])
        #expect(again.output.contains(" \(Set(gone).count) skipped"))
        #expect(try check(server) == Set(1...Self.people).subtracting(gone))
    }
}
