import Directories

/// The runs of one directory, and how many users come before each: what turns a place into the run that has it, and a user
/// into a position, without reading more than that run. Never changes; shared by all readers.
final class SortIndexSnapshot: Sendable {
    let generation: Int64
    private let orders: [BlockDirectory]
    private let before: [[Int]]

    /// Reads the runs of `directory` in the transaction that `connection` is in and that it was read in.
    init(of directory: Directory, from connection: Connection) throws {
        generation = directory.generation
        orders = try BlockDirectory.all(of: directory.id, total: directory.total, from: connection).map { $0.fitted() }
        before = orders.map { runs in
            var sum = 0
            return runs.counts.map { count in
                defer { sum += Int(count) }
                return sum
            }
        }
    }

    func runs(_ order: IndexedOrder) -> BlockDirectory { orders[Int(order.rawValue)] }

    /// The run that has the user before whom `rank` others come, and which one of it that is.
    func place(_ rank: Int, in order: IndexedOrder) -> (run: Int, index: Int) {
        let before = before[Int(order.rawValue)]
        var low = 0
        var high = before.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if before[middle] <= rank { low = middle } else { high = middle }
        }
        return (low, rank - before[low])
    }

    /// How many users come before a run.
    func count(before run: Int, in order: IndexedOrder) -> Int { before[Int(order.rawValue)][run] }
}

extension BlockDirectory {
    /// A copy in no more memory than it needs: it stays as long as the directory does.
    fileprivate func fitted() -> BlockDirectory {
        var runs = BlockDirectory()
        runs.text = text.withUnsafeBytes { Array($0) }
        runs.starts = starts.map { $0 }
        runs.counts = counts.map { $0 }
        runs.rows = rows.map { $0 }
        return runs
    }
}
