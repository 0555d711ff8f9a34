import Foundation
import Base
import HTTPClient
import People
import Publishing
import StandIn
import Synchronization
import Testing

@testable import Importers

@Suite("Files")
final class FileSourceTests: FileImport {
    private func summary(_ text: String) throws -> ImportSummary { try run(text).summary }

    /// More than one chunk, so that the end of a chunk cuts records.
    private static let lines = (1...20_000).map { "{\"id\":\($0),\"login\":\"user\($0)\",\"bio\":\"äöü\"}\n" }.joined()

    @Test func largeFilesAreReadInChunks() throws {
        let summary = try summary(Self.lines)
        #expect(summary.counts == WriteCounts(added: 20_000))
        // A batch that waits for a second is saved as it is, so on a busy machine there may be more of them.
        #expect(writer.batches.reduce(0, +) == 20_000 && writer.batches.allSatisfy { $0 <= 4096 })
        #expect(summary.progress.bytesRead == summary.progress.size)
        #expect(try self.summary(Self.lines).counts == WriteCounts(unchanged: 20_000))
    }

    /// Each text is cut in its last record, or lacks only its last line end.
    @Test(arguments: [
        ("id,login,name\n1,a,A\n2,b", true, true), ("id,login,name\n1,a,\"A\n", true, false),
        ("id,login,name\n1,a,A\n2,b,B", false, true), ("id,login,name\n1,a,A\n2,b,B\n", false, false),
        ("id,login,name\n1,a,A\n2,b,B,C,D\n", false, false),
        ("{\"id\":1,\"login\":\"a\"}\n{\"id\":2,\"login\":\"b", true, false),
        ("{\"id\":1,\"login\":\"a\"}\n{\"id\":2,\"login\":\"b\"}", false, false),
        ("{\"id\":1,\"login\":\"a\"}\n{\"id\":2,\n", false, false),
        ("BEGIN:VCARD\nFN:A\nEND:VCARD\nBEGIN:VCARD\nFN:B\nEND:VC", true, false),
        ("dn: cn=a\nobjectClass: person\ncn: A\n\ndn: cn=b\nobjectClass: person\ncn: B", true, true),
    ])
    func aFileThatIsCutIsNoticed(_ text: String, _ isCut: Bool, _ lacksLineEnd: Bool) throws {
        let summary = try summary(text)
        #expect((summary.cut != nil) == isCut)
        #expect(summary.layout?.lacksLineEnd == lacksLineEnd)
    }

    @Test func gzipIsDetectedFromTheContent() throws {
        let people = try run(Gzip.compressed(Array(Self.lines.utf8)), as: "people.txt")
        #expect(people.summary.counts.added == 20_000)
    }

    @Test func truncatedGzipKeepsEarlierRecordsAndFails() throws {
        let bytes = Gzip.compressed(Array(Self.lines.utf8))
        let summary = try run(Array(bytes.dropLast(100))).summary
        #expect(summary.message == "gzip data is cut short: expected more, found the end")
        #expect(summary.counts.added > 10_000)
    }

    @Test func aByteOrderMarkIsSkipped() throws {
        #expect(try summary("\u{FEFF}id,login\n1,a\n").counts.added == 1)
        #expect(writer.sorted == [User(id: 1, login: "a")])
    }

    @Test func emptyAndMissingFilesAreClearErrors() throws {
        for empty in ["", "\u{FEFF}", "\n\n", "\u{FEFF}\r\n"] {
            #expect(try run(empty).error.hasSuffix(" is empty"), "\(Array(empty.utf8))")
        }
        #expect(try run([0xFF, 0xFE]).error.hasSuffix(" is empty"))
        let missing = imported(FileSource(path: "/nonexistent/x")).error
        #expect(missing == "cannot open /nonexistent/x: No such file or directory")
        #expect(imported(FileSource(path: folder.path)).error.hasSuffix("it is a folder"))
    }

    @Test func pipesAreReadAsDataArrives() throws {
        let path = path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let thread = Thread {
            let file = FileHandle(forWritingAtPath: path)
            for byte in "{\"id\":1,\"login\":\"a\"}\n{\"id\":2,\"login\":\"b\"}\n".utf8 { file?.write(Data([byte])) }
            try? file?.close()
        }
        thread.start()
        let summary = ImportRun(writer: writer).run(FileSource(path: path))
        #expect(summary.counts.added == 2)
        #expect(summary.progress.size == nil)
    }

