import Foundation
import StandIn
import TestDatabases
import TestSupport
import Testing

@Suite("Concurrent imports", .onThreadsForPrograms)
final class ImportLockTests: Stage {
    let github: StandIn
    let proxy: FaultProxy

    override init() throws {
        github = try StandIn(GitHubWorld(accounts: 350))
        proxy = try FaultProxy(to: github.port, for: "/users")
        try super.init()
        TestScope.atEnd { [proxy] _ in proxy.stop() }
    }

    /// Starts an import that has saved a page, and waits for the next one until `proxy` releases it.
    private func startLong() throws -> Program {
        proxy.set(next: [.pass], then: .hold)
        let before = proxy.fragments.count
        let program = try startImport(from: "github", at: proxy.url, ["--directory", "team"])
        try program.wait(until: "it requests the second page") { proxy.fragments.count >= before + 2 }
        return program
    }

    private func file(_ options: String...) throws -> Program {
        let path = try write("people.ndjson", #"{"id":9000,"login":"ada"}"#)
        return try start(["import", "file", path] + options)
    }

    @Test(arguments: ["github", "file"])
    func anImportWaitingForALockedDatabaseEndsAtTheFirstSignal(_ source: String) throws {
        #expect(try file("--directory", "team").wait() == 0)
        let other = try SQLiteFile(database)
        try other.execute("BEGIN IMMEDIATE")
        let options = ["--directory", "team"]
        let program =
            try source == "file" ? file("--directory", "team") : startImport(from: "github", at: github.url, options)
        try program.wait(until: "it waits for the lock") {
            program.errors.contains("waiting for another process that has locked")
        }
        #expect(program.stop(SIGINT) == 130, "\(program.errors)")
        #expect(program.errors.contains("interrupted; run the same command again to complete it"), "\(program.errors)")
        try other.execute("ROLLBACK")
    }

    @Test func theSecondImportWaitsOrEnds() throws {
        let long = try startLong()
        let busy = try file("--directory", "team", "--lock-timeout", "0")
        func recorded() throws -> Int64? {
            try SQLiteFile(database).numbers("SELECT status FROM lastImport WHERE directory = 1").first
        }
        #expect(busy.wait() == 75)
        #expect(try recorded() == 75, "for /metrics")
        #expect(
            busy.errors.contains("another import is filling team (process \(long.processID), import github, since 20"),
            "\(busy.errors)")
        #expect(try file("--directory", "team", "--dry-run").wait() == 0, "a dry run needs no lock")
        #expect(try file("--directory", "others").wait() == 0, "another directory has its own lock")

        let interrupted = try file("--directory", "team")
        try eventually("it reports that it waits") {
            interrupted.errors.contains("waiting for another import into team, for up to 60 s")
        }
        #expect(interrupted.stop(SIGINT) == 130)
        #expect(try recorded() == 130)
        // An import that waits for the lock sends the service no request.
        let asked = github.count
        let second = try runImport(
            from: "github", at: github.url, "--directory", "team", "--lock-timeout", "1", "--progress", "json")
        second.expect(
            75, error: #"{"note":"waiting for another import"#, #"{"error":"rollcall: another import is filling team"#)
        #expect(github.count == asked)

        let waiting = try file("--directory", "team")
        try eventually("it reports that it waits") { waiting.errors.contains("waiting for another import") }
        proxy.release()
        #expect(long.wait() == 0 && waiting.wait() == 0, "\(waiting.errors)")
        #expect(try ids("team").count == 351)
        #expect(try !files.contains { $0.contains("import") }, "no lock file is left beside the database")
    }

    @Test func aKilledImportReleasesItsLock() throws {
        let long = try startLong()
        long.stop(SIGKILL)
        #expect(try files.contains("people.sqlite-import-team"))
        proxy.release()
        // An import from another address starts from the beginning.
        try runImport(from: "github", at: github.url, "--directory", "team", "--lock-timeout", "0").expect(
            output: "250 added, 100 unchanged")
        #expect(try !files.contains { $0.contains("import") })
    }

    @Test func aRepeatedImportSkipsALockedRound() throws {
        let long = try startLong()
        // Another name of the same database, which has pages in the write-ahead log beside the file itself.
        let link = path("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: database)
        let people = try write("people.ndjson", #"{"id":9000,"login":"ada"}"#)
        let repeated = try start(
            ["import", "file", people, "--directory", "team", "--every", "1s", "--lock-timeout", "0"], database: link)
        try repeated.wait(until: "it skips the round") { repeated.errors.contains("next import at") }
        #expect(repeated.errors.contains("another import is filling team"), "\(repeated.errors)")
        proxy.release()
        #expect(long.wait() == 0)
        try repeated.wait(until: "it adds the user") { repeated.output.contains("1 added") }
        #expect(repeated.stop() == 0)
    }
}
