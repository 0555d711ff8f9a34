import Foundation
import StandIn
import TestDatabases
import TestSupport
import Testing

/// A database with people whose pictures are at a stand-in.
private final class PictureFixture: Stage {
    let host: PictureHost

    init(_ behaviour: @escaping @Sendable (PictureHost.Asked) -> PictureHost.Behaviour = PictureHost.byPath) throws {
        host = try PictureHost(behaviour: behaviour)
        try super.init()
    }

    /// Imports people `person0`, `person1` … with these picture URLs; paths are those of the stand-in.
    @discardableResult func importPeople(_ addresses: [String], directory: String = "team") throws -> Output {
        let lines = addresses.enumerated().map { number, address in
            let url = address.hasPrefix("/") ? host.url + address : address
            return
                #"{"id":\#(number + 1),"login":"person\#(number)","name":"Ana Number\#(number)","avatar_url":"\#(url)"}"#
        }
        return try load(lines.joined(separator: "\n"), into: directory)
    }

    var arguments: [String] { ["--database", database] + options }
    private let options = ["--allow-network", "127.0.0.2/32", "--rate", "1000"]

    func startFetching(_ options: String...) throws -> Program { try start(["pictures"] + self.options + options) }

    func fetch(_ options: String...) throws -> Output { try rollcall(["pictures"] + self.options + options) }

    /// Fetches at a time that is later than now.
    func fetch(later: String, _ options: String...) throws -> Output {
        try run("faketime", ["-f", later, binary(), "pictures"] + arguments + options)
    }

    /// The number of people with a picture.
    func people(_ directory: Int = 1) throws -> Int {
        Int(try SQLiteFile(database).numbers("SELECT count(*) FROM user\(directory) WHERE picture > 0").first ?? 0)
    }
}

@Suite("Fetching pictures with the program", .onThreadsForPrograms)
struct FetchingPicturesTests {
    private func sixty() throws -> PictureFixture {
        let fixture = try PictureFixture()
        try fixture.importPeople((0..<60).map { "/picture/\($0)" })
        return fixture
    }

    @Test func everyPictureIsFetchedOnceAndThenOnlyIfItHasChanged() throws {
        let fixture = try sixty()
        try fixture.fetch("--public-url", "https://people.example.org").expect(output: ": 60 fetched in ")
        #expect(try fixture.people() == 60 && fixture.host.count == 60)
        #expect(fixture.host.mostConnections <= 2 && fixture.host.mostRequests <= 2)
        let agent = try #require(fixture.host.log.first?.fields["user-agent"])
        #expect(agent.hasPrefix("rollcall/") && agent.hasSuffix(" (+https://people.example.org/)"))

        try fixture.fetch().expect(output: "no address is due")
        #expect(fixture.host.count == 60)

        fixture.host.clearLog()
        try fixture.fetch(later: "+8d").expect(output: ": 60 unchanged in ")
        #expect(fixture.host.statuses == [304: 60] && fixture.host.bodyBytes == 0)
        #expect(try fixture.people() == 60)
    }

