import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("Database failures", .onThreadsForPrograms)
final class DatabaseFailureTests: Stage {
    private let manager = FileManager.default

    override init() throws {
        try super.init()
        // Users other than its owner read it in some tests.
        try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    }

    private func loadPeople(_ login: String, into database: String? = nil, people: Int = 1) throws {
        try load("id,login\n" + (1...people).map { "\($0),\(login)\($0)\n" }.joined(), database: database)
    }

    private func replace(with name: String) throws {
        #expect(rename(path(name), database) == 0)
        for end in ["-wal", "-shm"] { try? manager.removeItem(atPath: database + end) }
    }

    @Test func aReplacedDatabaseIsReopenedWithoutARestart() throws {
        try loadPeople("old")
        try loadPeople("new", into: path("next.sqlite"))
        let server = try serve()
        let before = try get(server.url + "/fragment")
        #expect(before.text.contains("old1"))
        try replace(with: "next.sqlite")
        try eventually { try get(server.url + "/fragment").text.contains("new1") }
        let after = try get(server.url + "/fragment", "If-None-Match: \(before.fields["etag"] ?? "")")
        #expect(after.status == 200 && after.fields["etag"] != before.fields["etag"])
        #expect(try get(server.url + "/fragment?sort=name&q=new").fields["x-total-count"] == "1")
        #expect(try get(server.url + "/readyz").status == 200)
    }

    @Test func aRestoredOlderCopyIsShownDespiteItsLowerGeneration() throws {
        try loadPeople("one")
        try manager.copyItem(atPath: database, toPath: path("copy.sqlite"))
        try loadPeople("two")
        let server = try serve()
        #expect(try get(server.url + "/fragment").text.contains("two1"))
        try replace(with: "copy.sqlite")
        try eventually { try get(server.url + "/fragment").text.contains("one1") }
    }

    /// What becomes of the database, and the reports of the log and the commands. The store's tests have more.
    enum Intruder: String, CaseIterable {
        case nothing = "there is no file"
        case text = "is not an SQLite database"
        case cut = "it is cut short"
    }

    private func put(_ intruder: Intruder) throws {
        if intruder == .cut {
            let size = try #require(manager.attributesOfItem(atPath: database)[.size] as? Int)
            #expect(truncate(database, off_t(size / 8192 * 4096)) == 0)
            return
        }
        for end in ["", "-wal", "-shm"] { try? manager.removeItem(atPath: database + end) }
        if intruder == .text { try write("people.sqlite", String(repeating: "no database ", count: 500)) }
    }

    @Test(arguments: Intruder.allCases)
    func anInvalidDatabaseIsNamedAndTheServerRecovers(_ intruder: Intruder) throws {
        try loadPeople("ada", people: 5000)
        try manager.copyItem(atPath: database, toPath: path("good.sqlite"))
        let server = try serve()
        let page = try get(server.url + "/").text
        try put(intruder)
        try eventually { try get(server.url + "/readyz").status == 503 }
        try eventually {
            _ = try get(server.url + "/readyz")
            return server.errors.contains(intruder.rawValue)
        }
        // Pages in memory are still served; the process keeps running.
        #expect(try get(server.url + "/").text == page)
        let status = try get(server.url + "/fragment?since=4000").status
        #expect(status == 200 || status == 503)
        #expect(try get(server.url + "/healthz").status == 200)
        if intruder != .nothing {
            try rollcall("import", "file", "-", "--directory", "team", input: "id,login\n1,x\n").expect(
                1, error: intruder.rawValue, database)
        }
        try replace(with: "good.sqlite")
        try eventually { try get(server.url + "/readyz").status == 200 }
        #expect(try get(server.url + "/fragment?since=4000").text.contains("ada4001"))
    }

