import Foundation
import StandIn
import TestSupport
import Testing

/// Imports whose sessions are ended while their first transaction waits for a lock. By then all of the input was read.
@Suite("Imports that lose the database", .onThreadsForPrograms)
final class LostConnectionTests: Stage {
    private let cluster: PostgresCluster
    private let schema = PostgresCluster.makeSchema()
    private let name = "rollcall/\(UUID().uuidString.prefix(8))"

    override init() throws {
        cluster = try PostgresCluster.shared()
        try super.init()
        // The tables exist, but not yet the directory that the tests fill.
        try load(#"{"id":1,"login":"ada"}"#, into: "first")
    }

    override var database: String { cluster.url(schema: schema) + "&application_name=\(name)" }

    private static let people = (1...40).map { "{\"id\":\($0),\"login\":\"u\($0)\"}\n" }.joined()

    private func total(of slug: String = "team") throws -> Int? {
        Int(try cluster.query("SELECT total FROM \(schema).directory WHERE slug = '\(slug)'"))
    }

    /// Starts `import file` with `input` before it in a pipeline of a shell.
    private func startReading(
        _ input: String, _ options: [String], environment: [String: String] = [:]
    ) throws -> Program {
        try Data(Self.people.utf8).write(to: folder.appending(path: "people"))
        let script = "cd \"$0\" && \(input) \"$@\""
        return try Program(
            Program.find("bash"),
            ["-c", script, folder.path, binary(), "import", "file"] + options + [
                "--directory", "team", "--database", database,
            ], environment: environment)
    }

    /// Ends all sessions of an import once one of them waits for `lock`. Returns the import when it has ended, too.
    private func interrupt(at lock: String, _ start: () throws -> Program) throws -> (program: Program, status: Int32) {
        let holder = try cluster.holdTransaction("LOCK TABLE \(schema).\(lock)")
        let program = try start()
        try program.wait(until: "the import waits for the lock") {
            try cluster.query(
                """
                WITH own AS (SELECT * FROM pg_stat_activity WHERE application_name = '\(name)')
                SELECT count(pg_terminate_backend(pid)) FROM own
                WHERE EXISTS (SELECT FROM own WHERE wait_event_type = 'Lock')
                """) != "0"
        }
        holder.close()
        return (program, program.wait())
    }

    @Test(arguments: ["cat people |", "gzip -c people |", "<people", "mkfifo pipe; (cat people >pipe) & exec"])
    func nobodyIsLostFromInputThatCanBeReadOnlyOnce(_ input: String) throws {
        let path = input.contains("pipe") ? "pipe" : "-"
        let (program, status) = try interrupt(at: "directory IN EXCLUSIVE MODE") { try startReading(input, [path]) }
        #expect(try status == 0 && total() == 40, "\(program.errors)")
        #expect(program.output.contains("40 added") && program.errors.contains("waiting for the database"))
    }

    private struct File: World {
        func answer(_ asked: StandIn.Asked) -> Canned { Canned(200, LostConnectionTests.people) }
    }

    @Test func nobodyIsLostFromAServiceOrAnAddressAndTheFileIsFetchedOnce() throws {
        let (file, service) = (try StandIn(File()), try StandIn(GitHubWorld(accounts: 40)))
        for arguments in [["file", file.url + "/people"], ["github", "--base-url", service.url]] {
            let (program, status) = try interrupt(at: "directory IN EXCLUSIVE MODE") {
                try start(["import"] + arguments + ["--directory", arguments[0]], environment: ["GITHUB_TOKEN": ""])
            }
            #expect(try status == 0 && total(of: arguments[0]) == 40, "\(program.errors)")
        }
        #expect(file.count == 1)
    }

    @Test func anImportThatCannotKeepItsInputSaysHowManyRecordsAreNotSaved() throws {
        let (program, status) = try interrupt(at: "directory IN EXCLUSIVE MODE") {
            try startReading("cat people |", ["-", "--quiet"], environment: ["TMPDIR": "/nonexistent"])
        }
        #expect(try status == 1 && total() == nil)
        #expect(
            program.errors.contains("40 records were read and not saved, and the rest was not read"),
            "\(program.errors)")
        #expect(program.errors.contains("/nonexistent"), "\(program.errors)")
        // Without an interruption, nothing has to be kept.
        let next = try startReading("cat people |", ["-"], environment: ["TMPDIR": "/nonexistent"])
        #expect(try next.wait() == 0 && total() == 40, "\(next.errors)")
    }

