import Bytes
import Directories

/// Someone who comes into a place of an order, or leaves it.
struct RankChange {
    /// Its text is in the batch's bytes.
    var place: SortKey
    /// 1 or -1.
    var delta: Int
}

/// The runs of one directory as its writer keeps them: in memory and on disk, changed together a batch at a time.
///
/// A batch's changes are sorted and applied run by run, so that a large batch touches each run once.
final class RankTable {
    /// A run is split when it has more than this. Counting through half of it on average takes some two microseconds.
    private static let maxRun = 128
    /// Runs are made this long, so that the next few users do not split them again.
    private static let newRun = 96
    /// Two neighbours that have fewer than this together become one.
    private static let minRuns = 32

    /// The state of the directory that this is of; `nil` for none that is known.
    var generation: Int64?
    private var orders: [Runs] = []
    private let directory: Int64
    private let connection: Connection

    fileprivate struct Runs {
        var text: [UInt8] = []
        var starts: [SortKey] = []
        var counts: [Int] = []
    }

    init(directory: Int64, connection: Connection) {
        self.directory = directory
        self.connection = connection
    }

    /// Reads the runs, unless what is here is of `generation` already.
    func load(_ generation: Int64) throws {
        if self.generation == generation { return }
        orders = RankOrder.allCases.map { _ in Runs() }
        let statement = try connection.statement(
            "SELECT sort, key, id, count FROM userRank\(directory) ORDER BY sort, key, id")
        defer { statement.reset() }
        while try statement.step() {
            guard let order = RankOrder(rawValue: statement.number(0)) else { continue }
            let id = statement.number(2)
            let key =
                order.isText
                ? SortKey(keeping: statement.bytes(1), in: &orders[Int(order.rawValue)].text, id: id)
                : SortKey(number: statement.number(1), id: id)
            orders[Int(order.rawValue)].starts.append(key)
            orders[Int(order.rawValue)].counts.append(Int(statement.number(3)))
        }
        self.generation = generation
    }

    /// Applies `changes`, of users who are in (or gone from) the tables already.
    func apply(_ changes: [RankChange], to order: RankOrder, texts: ByteBuffer) throws {
        if changes.isEmpty { return }
        let sorted = changes.sorted { $0.place.compare(in: texts.bytes, to: $1.place, in: texts.bytes) < 0 }
        let index = Int(order.rawValue)
        let touched = orders[index].add(sorted, texts: texts.bytes)
        try save(touched, of: order)
    }
}

// MARK: - In memory

extension RankTable.Runs {
    /// Counts `changes` in and answers which runs have changed, in order.
    fileprivate mutating func add(_ changes: [RankChange], texts: UnsafeRawBufferPointer) -> [Int] {
        var touched: [Int] = []
        var run = 0
        for change in changes {
            run = self.run(with: change.place, texts, from: run)
            counts[run] += change.delta
            if touched.last != run { touched.append(run) }
        }
        return touched
    }