    @Test func aDatabaseThatWasMovedWithoutItsPicturesSaysSo() throws {
        let fixture = try PictureFixture()
        try fixture.importPeople(["/picture/1", "/picture/2"])
        _ = try fixture.fetch()
        let list = { try fixture.rollcall("directories") }
        #expect(try !list().error.contains("warning"))
        for end in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: fixture.database + "-pictures" + end)
        }
        let warning = "says that 2 people have pictures, but there are none: copy \(fixture.database)-pictures"
        #expect(try list().error.contains(warning))
        let server = try fixture.serve()
        #expect(server.errors.contains(warning), "\(server.errors)")
    }

    @Test func anImportSaysHowToGetThePictures() throws {
        let fixture = try PictureFixture()
        let hint = "team: pages show initials until `rollcall pictures` has fetched people's pictures"
        #expect(try fixture.importPeople(["/picture/1"]).error.contains(hint))
        #expect(try fixture.fetch().status == 0)
        #expect(try !fixture.importPeople(["/picture/1", "/picture/2"]).error.contains(hint))
    }

    /// Only requests that were under way are sent again; after an end by force, also those of a second: at 20 a second,
    /// and a half more for a busy machine.
    @Test(arguments: [(SIGINT, Int32(130), 2), (SIGKILL, 128 + SIGKILL, 30)])
    func theNextRunGoesOn(after signal: Int32, _ status: Int32, _ most: Int) throws {
        let fixture = try sixty()
        let program = try fixture.startFetching("--rate", "20")
        try program.wait(until: "half of the pictures are asked for") { fixture.host.count >= 35 }
        #expect(program.stop(signal) == status, "\(program.errors)")
        let isTold = program.errors.contains("interrupted; run the same command again to complete it")
        #expect(isTold == (signal == SIGINT))
        try fixture.fetch().expect()
        #expect(fixture.host.count - Set(fixture.host.targets).count <= most)
        #expect(try fixture.people() == 60)
    }

    @Test func faultsAreCountedAndNamedAndTheRestIsSaved() throws {
        let inward = try PictureHost(host: "127.0.0.1")
        let fixture = try PictureFixture()
        try fixture.importPeople([
            "/picture/1", "/moved/3/picture/2", "/gzip/3", "/missing", "/gone", "/broken", "/text", "/loop", "/cut",
            "/endless", inward.url + "/picture/1", "/picture/4",
        ])
        let output = try fixture.fetch().expect(
            2, output: "4 fetched, 2 missing at their hosts, 1 not usable, 5 failed in ")
        for reason in [
            "1 × the host answered 500: \(fixture.host.url)/broken", "1 × it redirects too often: ",
            "1 × expected an answer of at most 4 MiB, found a longer one: ", "1 × no picture can be made: ",
            "1 × its address is not on the public internet (--allow-network allows a network of your own): "
                + "\(inward.url)/picture/1",
        ] { #expect(output.error.contains(reason), "\(output.error)") }
        #expect(inward.count == 0)
        #expect(try fixture.people() == 4)

        try fixture.fetch().expect(
            output: "pictures: no address is due\n",
            error: "6 people have an address that failed before; the first one is asked again from 20")
    }

    @Test func aHostThatAsksForAPauseGetsIt() throws {
        let fixture = try PictureFixture()
        try fixture.importPeople((0..<30).map { "/limited/\($0)" })
        try fixture.fetch().expect(75, error: "30 addresses left for later; the first host may be asked at 20")
        #expect(fixture.host.count <= 2)
    }

    @Test func anotherRunWaitsOrEnds() throws {
        let fixture = try sixty()
        let program = try fixture.startFetching("--rate", "5")
        try program.wait(until: "it fetches") { fixture.host.count >= 2 }
        try fixture.fetch("--lock-timeout", "0").expect(
            75, error: "another run is fetching pictures (process \(program.processID), pictures, since")
        // An import has another lock.
        try fixture.importPeople(["/picture/1"], directory: "others")
        program.stop(SIGTERM)
    }

    @Test func aDryRunAsksNobody() throws {
        let fixture = try sixty()
        try fixture.fetch("--dry-run").expect(output: "60 addresses are due\n60\t127.0.0.2\n")
        #expect(fixture.host.count == 0)
    }

    @Test func itContinuesUntilASignalEndsIt() throws {
        let fixture = try PictureFixture()
        try fixture.importPeople(["/picture/1"])
        let program = try fixture.startFetching("--every", "1s", "--progress", "json")
        try program.wait(until: "it has run twice") { program.output.components(separatedBy: "summary").count > 2 }
        #expect(program.stop(SIGTERM) == 0, "\(program.errors)")
        #expect(program.errors.contains(#"{"note":"next run at 20"#), "\(program.errors)")
        #expect(program.output.contains(#""end":"complete""#) && fixture.host.count == 1)
    }

    @Test func aTerminalShowsAProgressBar() throws {
        let fixture = try sixty()
        let words = try ([binary(), "pictures"] + fixture.arguments + ["--rate", "20"]).joined(separator: " ")
        // script(1) runs the program in a terminal.
        let output = try run("script", ["-qefc", words, "/dev/null"]).expect(output: "60 fetched")
        #expect(output.output.firstMatch(of: /\[#+-+\] \d+% \d+ pictures,/) != nil, "\(output)")
        #expect(output.output.contains("\r\u{1B}[K"))
    }

    @Test func waitingForALockedDatabaseEndsAtTheFirstSignal() throws {
        let fixture = try sixty()
        let other = try SQLiteFile(fixture.database)
        try other.execute("BEGIN IMMEDIATE")
        let program = try fixture.startFetching()
        try program.wait(until: "it waits for the lock") {
            program.errors.contains("waiting for another process that has locked")
        }
        #expect(program.stop(SIGINT) == 130, "\(program.errors)")
        try other.execute("ROLLBACK")
        #expect(try fixture.fetch().status == 0)
        #expect(try fixture.people() == 60)
    }

    @Test func aLimitAndADirectoryNarrowARun() throws {
        let fixture = try sixty()
        try fixture.importPeople((100..<105).map { "/picture/\($0)" }, directory: "others")
        #expect(try fixture.fetch("--limit", "7").status == 0)
        #expect(try fixture.host.count == 7 && fixture.people() == 7)
        #expect(try fixture.fetch("--directory", "others").status == 0)
        #expect(try fixture.host.count == 12 && fixture.people(2) == 5)
        try fixture.fetch("--directory", "nobody").expect(1, error: "has no directory nobody")
    }

    @Test func aPersonWhoObjectsHasNoPictureAnyMore() throws {
        let fixture = try sixty()
        #expect(try fixture.fetch().status == 0)
        try fixture.rollcall("pictures", "remove", "person3").expect(
            output: "person3: has no picture any more in team", "/pictures/", ".webp")
        #expect(try fixture.people() == 59)
        try fixture.importPeople((0..<60).map { "/picture/\($0 + 100)" })
        #expect(try fixture.fetch().status == 0)
        #expect(try fixture.people() == 59 && !fixture.host.targets.contains("/picture/103"))
        try fixture.rollcall("pictures", "remove", "Ana Number3", "--undo").expect(
            output: "Ana Number3 (person3): may have")
        #expect(try fixture.fetch().status == 0)
        #expect(try fixture.people() == 60)
        try fixture.rollcall("pictures", "remove", "nobody").expect(1, error: "nobody: not found")
    }
}
