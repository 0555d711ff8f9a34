import Foundation
import TestDatabases
import TestSupport
import Testing

/// Requests with bytes changed, cut, doubled and moved, over real sockets.
@Suite("Malformed bytes", .onThreadsForPrograms)
struct MalformedBytesTests {
    private static let count = RandomWalk.rounds(500)
    /// Requests that are good as they are. `/export.csv` is a body that is made while it is sent.
    private static let good = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /fragment?since=5&q=a%20b HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nIf-None-Match: \"a\", *\r\n\r\n",
        "HEAD /style.css HTTP/1.1\r\nHost: a\r\nRange: bytes=0-5,7-\r\n\r\nGET /embed HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nT: u\r\n\r\n",
        "POST /export.csv HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc",
        "GET /export.csv HTTP/1.1\r\nHost: a\r\nX-Request-Id: 7\r\n\r\nOPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    ]
    private static let words = [
        "GET ", "HEAD ", "OPTIONS * ", "POST ", "/", "?q=", "%00", "%ff", " HTTP/1.1\r\n", " HTTP/1.0\r\n", "\r\n",
        "\r", "\n", "\0", ":", "Host: a\r\n", "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n",
        "99999999999999999999", "0\r\n\r\n",
    ]

    /// The kept inputs of the fuzzer for request heads and chunked bodies, too.
    private static func corpus() throws -> [[UInt8]] {
        let kept = try ["request", "body"].flatMap { name in
            let folder = RollcallProcess.packageFolder.appending(path: "Tests/FuzzTests/Corpus/\(name)")
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            return try files.sorted { $0.lastPathComponent < $1.lastPathComponent }.map {
                try Array(Data(contentsOf: $0))
            }
        }
        return kept + Array(repeating: good.map { Array($0.utf8) }, count: 20).joined()
    }

    /// All that the server says to `bytes`; `nil` if the connection does not end.
    private func answers(to bytes: [UInt8], _ port: Int) throws -> [UInt8]? {
        let connection = try Connection(port: port)
        defer { connection.close() }
        // In two pieces; the second may arrive after the server has closed the connection.
        let cut = bytes.count / 2
        _ = connection.writeWhatFits(Array(bytes[..<cut]))
        _ = connection.writeWhatFits(Array(bytes[cut...]))
        connection.endWriting()
        var all: [UInt8] = []
        while let more = connection.read(within: 20_000) {
            if more.isEmpty { return all }
            all += more
        }
        return nil
    }

    @Test func areRefusedOrAnsweredAndHarmNobody() throws {
        let rollcall = try RollcallProcess.demo(users: 30)
        let corpus = try Self.corpus()
        var mutator = Mutator(words: Self.words, walk: 1)
        var statuses: [Int: Int] = [:]
        for number in 0..<Self.count {
            let bytes = mutator.next(corpus)
            let received = try #require(
                try answers(to: bytes, rollcall.port),
                "input \(number) has no end: \(String(decoding: bytes, as: UTF8.self))")
            if received.isEmpty { statuses[0, default: 0] += 1 }
            if let status = status(of: received) {
                statuses[status, default: 0] += 1
                let isExpected = status < 500 || [501, 505].contains(status)
                #expect(isExpected, "input \(number): \(status) to \(String(decoding: bytes, as: UTF8.self))")
            }
            if number % 50 == 0 { #expect(try Exchange(port: rollcall.port, target: "/healthz").status == 200) }
        }
        #expect((statuses[200] ?? 0) > 0 && (statuses[400] ?? 0) > 0)
        #expect(rollcall.program.isRunning && !rollcall.errors.contains("error"), "\(rollcall.errors)")
        #expect(rollcall.stop() == 0)
    }

    /// The status of the first answer that is final.
    private func status(of bytes: [UInt8]) -> Int? { Exchange.all(in: bytes).first { $0.status != 100 }?.status }
}