    /// A sensor, or a person at a keyboard: each look at the clock finds one record and 50 ms more.
    @Test func theFirstPeopleOfASteadyPipeDoNotWaitForItsEnd() throws {
        let path = path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let stream = SteadyStream(path: path)
        writer.onWrite = { stream.end() }
        var source = FileSource(path: path)
        source.now = { stream.now() }
        let summary = ImportRun(writer: writer).run(source)
        // Two seconds are 40 records; a few more were sent until the first ones were saved.
        #expect(stream.sent >= 40 && stream.sent < 200, "\(stream.sent)")
        #expect(
            summary.counts.added == stream.sent && writer.directory.settings.stored.inferred.columns == ["id", "name"])
    }
}

/// A pipe that gets one record whenever it is asked for the time, until the first people are saved.
private final class SteadyStream: Sendable {
    private struct State {
        var file: Int32 = -1
        var sent = 0
        var isEnded = false
    }

    private static let most = 2000
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    init(path: String) {
        let thread = Thread { [self] in
            let file = open(path, O_WRONLY)
            _ = Array("id,name\n1,Person\n".utf8).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            state.withLock { state in
                (state.file, state.sent) = (file, 1)
                if state.isEnded { close(file) }
            }
        }
        thread.start()
    }

    var sent: Int { state.withLock { $0.sent } }

    func now() -> ContinuousClock.Instant {
        state.withLock { state in
            if state.file >= 0, !state.isEnded, state.sent < Self.most {
                state.sent += 1
                let line = Array("\(state.sent),Person\n".utf8)
                _ = line.withUnsafeBytes { write(state.file, $0.baseAddress, $0.count) }
                if state.sent == Self.most { close(state.file) }
            }
            return start + .milliseconds(50 * state.sent)
        }
    }

    func end() {
        state.withLock { state in
            if !state.isEnded, state.file >= 0, state.sent < Self.most { close(state.file) }
            state.isEnded = true
        }
    }
}

@Suite("Files on a web server")
struct RemoteFileLimitTests {
    private struct Endless: World {
        func answer(_ asked: StandIn.Asked) -> Canned {
            Canned(200, "login,name\n" + String(repeating: "ann,Ann\n", count: 1 << 18))
        }
    }

    @Test func aFileThatIsTooLargeIsNotImported() throws {
        let server = try StandIn(Endless())
        let writer = MemoryWriter()
        let address = try RemoteFile.address(server.url + "/staff.csv")
        let remote = try RemoteFile(address, userAgent: "test", maxBytes: 1 << 20)
        let error = imported(FileSource(path: "", remote: remote), into: writer).error
        #expect(error == "expected a file of at most 1 MiB, found a larger one" && writer.users.isEmpty)
    }

    /// Redirects to the addresses that the query names.
    private struct Redirector: World {
        func answer(_ asked: StandIn.Asked) -> Canned { Canned(302).with("Location", asked["to"] ?? "") }
    }

    private func message(leadingTo target: String) throws -> String {
        let server = try StandIn(Redirector())
        var limits = Client.Limits()
        limits.connection = .seconds(1)
        let to = WebAddress.encoded(target.replacing("PORT", with: "\(server.port)"))
        let remote = try RemoteFile(
            try RemoteFile.address("\(server.url)/staff.csv?to=\(to)"), limits: limits, userAgent: "test")
        return imported(FileSource(path: "", remote: remote), into: MemoryWriter()).error
    }

    /// The publisher's own URL leads to this machine, so that these are the only servers it may redirect to.
    @Test(arguments: [
        ("https://169.254.169.254/latest/meta-data/", true), ("https://10.0.0.7:8443/", true),
        ("https://192.168.1.1/", true), ("https://[fe80::1]/", true), ("https://[fd00::7]/", true),
        ("https://0xa9fea9fe/", true), ("https://127.0.0.2:PORT/", false), ("https://localhost:PORT/", false),
    ])
    func redirectsDoNotLeadIntoAnotherNetwork(_ target: String, _ isRefused: Bool) throws {
        let message = try message(leadingTo: target)
        #expect(message.contains("its address is not on the public internet") == isRefused, "\(message)")
        #expect(message.contains("127.0.0.1 redirects to another server"), "\(message)")
    }
}
