import Foundation
import TestSupport

/// Measures how long a search takes that the server has not seen before, as the client sees it: one at a time, up to
/// the slowest.
struct SearchBenchmarks {
    /// The path or URL of the database.
    let database: String

    /// Frequent and rare words, of one character and of many, alone and together.
    private static let words = [
        "a", "e", "an", "ma", "mar", "anna", "maria", "garc", "smith", "김", "김민", "수", "李", "mü", "ø", "z", "q", "x1",
        "77", "99999", "labs", "collective", "zzzz", "sören", "françois", "māhina", "schäfer", "สมชาย", "김하늘", "健太",
        "a b", "anna 9", "maria garcia", "a e i o u", "a b c d e f g h", "qqqqqqqqqqqqqqqq",
    ]
    private static let orders = [
        "", "&order=desc", "&sort=name", "&sort=name&order=desc", "&sort=login", "&sort=login&order=desc",
        "&sort=reputation", "&sort=reputation&order=desc",
    ]

    struct Figures {
        var slowest = 0.0
        var slowestSearch = ""
        var times: [Double] = []

        /// The time that 95 of a hundred searches do not exceed.
        var percentile95: Double { times.sorted()[times.count * 95 / 100] }
    }

    /// Returns times in milliseconds. Each search runs once, on a server that has not seen it before.
    func run() throws -> Figures {
        let rollcall = try RollcallProcess(["serve", "--database", database])
        defer { rollcall.stop() }
        let connection = try Connection(port: rollcall.port)
        defer { connection.close() }
        // The first request opens the database.
        _ = try connection.get("/fragment")
        var figures = Figures()
        for order in Self.orders {
            for words in Self.words {
                let text = words.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? words
                let start = ContinuousClock.now
                _ = try connection.get("/fragment?q=\(text)\(order)")
                let time = (ContinuousClock.now - start) / .milliseconds(1)
                figures.times.append(time)
                if time > figures.slowest {
                    figures.slowest = time
                    figures.slowestSearch = words + order
                }
            }
        }
        return figures
    }
}

extension SearchBenchmarks {
    /// Measures searches in the SQLite database of `people`. Reads the file first, because other benchmarks may have
    /// evicted it from the page cache: the disk is not measured.
    init(_ people: People) throws {
        let file = try FileHandle(forReadingFrom: people.database)
        while let part = try file.read(upToCount: 1 << 20), !part.isEmpty {}
        self.init(database: people.database.path)
    }
}

extension Connection {
    /// Returns the response to a `GET`. Throws unless its status is 200.
    func get(_ target: String) throws -> Exchange {
        let answer = try Exchange(on: self, target: target)
        guard answer.status == 200 else { throw Failure("GET \(target): status \(answer.status)") }
        return answer
    }
}