    /// The run that has `place`, which is not before run `low`: by steps that double, then by halves.
    private func run(with place: SortKey, _ texts: UnsafeRawBufferPointer, from low: Int) -> Int {
        text.withUnsafeBytes { bytes in
            let isAtOrAfter = { (run: Int) in starts[run].compare(in: bytes, to: place, in: texts) <= 0 }
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
}

// MARK: - On disk

extension RankTable {
    /// Writes the runs `touched`, split or joined where they have become too long or too short.
    private func save(_ touched: [Int], of order: RankOrder) throws {
        let index = Int(order.rawValue)
        var pieces: [(after: Int, starts: [SortKey], counts: [Int])] = []
        var removed: [Int] = []
        for run in touched {
            let count = orders[index].counts[run]
            if count > Self.maxRun {
                let (starts, counts) = try split(run, of: order)
                pieces.append((run, starts, counts))
            } else if run > 0, removed.last != run - 1, pieces.last?.after != run - 1,
                count == 0 || count + orders[index].counts[run - 1] < Self.minRuns
            {
                orders[index].counts[run - 1] += count
                removed.append(run)
                try delete(run, of: order)
                if count > 0 { try update(run - 1, of: order) }
            } else {
                try update(run, of: order)
            }
        }
        orders[index].rebuild(inserting: pieces, removing: removed)
    }

    /// Cuts a run into pieces that are about equal; answers those after the first one.
    private func split(_ run: Int, of order: RankOrder) throws -> ([SortKey], [Int]) {
        let index = Int(order.rawValue)
        let count = orders[index].counts[run]
        let pieceCount = (count + Self.newRun - 1) / Self.newRun
        let size = (count + pieceCount - 1) / pieceCount
        let walk = try connection.statement(order.walk(directory))
        defer { walk.reset() }
        orders[index].bind(run, of: order, to: walk, at: 1, idAlone: order == .id)
        var starts: [SortKey] = []
        var position = 0
        while try walk.step() {
            if position > 0, position % size == 0 {
                let id = walk.number(0)
                switch order {
                case .id: starts.append(SortKey(number: .min, id: id))
                case .reputation: starts.append(SortKey(number: walk.number(1), id: id))
                case .login, .name: starts.append(SortKey(keeping: walk.bytes(1), in: &orders[index].text, id: id))
                }
            }
            position += 1
            if position == count { break }
        }
        walk.reset()
        let counts = starts.indices.map { min(size, count - size * ($0 + 1)) }
        orders[index].counts[run] = count - counts.reduce(0, +)
        try update(run, of: order)
        for piece in starts.indices { try insert(starts[piece], counts[piece], of: order) }
        return (starts, counts)
    }

    private func update(_ run: Int, of order: RankOrder) throws {
        let statement = try connection.statement(
            .updateRank, "UPDATE userRank\(directory) SET count = ? WHERE sort = ? AND key = ? AND id = ?")
        let runs = orders[Int(order.rawValue)]
        statement.bind(Int64(runs.counts[run]), at: 1)
        statement.bind(order.rawValue, at: 2)
        runs.bind(run, of: order, to: statement, at: 3)
        try statement.run()
    }

    private func delete(_ run: Int, of order: RankOrder) throws {
        let statement = try connection.statement(
            "DELETE FROM userRank\(directory) WHERE sort = ? AND key = ? AND id = ?")
        statement.bind(order.rawValue, at: 1)
        orders[Int(order.rawValue)].bind(run, of: order, to: statement, at: 2)
        try statement.run()
    }

    private func insert(_ start: SortKey, _ count: Int, of order: RankOrder) throws {
        let statement = try connection.statement(
            "INSERT INTO userRank\(directory) (count, sort, key, id) VALUES (?, ?, ?, ?)")
        statement.bind(Int64(count), at: 1)
        statement.bind(order.rawValue, at: 2)
        orders[Int(order.rawValue)].bind(start, of: order, to: statement, at: 3)
        try statement.run()
    }
}

extension RankTable.Runs {
    fileprivate func bind(
        _ run: Int, of order: RankOrder, to statement: Statement, at index: Int32, idAlone: Bool = false
    ) {
        if idAlone {
            statement.bind(starts[run].id, at: index)
        } else {
            bind(starts[run], of: order, to: statement, at: index)
        }
    }

    fileprivate func bind(_ start: SortKey, of order: RankOrder, to statement: Statement, at index: Int32) {
        if order.isText {
            statement.bind(String(decoding: text[start.text.range], as: UTF8.self), at: index)
        } else {
            statement.bind(start.number, at: index)
        }
        statement.bind(start.id, at: index + 1)
    }

    fileprivate mutating func rebuild(
        inserting pieces: [(after: Int, starts: [SortKey], counts: [Int])], removing removed: [Int]
    ) {
        if pieces.isEmpty, removed.isEmpty { return }
        var starts: [SortKey] = []
        var counts: [Int] = []
        starts.reserveCapacity(self.starts.count + pieces.reduce(0) { $0 + $1.counts.count })
        counts.reserveCapacity(starts.capacity)
        var nextPiece = 0
        var nextRemoved = 0
        for run in self.starts.indices {
            if nextRemoved < removed.count, removed[nextRemoved] == run {
                nextRemoved += 1
                continue
            }
            starts.append(self.starts[run])
            counts.append(self.counts[run])
            if nextPiece < pieces.count, pieces[nextPiece].after == run {
                starts += pieces[nextPiece].starts
                counts += pieces[nextPiece].counts
                nextPiece += 1
            }
        }
        self.starts = starts
        self.counts = counts
    }
}

extension RankOrder {
    /// Ids and keys from a place on; for ids, the place is the id alone.
    fileprivate func walk(_ directory: Int64) -> String {
        if self == .id { return "SELECT id FROM userText\(directory) WHERE id >= ? ORDER BY id" }
        // In two parts, because SQLite would read all equal keys before the place (see Walk).
        return """
            SELECT * FROM (SELECT id, \(column) FROM user\(directory) WHERE \(column) = ?1 AND id >= ?2 ORDER BY id LIMIT -1)
            UNION ALL SELECT * FROM
            (SELECT id, \(column) FROM user\(directory) WHERE \(column) > ?1 ORDER BY \(column), id LIMIT -1)
            """
    }
}
