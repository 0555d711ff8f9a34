import Bytes
import Directories

/// Where the runs of an order begin, how many users each has, and in which row it is.
///
/// A run begins no later than with its first user, who may have gone, and the first one begins before everyone.
struct BlockDirectory: Sendable {
    /// The texts of `starts`.
    var text: [UInt8] = []
    var starts: [SortKey] = []
    var counts: [Int32] = []
    var rows: [Int64] = []

    var size: Int {
        text.count + starts.count
            * (MemoryLayout<SortKey>.stride + MemoryLayout<Int32>.stride + MemoryLayout<Int64>.stride)
    }

    /// The run that has the place of `place`, which is not before run `low`: by steps that double, then by halves.
    func index(of place: SortKey, _ placeText: UnsafeRawBufferPointer, from low: Int = 0) -> Int {
        text.withUnsafeBytes { bytes in
            let isAtOrAfter = { (run: Int) in starts[run].compare(in: bytes, to: place, in: placeText) <= 0 }
            var low = low
            var step = 1
            while low + step < starts.count, isAtOrAfter(low + step) {
                low += step
                step *= 2
            }
            var high = min(low + step, starts.count)
            while high - low > 1 {
                let middle = (low + high) / 2
                if isAtOrAfter(middle) { low = middle } else { high = middle }
            }
            return low
        }
    }

    /// The runs of all orders of a directory with `total` users, as they are in the transaction that `connection` is in.
    static func all(of directory: Int64, total: Int, from connection: Connection) throws -> [BlockDirectory] {
        var orders = IndexedOrder.allCases.map { _ in BlockDirectory() }
        let statement = try connection.statement(
            "SELECT sort, key, id, count, run FROM userRank\(directory) ORDER BY sort, key, id")
        defer { statement.reset() }
        while try statement.step() {
            guard let order = IndexedOrder(rawValue: statement.number(0)) else { continue }
            try orders[Int(order.rawValue)].append(statement, order: order)
        }
        guard orders.allSatisfy({ $0.areWhole(total) }) else { throw BlockDecoder.damage }
        return orders
    }

    /// Whether a run is found for every place, and all users are in one.
    private func areWhole(_ total: Int) -> Bool {
        guard let first = starts.first, first.id == 0, first.text.isEmpty, first.prefix == 0 else { return false }
        let isAscending = text.withUnsafeBytes { text in
            starts.indices.dropFirst().allSatisfy { starts[$0 - 1].compare(in: text, to: starts[$0], in: text) < 0 }
        }
        return isAscending && counts.reduce(0) { $0 + Int($1) } == total
    }

    private mutating func append(_ statement: Statement, order: IndexedOrder) throws {
        let id = try statement.number(2, "the id that a run begins with", in: 0...(.max))
        if order.isText {
            starts.append(SortKey(keeping: statement.bytes(1), in: &text, id: id))
        } else {
            starts.append(SortKey(number: statement.number(1), id: id))
        }
        counts.append(Int32(try statement.number(3, "the length of a run", in: 0...Int64(Int32.max))))
        rows.append(statement.number(4))
    }
}
