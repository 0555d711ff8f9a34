import Foundation
import TestDatabases
import TestSupport
import Testing

/// `ConcurrentUseTests` also makes a backup during an import.
@Suite("Backups", .onThreadsForPrograms)
final class BackupTests: Stage {
    var copy: String { path("copy.sqlite") }

    private func loadPerson(_ login: String, into database: String? = nil) throws {
        try load("id,login\n1,\(login)\n", into: "team", "--prune=all", database: database)
    }

    /// A database that takes a moment to copy.
    private func loadMany() throws {
        try FileManager.default.copyItem(atPath: RollcallProcess.demoDatabase(users: 20_000), toPath: database)
    }

    /// Interrupts the copy twice, as closing a terminal does.
    @Test func aSignalLeavesNothingBehind() throws {
        try loadMany()
        let before = try files
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            let program = try start("backup", copy)
            while program.isRunning, try files == before {}
            program.send(signal)
            program.send(signal)
            // Or the copy was complete before the signal came.
            let status = program.wait()
            #expect(try status == 130 ? files == before : status == 0 && files == (before + ["copy.sqlite"]).sorted())
            #expect(program.errors.hasPrefix(status == 0 ? "copied to \(copy), " : "interrupted; there is no copy\n"))
            try? FileManager.default.removeItem(atPath: copy)
        }
    }

    @Test func aFileSizeLimitLeavesNothingBehind() throws {
        try loadMany()
        let before = try files
        let script = "ulimit -f 100; exec \"$0\" backup \"$1\" --database \"$2\""
        try run("sh", ["-c", script, binary(), copy, database]).expect(
            1, error: "copy.sqlite was not made: File too large")
        #expect(try files == before)
    }

    @Test func aDamagedDatabaseIsNotCopied() throws {
        try loadMany()
        let file = try FileHandle(forUpdating: URL(filePath: database))
        try file.seek(toOffset: file.seekToEnd() / 2)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 100_000))
        try file.close()
        let before = try files
        let output = try rollcall("backup", copy).expect(1, error: "copy.sqlite was not made: \(database) is damaged: ")
        #expect(output.error.split(separator: "\n").count == 1, "\(output.error)")
        #expect(try files == before)
    }

    /// The state in which a full disk leaves a database.
    @Test func anEmptyFileIsNotCopied() throws {
        try Data().write(to: URL(filePath: database))
        try rollcall("backup", copy).expect(1, error: "people.sqlite is empty")
        #expect(try files == ["people.sqlite"])
    }

    @Test func aBackupWaitsForALockedDatabase() throws {
        try loadPerson("ada")
        var file: SQLiteFile? = try SQLiteFile(database)
        try file?.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; CREATE TABLE x (y)")
        let output = try rollcall("backup", copy, "--lock-timeout", "1")
        #expect(!output.expect(1, error: "another process keeps the database locked").error.contains("PRAGMA"))
        let stopped = try start("backup", copy)
        try eventually("it reports that it waits") { stopped.errors.contains("waiting for another process") }
        stopped.send(SIGTERM)
        #expect(stopped.wait() == 130)
        // In this locking mode, the lock stays until the database is closed.
        try file?.execute("ROLLBACK")
        let program = try start("backup", copy)
        try eventually("it waits") { program.errors.contains("waiting for another process") }
        file = nil
        #expect(program.wait() == 0)
    }

    /// A bad import between two good ones: the directory has the same generation in both, but different users.
    @Test func validatorsOfADatabaseAreNotValidForItsCopy() throws {
        try loadPerson("right")
        #expect(try rollcall("backup", copy).status == 0)
        try loadPerson("wrong")
        let first = try serve()
        let tag = try #require(get(first.url + "/fragment").fields["etag"])
        first.stop()
        try loadPerson("better", into: copy)
        let second = try serve(database: copy)
        let answer = try get(second.url + "/fragment", "If-None-Match: \(tag)")
        #expect(answer.status == 200 && answer.text.contains("better"))
    }

    @Test func theOldestCopiesGoOnceANewOneIsComplete() throws {
        try loadPerson("ada")
        func keep(_ count: String, of database: String) throws -> Output {
            try rollcall("backup", "--keep", count, path("kept"), database: database)
        }
        let old = ["20200101T000000Z", "20210101T000000Z", "20220101T000000Z"].map { "rollcall-\($0).sqlite" }
        let others = [
            "people.sqlite", "rollcall-2019.sqlite", "rollcall-20190101T000000Z.sqlite.txt",
            "copy-rollcall-20190101T000000Z.sqlite", "rollcall-20190101T000000Z.sqlite-wal",
        ]
        let pictures = old.prefix(2).map { $0 + "-pictures" }
        for name in old + pictures + others { try write("kept/" + name, "old") }
        let link = "rollcall-20180101T000000Z.sqlite"
        try FileManager.default.createSymbolicLink(atPath: path("kept/" + link), withDestinationPath: "people.sqlite")
        var kept: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path("kept")) } }

        // Not a database: a failure removes nothing.
        let before = try kept.sorted()
        #expect(try keep("1", of: path("kept/people.sqlite")).status == 1)
        #expect(try kept.sorted() == before)

        #expect(try keep("2", of: database).status == 0)
        let new = try Set(kept).subtracting(before)
        let name = try #require(new.first)
        #expect(new.count == 1 && name.wholeMatch(of: /rollcall-20\d{6}T\d{6}Z\.sqlite/) != nil, "\(new)")
        #expect(try Set(kept) == Set([name, old[2], link] + others))
        #expect(try rollcall("export", database: path("kept/" + name)).output.contains("ada"))
    }
}