    @Test func aServerThatStartsOnDamagedPeopleIsNotReady() throws {
        try loadPeople("ada", people: 5000)
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: database)))
        let isPage = { (start: Int) in bytes[start..<start + 4096].firstRange(of: "ada17".utf8) != nil }
        for start in stride(from: 4096, to: bytes.count, by: 4096) where isPage(start) {
            bytes.replaceSubrange(start..<start + 8, with: repeatElement(0xFF, count: 8))
        }
        try Data(bytes).write(to: URL(filePath: database))
        let server = try serve()
        #expect(try get(server.url + "/").status == 503)
        #expect(try get(server.url + "/readyz").status == 503)
        #expect(try get(server.url + "/healthz").status == 200)
    }

    /// Runs the program as a user who may not write the files of this user.
    private func asAnother(_ arguments: [String]) throws -> Program {
        guard getuid() == 0 else { return try Program(RollcallProcess.executable(), arguments) }
        return try Program(
            Program.find("setpriv"), ["--reuid=65534", "--regid=65534", "--clear-groups", binary()] + arguments)
    }

    @Test(arguments: [false, true])
    func aReadOnlyDatabaseIsServedButNotWritten(_ hasLog: Bool) throws {
        try loadPeople("ada", people: 30)
        // A process that has the database open keeps the write-ahead log in place.
        let owner = hasLog ? try serve() : nil
        if hasLog { try loadPeople("bob", people: 40) }
        for name in try manager.contentsOfDirectory(atPath: folder.path) {
            try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path(name))
        }
        try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
        let program = try asAnother(["serve", "--port", "0", "--database", database])
        let url = "http://127.0.0.1:\(try program.port(after: "http://127.0.0.1:"))"
        #expect(try get(url + "/fragment").fields["x-total-count"] == (hasLog ? "40" : "30"))
        try asAnother(["forget", (hasLog ? "bob1" : "ada1"), "--database", database]).result().expect(
            1, error: "may not be written")
        // The import fails before it sends the service a request.
        try asAnother(["import", "github", "--directory", "team", "--database", database]).result().expect(
            1, error: "may not be written by this user")
        let copies = try TestFolder()
        try manager.setAttributes([.posixPermissions: 0o777], ofItemAtPath: copies.folder.path)
        try asAnother(["backup", copies.path("copy.sqlite"), "--database", database]).result().expect()
        let copied = try rollcall("export", database: copies.path("copy.sqlite"))
        #expect(copied.output.split(separator: "\n").count == (hasLog ? 40 : 30))
        withExtendedLifetime((owner, copies)) {}
    }

    @Test func waitingForALockedDatabaseIsReportedAndLimited() throws {
        try loadPeople("ada")
        let server = try serve()
        let other = try SQLiteFile(database)
        try other.execute("BEGIN EXCLUSIVE")
        try rollcall("forget", "ada1", "--lock-timeout", "2").expect(
            1, error: "waiting for another process", "another process keeps the database locked")
        #expect(try get(server.url + "/fragment?sort=name").text.contains("ada1"))
        try other.execute("ROLLBACK")
        #expect(try rollcall("forget", "ada1").status == 0)
    }

    @Test func aFileSizeLimitStopsTheImportAndKeepsSavedUsers() throws {
        try loadPeople("ada", people: 500)
        let people = "id,login\n" + (1...40_000).map { "\($0),bob\($0)\n" }.joined()
        let script = "ulimit -f 3000; exec \"$0\" import file - --directory team --batch-size 2000 --database \"$1\""
        let output = try run("sh", ["-c", script, binary(), database], input: Data(people.utf8)).expect(1)
        #expect(
            output.error.contains("cannot be read or written") || output.error.contains("disk is full"),
            "\(output.error)")
        let server = try serve()
        #expect(try get(server.url + "/readyz").status == 200)
        let total = try #require(Int(get(server.url + "/fragment?since=400").fields["x-total-count"] ?? ""))
        #expect(total == 500 || total % 2000 == 0)
        try load(people)
        try eventually("all users are served") { try get(server.url + "/fragment").fields["x-total-count"] == "40000" }
    }

    @Test func damagedPagesAreReportedAndOthersServed() throws {
        try loadPeople("ada", people: 16_000)
        let pages = try SQLiteFile(database).numbers(
            "SELECT pageno FROM dbstat WHERE name LIKE 'user_' AND pagetype = 'leaf' ORDER BY path"
        ).map(UInt64.init)
        let handle = try FileHandle(forUpdating: URL(filePath: database))
        for page in stride(from: pages.count / 4, to: pages.count, by: 3).map({ pages[$0] }) {
            try handle.seek(toOffset: (page - 1) * 4096)
            try handle.write(contentsOf: Data(repeating: 0x5A, count: 4096))
        }
        try handle.close()
        let server = try serve()
        var statuses: [Int: Int] = [:]
        for since in stride(from: 0, to: 16_000, by: 500) {
            let answer = try get(server.url + "/fragment?since=\(since)")
            statuses[answer.status, default: 0] += 1
            if answer.status == 503 {
                let id = try #require(answer.fields["x-request-id"])
                #expect(answer.fields["retry-after"] != nil)
                #expect(server.errors.contains("error-id=\(id)"))
            }
        }
        #expect(statuses[200, default: 0] > 0 && statuses[503, default: 0] > 0, "\(statuses)")
        #expect(statuses.count == 2)
        #expect(server.errors.contains("damaged"), "\(server.errors.prefix(500))")
        // Damage of the same kind has one line in the log, whatever the number of requests.
        let lines = server.errors.components(separatedBy: "error-id=").count - 1
        #expect(lines < 4 && lines < statuses[503, default: 0], "\(lines) lines for \(statuses)")
    }
}