    @Test func anImportThatBeganAgainRemovesNobodyAndSaysSo() throws {
        #expect(try startReading("cat people |", ["-"]).wait() == 0)
        let table = try cluster.query("SELECT 'user' || id FROM \(schema).directory WHERE slug = 'team'")
        let changed = "head -n 35 people | sed 's/}/,\"name\":\"Anna\"}/' |"
        for option in ["--prune=all", "--prune"] {
            let (program, status) = try interrupt(at: "\(table) IN EXCLUSIVE MODE") {
                try startReading(
                    option == "--prune" ? changed.replacing("Anna", with: "Berta") : changed, ["-", option])
            }
            #expect(try status == 0 && total() == 40, "\(program.errors)")
            #expect(program.errors.contains("nobody was removed: the connection to the database was lost"))
            #expect(program.output.contains("35 changed"), "\(program.output)")
        }
    }

    /// The server does not hear of the end of a session if the network between has failed.
    @Test func anImportDoesNotWaitForTheLockOfItsOwnLostConnection() throws {
        let network = try PostgresRelay(to: cluster.host)
        defer { network.stop() }
        let pipe = path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let program = try start(
            ["import", "file", pipe, "--directory", "team", "--lock-timeout", "5"],
            database: network.url(schema: schema) + "&sslmode=disable")
        try program.wait(until: "the import has its lock") {
            try cluster.query("SELECT count(*) FROM \(schema).lockHolder WHERE lock = 'import team'") == "1"
        }
        network.fail()
        // Without O_NONBLOCK, the test would wait for ever if nobody read.
        var descriptor: Int32 = -1
        try program.wait(until: "it reads the pipe") {
            descriptor = open(pipe, O_WRONLY | O_NONBLOCK)
            return descriptor >= 0
        }
        let writer = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try writer.write(contentsOf: Data(Self.people.utf8))
        try writer.close()
        #expect(try program.wait() == 0 && total() == 40, "\(program.errors)")
        #expect(!program.errors.contains("another import"), "\(program.errors)")
    }

    /// As providers set it when the disk is full.
    @Test func whereTheOnlyServerOnlyReadsWritersEndAndReadersRead() throws {
        try cluster.query(
            """
            CREATE ROLE \(schema) LOGIN SUPERUSER; ALTER ROLE \(schema) SET default_transaction_read_only = on
            """)
        let readOnly = cluster.url(schema: schema).replacing("user=rollcall", with: "user=\(schema)")
        for command in [
            ["import", "file", "-", "--directory", "first"], ["forget", "ada"],
            ["directories", "describe", "first", "--title", "First"],
        ] {
            try rollcall(command + ["--lock-timeout", "0"], database: readOnly, input: Self.people).expect(
                75, error: "standby", "default_transaction_read_only")
        }
        try rollcall("show", "ada", database: readOnly).expect(output: "ada")
        let copy = path("copy.sqlite")
        #expect(try run(binary(), ["copy", readOnly, copy]).status == 0)
        #expect(try rollcall("export", database: copy).output.contains("ada"))
    }

    @Test func anImportEndsWhenItIsToldToWhateverItWaitsFor() throws {
        let server = try LoopbackListener()
        let address = "http://127.0.0.1:\(server.port)"
        let pipe = path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for arguments in [
            ["file", pipe], ["file", address + "/people"], ["github", "--base-url", address],
            ["git", "ssh://host.invalid/people.git"],
        ] {
            let program = try start(
                ["import"] + arguments + ["--directory", "team"],
                environment: ["GITHUB_TOKEN": "", "GIT_SSH_COMMAND": "exec sleep 30 #", "XDG_CACHE_HOME": folder.path])
            try program.wait(until: "the import has its lock") {
                try cluster.query("SELECT count(*) FROM \(schema).lockHolder WHERE lock = 'import team'") == "1"
            }
            #expect(program.stop(SIGTERM) == 130, "\(arguments): \(program.errors)")
            try cluster.query("DELETE FROM \(schema).lockHolder")
        }
    }
}
