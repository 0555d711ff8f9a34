import Foundation
import StandIn
import TestDatabases
import TestSupport
import Testing

/// People whose pictures are at a stand-in.
@Suite("Fetching pictures with the program", .onThreadsForPrograms)
final class FetchingPicturesTests: Stage {
    private let host: PictureHost

    override init() throws {
        host = try PictureHost()
        try super.init()
    }

    /// Imports people `person0`, `person1` … with these picture URLs; paths are those of the stand-in.
    @discardableResult private func importPeople(_ addresses: [String], directory: String = "team") throws -> Output {
        let lines = addresses.enumerated().map { number, address in
            let url = address.hasPrefix("/") ? host.url + address : address
            return
                #"{"id":\#(number + 1),"login":"person\#(number)","name":"Ana Number\#(number)","avatar_url":"\#(url)"}"#
        }
        return try load(lines.joined(separator: "\n"), into: directory)
    }

    private var arguments: [String] { ["--database", database] + options }
    private let options = ["--allow-network", "127.0.0.2/32", "--rate", "1000"]

    private func startFetching(_ words: String...) throws -> Program { try start(["pictures"] + options + words) }

    private func fetch(_ words: String...) throws -> Output { try rollcall(["pictures"] + options + words) }

    /// Fetches at a time that is later than now.
    private func fetch(later: String) throws -> Output {
        try run("faketime", ["-f", later, binary(), "pictures"] + arguments)
    }

    /// The number of people with a picture.
    private func people(_ directory: Int = 1) throws -> Int {
        Int(try SQLiteFile(database).numbers("SELECT count(*) FROM user\(directory) WHERE picture > 0").first ?? 0)
    }

    private func importSixty() throws { try importPeople((0..<60).map { "/picture/\($0)" }) }

    @Test func everyPictureIsFetchedOnceAndThenOnlyIfItHasChanged() throws {
        try importSixty()
        try fetch("--public-url", "https://people.example.org").expect(output: ": 60 fetched in ")
        #expect(try people() == 60 && host.count == 60)
        #expect(host.mostConnections <= 2 && host.mostRequests <= 2)
        let agent = try #require(host.log.first?.fields["user-agent"])
        #expect(agent.hasPrefix("rollcall/") && agent.hasSuffix(" (+https://people.example.org/)"))

        try fetch().expect(output: "no address is due")
        #expect(host.count == 60)

        host.clearLog()
        try fetch(later: "+8d").expect(output: ": 60 unchanged in ")
        #expect(host.statuses == [304: 60] && host.bodyBytes == 0)
        #expect(try people() == 60)
    }

