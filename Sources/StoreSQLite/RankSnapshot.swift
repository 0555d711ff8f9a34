import Bytes
import Directories

/// Where the runs of users of one directory begin in each order, and how many users come before each: what turns a user
/// into a position without counting the directory. Never changes; shared by all readers.
final class RankSnapshot: Sendable {
    let generation: Int64
    private let orders: [Runs]

    struct Runs: Sendable {
        var text: [UInt8] = []
        var starts: [SortKey] = []
        /// How many users come before each run, and at the end how many there are.
        var before: [Int] = [0]
    }

    init(generation: Int64, orders: [Runs]) {
        self.generation = generation
        self.orders = orders
    }

    /// A run of an order: where it begins, how many users come before it and how many it has.
    struct Run {
        var start: SortKey
        /// The text of `start`.
        var text: [UInt8].SubSequence
        var before: Int
        var count: Int
        /// Where the next run begins; `nil` for the last one.
        var next: SortKey?
    }

    /// The run that has the place of `key`.
    func run(with key: SortKey, text: UnsafeRawBufferPointer, in order: RankOrder) -> Run {
        let runs = orders[Int(order.rawValue)]
        return runs.text.withUnsafeBytes { bytes in
            // The first run begins before everyone.
            var low = 0
            var high = runs.starts.count
            while high - low > 1 {
                let middle = (low + high) / 2
                if runs.starts[middle].compare(in: bytes, to: key, in: text) <= 0 {
                    low = middle
                } else {
                    high = middle
                }
            }
            return Run(
                start: runs.starts[low], text: runs.text[runs.starts[low].text.range], before: runs.before[low],
                count: runs.before[low + 1] - runs.before[low],
                next: low + 1 < runs.starts.count ? runs.starts[low + 1] : nil)
        }
    }
}

extension RankSnapshot {
    /// Reads the runs of `directory` as they are in the transaction that `connection` is in.
    convenience init(directory: Int64, generation: Int64, from connection: Connection) throws {
        var orders = RankOrder.allCases.map { _ in Runs() }
        let statement = try connection.statement(
            "SELECT sort, key, id, count FROM userRank\(directory) ORDER BY sort, key, id")
        defer { statement.reset() }
        while try statement.step() {
            guard let order = RankOrder(rawValue: statement.number(0)) else { continue }
            orders[Int(order.rawValue)].append(statement, order: order)
        }
        self.init(generation: generation, orders: orders)
    }
}

extension RankSnapshot.Runs {
    fileprivate mutating func append(_ statement: Statement, order: RankOrder) {
        let id = statement.number(2)
        if order.isText {
            starts.append(SortKey(keeping: statement.bytes(1), in: &text, id: id))
        } else {
            starts.append(SortKey(number: statement.number(1), id: id))
        }
        before.append(before[before.count - 1] + Int(statement.number(3)))
    }
}
