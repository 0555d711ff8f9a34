import Foundation
import TestSupport

/// How long a search takes that nobody has asked for before, as the client sees it: one at a time, the slowest of all.
struct SearchBenchmarks {
    let people: People

    /// Dense and sparse words, of one character and of many, alone and together.
    private static let words = [
        "a", "e", "an", "ma", "mar", "anna", "maria", "garc", "smith", "김", "김민", "수", "李", "mü", "ø", "z", "q", "x1",
        "77", "99999",
        "labs", "collective", "zzzz", "sören", "françois", "māhina", "schäfer", "สมชาย", "김하늘", "健太", "a b", "anna 9",
        "maria garcia", "a e i o u", "a b c d e f g h", "qqqqqqqqqqqqqqqq",
    ]
    private static let orders = [
        "", "&order=desc", "&sort=name", "&sort=name&order=desc", "&sort=login", "&sort=login&order=desc",
        "&sort=reputation",
        "&sort=reputation&order=desc",
    ]

    struct Figures {
        var slowest = 0.0
        var slowestSearch = ""
        var times: [Double] = []

        /// Of a hundred searches, how long 95 take at most.
        var percentile95: Double { times.sorted()[times.count * 95 / 100] }
    }

    /// In milliseconds; every search by itself on a server that has not met it.
    func run() throws -> Figures {
        // What other benchmarks have driven out of the system's cache is read again: the disk is not what is measured.
        let file = try FileHandle(forReadingFrom: people.database)
        while let part = try file.read(upToCount: 1 << 20), !part.isEmpty {}
        let rollcall = try RollcallProcess(["serve", "--database", people.database.path])
        defer { rollcall.stop() }
        let client = try Client(port: rollcall.port)
        // The first request opens the database.
        _ = try client.get("/fragment")
        var figures = Figures()
        for order in Self.orders {
            for words in Self.words {
                let text = words.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? words
                let start = ContinuousClock.now
                _ = try client.get("/fragment?q=\(text)\(order)")
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