    @Test func aDatabaseThatWasMovedWithoutItsPicturesSaysSo() throws {
        try importPeople(["/picture/1", "/picture/2"])
        _ = try fetch()
        #expect(try !rollcall("directories").error.contains("warning"))
        for end in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: database + "-pictures" + end)
        }
        let warning = "says that 2 people have pictures, but there are none: copy \(database)-pictures"
        #expect(try rollcall("directories").error.contains(warning))
        let server = try serve()
        #expect(server.errors.contains(warning), "\(server.errors)")
    }

    @Test func anImportSaysHowToGetThePictures() throws {
        let hint = "team: pages show initials until `rollcall pictures` has fetched people's pictures"
        #expect(try importPeople(["/picture/1"]).error.contains(hint))
        #expect(try fetch().status == 0)
        #expect(try !importPeople(["/picture/1", "/picture/2"]).error.contains(hint))
    }

    /// Only requests that were under way are sent again; after an end by force, also those of a second: at 20 a second,
    /// and a half more for a busy machine.
    @Test(arguments: [(SIGINT, Int32(130), 2), (SIGKILL, 128 + SIGKILL, 30)])
    func theNextRunGoesOn(after signal: Int32, _ status: Int32, _ most: Int) throws {
        try importSixty()
        let program = try startFetching("--rate", "20")
        try program.wait(until: "half of the pictures are asked for") { host.count >= 35 }
        #expect(program.stop(signal) == status, "\(program.errors)")
        let isTold = program.errors.contains("interrupted; run the same command again to complete it")
        #expect(isTold == (signal == SIGINT))
        try fetch().expect()
        #expect(host.count - Set(host.targets).count <= most)
        #expect(try people() == 60)
    }

    @Test func faultsAreCountedAndNamedAndTheRestIsSaved() throws {
        let inward = try PictureHost(host: "127.0.0.1")
        try importPeople([
            "/picture/1", "/moved/3/picture/2", "/gzip/3", "/missing", "/gone", "/broken", "/text", "/loop", "/cut",
            "/endless", inward.url + "/picture/1", "/picture/4",
        ])
        let output = try fetch().expect(2, output: "4 fetched, 2 missing at their hosts, 1 not usable, 5 failed in ")
        for reason in [
            "1 × the host answered 500: \(host.url)/broken", "1 × it redirects too often: ",
            "1 × expected an answer of at most 4 MiB, found a longer one: ", "1 × no picture can be made: ",
            "1 × its address is not on the public internet (--allow-network allows a network of your own): "
                + "\(inward.url)/picture/1",
        ] { #expect(output.error.contains(reason), "\(output.error)") }
        #expect(inward.count == 0)
        #expect(try people() == 4)

        try fetch().expect(
            whole: "pictures: no address is due\n",
            error: "6 people have an address that failed before; the first one is asked again from 20")
    }

    @Test func aHostThatAsksForAPauseGetsIt() throws {
        try importPeople((0..<30).map { "/limited/\($0)" })
        try fetch().expect(75, error: "30 addresses left for later; the first host may be asked at 20")
        #expect(host.count <= 2)
    }

    @Test func anotherRunWaitsOrEnds() throws {
        try importSixty()
        let program = try startFetching("--rate", "5")
        try program.wait(until: "it fetches") { host.count >= 2 }
        try fetch("--lock-timeout", "0").expect(
            75, error: "another run is fetching pictures (process \(program.processID), pictures, since")
        // An import has another lock.
        try importPeople(["/picture/1"], directory: "others")
        program.stop(SIGTERM)
    }

    @Test func aDryRunAsksNobody() throws {
        try importSixty()
        try fetch("--dry-run").expect(whole: "60 addresses are due\n60\t127.0.0.2\n")
        #expect(host.count == 0)
    }

    @Test func itContinuesUntilASignalEndsIt() throws {
        try importPeople(["/picture/1"])
        let program = try startFetching("--every", "1s", "--progress", "json")
        try program.wait(until: "it has run twice") { program.output.components(separatedBy: "summary").count > 2 }
        #expect(program.stop(SIGTERM) == 0, "\(program.errors)")
        #expect(program.errors.contains(#"{"note":"next run at 20"#), "\(program.errors)")
        #expect(program.output.contains(#""end":"complete""#) && host.count == 1)
    }

    @Test func aTerminalShowsAProgressBar() throws {
        try importSixty()
        let words = try ([binary(), "pictures"] + arguments + ["--rate", "20"]).joined(separator: " ")
        // script(1) runs the program in a terminal.
        let output = try run("script", ["-qefc", words, "/dev/null"]).expect(output: "60 fetched")
        #expect(output.output.firstMatch(of: /\[#+-+\] \d+% \d+ pictures,/) != nil, "\(output)")
        #expect(output.output.contains("\r\u{1B}[K"))
    }

    @Test func waitingForALockedDatabaseEndsAtTheFirstSignal() throws {
        try importPeople(["/picture/1"])
        let other = try SQLiteFile(database)
        try other.execute("BEGIN IMMEDIATE")
        let program = try startFetching()
        try program.wait(until: "it waits for the lock") {
            program.errors.contains("waiting for another process that has locked")
        }
        #expect(program.stop(SIGINT) == 130, "\(program.errors)")
        try other.execute("ROLLBACK")
        #expect(try fetch().status == 0)
        #expect(try people() == 1)
    }

    @Test func aLimitAndADirectoryNarrowARun() throws {
        try importSixty()
        try importPeople((100..<105).map { "/picture/\($0)" }, directory: "others")
        #expect(try fetch("--limit", "7").status == 0)
        #expect(try host.count == 7 && people() == 7)
        #expect(try fetch("--directory", "others").status == 0)
        #expect(try host.count == 12 && people(2) == 5)
        try fetch("--directory", "nobody").expect(1, error: "has no directory nobody")
    }

    @Test func aPersonWhoObjectsHasNoPictureAnyMore() throws {
        try importPeople((0..<5).map { "/picture/\($0)" })
        #expect(try fetch().status == 0)
        try rollcall("pictures", "remove", "person3").expect(
            output: "person3: has no picture any more in team", "/pictures/", ".webp")
        #expect(try people() == 4)
        try importPeople((0..<5).map { "/picture/\($0 + 100)" })
        #expect(try fetch().status == 0)
        #expect(try people() == 4 && !host.targets.contains("/picture/103"))
        try rollcall("pictures", "remove", "Ana Number3", "--undo").expect(output: "Ana Number3 (person3): may have")
        #expect(try fetch().status == 0)
        #expect(try people() == 5)
        try rollcall("pictures", "remove", "nobody").expect(1, error: "nobody: not found")
    }
}
