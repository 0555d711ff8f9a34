import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("Forgetting", .onThreadsForPrograms)
final class ForgettingTests: Stage {
    private func importTeam() throws -> Output {
        let file = try write("team.csv", "id,login,name\n7,ada,Ada Lovelace\n9,bob,Bob\n11,김,Kim\n")
        return try rollcall("import", "file", file)
    }

    @Test func aServerDropsForgottenUsersAndImportsSkipThem() throws {
        #expect(try importTeam().status == 0)
        let server = try serve()
        #expect(try get(server.url + "/users/ada").status == 200)
        #expect(try get(server.url + "/").text.contains("Ada Lovelace"))
        try rollcall("forget", "Ada").expect(whole: "Ada: forgotten in team (1)\n")
        try eventually { try get(server.url + "/users/ada").status == 404 }
        #expect(try !get(server.url + "/").text.contains("Ada"))
        #expect(try get(server.url + "/fragment?q=lovelace").fields["x-total-count"] == "0")
        #expect(try get(server.url + "/api/v3/users").fields["x-total-count"] == "2")
        try eventually { try !get(server.url + "/sitemap.xml").text.contains("/ada<") }

        let again = try importTeam().expect(output: "1 forgotten left out")
        #expect(!(again.output + again.error).lowercased().contains("ada"))
        #expect(try get(server.url + "/users/ada").status == 404)
        try rollcall("forget", "ADA").expect(whole: "ADA: is already forgotten in all directories\n")

        #expect(try rollcall("forget", "--undo", "ada").status == 0)
        #expect(try importTeam().output.contains("1 added"))
        try eventually { try get(server.url + "/users/ada").status == 200 }
    }

    @Test func theEnvironmentIsUsedAndReported() throws {
        #expect(try importTeam().status == 0)
        try rollcall("forget", "ada", environment: ["ROLLCALL_DIRECTORY": "team"]).expect(
            error: "only in team, because ROLLCALL_DIRECTORY is set")
        try rollcall("forget", "ada", "--directory", "team", environment: ["ROLLCALL_UNDO": "1"]).expect(
            whole: "ada: may be imported again in team\n")
    }

    /// Data that a reader has held open since before cannot be overwritten: the command reports it, and running it
    /// again overwrites the data.
    @Test func aLongRunningReaderIsReported() throws {
        #expect(try importTeam().status == 0)
        let reader = try SQLiteFile(database)
        try reader.execute("BEGIN")
        #expect(try reader.numbers("SELECT count(*) FROM directory") == [1])
        try rollcall("forget", "bob", "--lock-timeout", "1").expect(
            1, error: "is still in the database; run this again")
        try reader.execute("COMMIT")
        #expect(try rollcall("forget", "bob").status == 0)
        #expect(!holds("bob"))
    }

    private func importMany() throws {
        let people = "id,login,name\n" + (1...20_000).map { "\($0),user\($0),User \($0)\n" }.joined()
        let file = try write("team.csv", people.replacing("user9000,User 9000", with: "qxzvkwjy,Qxzvkwjy Doe"))
        #expect(try rollcall("import", "file", file).status == 0)
    }

    /// The log can be written, but not those pages of the file that are beyond the limit.
    @Test func aFileThatCannotBeOverwrittenIsReported() throws {
        try importMany()
        #expect(holds("qxzvkwjy") || holds("Qxzvkwjy"))
        let script = "ulimit -f 600; exec \"$0\" forget qxzvkwjy --database \"$1\""
        let output = try run("sh", ["-c", script, binary(), database]).expect(
            1, error: "the directory no longer shows them, but", "run this again")
        #expect(!output.error.contains("what was saved before is safe"))
        let server = try serve()
        #expect(try get(server.url + "/users/qxzvkwjy").status == 404)
        #expect(server.stop() == 0)
        #expect(try rollcall("forget", "qxzvkwjy").status == 0)
        #expect(!holds("qxzvkwjy") && !holds("Qxzvkwjy"))
    }

    /// A small file system of its own, in a mount namespace that ends with the script.
    @Test(.enabled("needs the right to mount file systems") { (try? run("unshare", ["-m", "true"]).status) == 0 })
    func aFullDiskIsReportedAndForgettingCanBeRepeated() throws {
        try importMany()
        let disk = path("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let script = """
            mount -t tmpfs -o size=16m tmpfs "$2" && cp "$1" "$2/people.sqlite" || exit 9
            dd if=/dev/zero of="$2/filler" bs=4096 2>/dev/null
            truncate -s -98304 "$2/filler"
            "$0" forget qxzvkwjy --database "$2/people.sqlite"; echo "full: $?"
            rm "$2/filler"
            "$0" forget qxzvkwjy --database "$2/people.sqlite"; echo "room: $?"
            grep -c -i -a qxzvkwjy "$2"/people.sqlite*
            """
        let output = try run("unshare", ["-m", "sh", "-c", script, binary(), database, disk])
        #expect(output.output.contains("full: 1") && output.output.contains("room: 0"), "\(output)")
        let advice = "the disk is full, so some users are not forgotten yet; make room and run this again"
        #expect(output.error.contains(advice), "\(output.error)")
        #expect(!output.error.contains("what was saved before is safe"))
        let counts = output.output.split(separator: "\n").filter { $0.contains("people.sqlite") && $0.contains(":") }
        #expect(output.output.hasSuffix("0\n") && counts.allSatisfy { $0.hasSuffix(":0") }, "\(output.output)")
    }
}
