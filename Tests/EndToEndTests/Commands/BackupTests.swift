import Foundation
import TestDatabases
import TestSupport
import Testing

/// `ConcurrentUseTests` also makes a backup during an import.
@Suite("Backups", .onThreadsForPrograms)
struct BackupTests {
    let folder: URL
    var database: String { path("people.sqlite") }
    var copy: String { path("copy.sqlite") }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-backup-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func load(_ logins: some Sequence<String>, into database: String) throws {
        let people = logins.enumerated().map { "{\"id\":\($0 + 1),\"login\":\"\($1)\"}" }.joined(separator: "\n")
        let arguments = ["import", "file", "-", "--directory", "team", "--prune=all", "--database", database]
        #expect(try run(binary(), arguments, input: Data(people.utf8)).status == 0)
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    /// Interrupts the copy twice, as closing a terminal does.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func aSignalLeavesNothingBehind(_ signal: Int32) throws {
        try load((1...20_000).lazy.map { "user\($0)" }, into: database)
        let before = try files
        let program = try Program(RollcallProcess.executable(), ["backup", copy, "--database", database])
        while program.isRunning, try files == before {}
        program.send(signal)
        program.send(signal)
        // Or the copy was complete before the signal came.
        let status = program.wait()
        #expect(try status == 130 ? files == before : status == 0 && files == (before + ["copy.sqlite"]).sorted())
        #expect(program.errors.hasPrefix(status == 0 ? "copied to \(copy), " : "interrupted; there is no copy\n"))
    }

    @Test func aFileSizeLimitLeavesNothingBehind() throws {
        try load((1...20_000).lazy.map { "user\($0)" }, into: database)
        let before = try files
        let script = "ulimit -f 100; exec \"$0\" backup \"$1\" --database \"$2\""
        let output = try run("sh", ["-c", script, binary(), copy, database])
        #expect(output.status == 1 && output.error.contains("copy.sqlite was not made: File too large"))
        #expect(try files == before)
    }

    @Test func aDamagedDatabaseIsNotCopied() throws {
        try load((1...20_000).lazy.map { "user\($0)" }, into: database)
        let file = try FileHandle(forUpdating: URL(filePath: database))
        try file.seek(toOffset: file.seekToEnd() / 2)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 100_000))
        try file.close()
        let before = try files
        let output = try run(binary(), ["backup", copy, "--database", database])
        #expect(output.status == 1, "\(output.error)")
        #expect(output.error.contains("copy.sqlite was not made: \(database) is damaged: "), "\(output.error)")
        #expect(output.error.split(separator: "\n").count == 1, "\(output.error)")
        #expect(try files == before)
    }

    /// The state in which a full disk leaves a database.
    @Test func anEmptyFileIsNotCopied() throws {
        try Data().write(to: URL(filePath: database))
        let output = try run(binary(), ["backup", copy, "--database", database])
        #expect(output.status == 1 && output.error.contains("people.sqlite is empty"))
        #expect(try files == ["people.sqlite"])
    }

    @Test func aBackupWaitsForALockedDatabase() throws {
        try load(["ada"], into: database)
        let arguments = ["backup", copy, "--database", database]
        var file: SQLiteFile? = try SQLiteFile(database)
        try file?.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; CREATE TABLE x (y)")
        let output = try run(binary(), arguments + ["--lock-timeout", "1"])
        #expect(output.status == 1 && output.error.contains("another process keeps the database locked"))
        #expect(!output.error.contains("PRAGMA"))
        let stopped = try Program(RollcallProcess.executable(), arguments)
        try eventually("it reports that it waits") { stopped.errors.contains("waiting for another process") }
        stopped.send(SIGTERM)
        #expect(stopped.wait() == 130)
        // In this locking mode, the lock stays until the database is closed.
        try file?.execute("ROLLBACK")
        let program = try Program(RollcallProcess.executable(), arguments)
        try eventually("it waits") { program.errors.contains("waiting for another process") }
        file = nil
        #expect(program.wait() == 0)
    }

    /// A bad import between two good ones: the directory has the same generation in both, but different users.
    @Test func validatorsOfADatabaseAreNotValidForItsCopy() throws {
        try load(["right"], into: database)
        #expect(try run(binary(), ["backup", copy, "--database", database]).status == 0)
        try load(["wrong"], into: database)
        let first = try RollcallProcess(["serve", "--database", database])
        let tag = try #require(curl(first.url + "/fragment").fields["etag"])
        first.stop()
        try load(["better"], into: copy)
        let second = try RollcallProcess(["serve", "--database", copy])
        let answer = try curl("-H", "If-None-Match: \(tag)", second.url + "/fragment")
        #expect(answer.status == 200 && answer.text.contains("better"))
    }

    @Test func aFolderIsToldApartFromAFile() throws {
        try load(["ada"], into: database)
        let output = try run(binary(), ["backup", folder.path, "--database", database])
        #expect(output.status == 1 && output.error.contains("is a folder; with --keep"), "\(output.error)")
    }

    @Test func theOldestCopiesGoOnceANewOneIsComplete() throws {
        try load(["ada"], into: database)
        try FileManager.default.createDirectory(atPath: path("kept"), withIntermediateDirectories: true)
        func keep(_ count: String, of database: String) throws -> Output {
            try run(binary(), ["backup", "--keep", count, path("kept"), "--database", database])
        }
        let old = ["20200101T000000Z", "20210101T000000Z", "20220101T000000Z"].map { "rollcall-\($0).sqlite" }
        let others = [
            "people.sqlite", "rollcall-2019.sqlite", "rollcall-20190101T000000Z.sqlite.txt",
            "copy-rollcall-20190101T000000Z.sqlite", "rollcall-20190101T000000Z.sqlite-wal",
        ]
        let pictures = old.prefix(2).map { $0 + "-pictures" }
        for name in old + pictures + others { try Data("old".utf8).write(to: URL(filePath: path("kept/" + name))) }
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
        #expect(try run(binary(), ["export", "--database", path("kept/" + name)]).output.contains("ada"))
        for (count, folder) in [("0", "kept"), ("2", "nowhere"), ("2", "people.sqlite")] {
            #expect(try run(binary(), ["backup", "--keep", count, path(folder), "--database", database]).status == 1)
        }
    }

    @Test func aCopyHasThePermissionsOfItsOriginal() throws {
        try load(["ada"], into: database)
        #expect(chmod(database, 0o600) == 0)
        #expect(try run(binary(), ["backup", copy, "--database", database]).status == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }
}
