import Bytes
import Directories

/// The runs of one order, in memory where they begin, on disk what they hold; changed together.
///
/// Each run that a batch touches is read once, merged with its changes, and written once.
final class SortIndexMerger {
    private(set) var runs: BlockDirectory
    private let order: IndexedOrder
    private let rows: BlockStorage
    /// A run as it was, and what becomes of it.
    private let old: SortBlock
    private let new: SortBlock
    private let bytes = ByteBuffer(capacity: 1 << 13)

    /// Some runs in the place of others.
    fileprivate struct Edit {
        var replaced: ClosedRange<Int>
        var pieces: [Piece]
    }

    fileprivate struct Piece {
        var start: SortKey
        var count: Int
        var row: Int64
    }

    init(_ runs: BlockDirectory, of order: IndexedOrder, rows: BlockStorage) {
        self.runs = runs
        self.order = order
        self.rows = rows
        old = SortBlock(order)
        new = SortBlock(order)
    }

    /// Applies `changes`, which are sorted.
    func apply(_ changes: [SortChange], texts: UnsafeRawBufferPointer, limits: SortIndexWriter.Limits) throws {
        var edits: [Edit] = []
        var next = 0
        var run = 0
        while next < changes.count {
            run = runs.index(of: changes[next].place, texts, from: run)
            let first = run
            new.removeAll()
            try take(run, changes, &next, texts)
            while isShort(limits), run + 1 < runs.starts.count {
                run += 1
                try take(run, changes, &next, texts)
            }
            // Everyone of the last run may have gone.
            let kept = first > 0 && new.places.isEmpty ? first..<first : first..<(first + 1)
            for gone in kept.upperBound..<(run + 1) {
                try rows.delete(runs.rows[gone], runs.starts[gone], runs.text)
            }
            if !kept.isEmpty { try moveStart(of: first) }
            let pieces = kept.isEmpty ? [] : try write(first, 0..<new.places.count, limits)
            if pieces.count == 1, run == first {
                runs.counts[first] = Int32(pieces[0].count)
            } else {
                edits.append(Edit(replaced: first...run, pieces: pieces))
            }
        }
        runs.apply(edits)
    }

    private func isShort(_ limits: SortIndexWriter.Limits) -> Bool {
        // Few users of long names are no short run.
        new.places.count < limits.minCount && new.text.count < limits.bytes / 4
    }

    /// Lets a run begin with its first user, where the one it began with has gone: nothing of them may stay.
    private func moveStart(of run: Int) throws {
        guard run > 0, var start = new.places.first else { return }
        let isLater = runs.text.withUnsafeBytes { start.compare(in: new.text.bytes, to: runs.starts[run], in: $0) > 0 }
        guard isLater else { return }
        if order.isText { start = SortKey(keeping: new.text.bytes[start.text], in: &runs.text, id: start.id) }
        try rows.move(runs.starts[run], to: start, runs.text)
        runs.starts[run] = start
    }

    /// Appends a run, with those of `changes` from `next` on that are its own, to what is to be written.
    private func take(
        _ run: Int, _ changes: [SortChange], _ next: inout Int, _ texts: UnsafeRawBufferPointer
    ) throws {
        let first = next
        if run + 1 == runs.starts.count {
            next = changes.count
        } else {
            let end = runs.starts[run + 1]
            runs.text.withUnsafeBytes { text in
                while next < changes.count, changes[next].place.compare(in: texts, to: end, in: text) < 0 { next += 1 }
            }
        }
        old.removeAll()
        try rows.read(runs.rows[run]) { try old.append($0) }
        guard old.places.count == Int(runs.counts[run]) else { throw BlockDecoder.damage }
        try new.append(old, changed: changes[first..<next], texts)
    }

    /// Writes some of what is to be written, in as many pieces as it needs; the first of all in the row of `run`.
    private func write(_ run: Int, _ range: Range<Int>, _ limits: SortIndexWriter.Limits) throws -> [Piece] {
        new.encode(range, to: bytes)
        if range.count > 1, range.count > limits.count || bytes.count > limits.bytes {
            let newBytes = limits.bytes * limits.newCount / limits.count
            let count = max(
                2, (range.count + limits.newCount - 1) / limits.newCount,
                min(range.count, (bytes.count + newBytes - 1) / newBytes))
            var pieces: [Piece] = []
            for piece in 0..<count {
                let start = range.lowerBound + range.count * piece / count
                let end = range.lowerBound + range.count * (piece + 1) / count
                pieces += try write(run, start..<end, limits)
            }
            return pieces
        }
        if range.lowerBound == 0 {
            let row = runs.rows[run]
            try rows.update(row, bytes.bytes)
            if Int(runs.counts[run]) != range.count {
                try rows.update(count: range.count, runs.starts[run], runs.text)
            }
            return [Piece(start: runs.starts[run], count: range.count, row: row)]
        }
        var start = new.places[range.lowerBound]
        if order.isText { start = SortKey(keeping: new.text.bytes[start.text], in: &runs.text, id: start.id) }
        let row = try rows.insert(bytes.bytes)
        try rows.insert(start, runs.text, count: range.count, row: row)
        return [Piece(start: start, count: range.count, row: row)]
    }
}

extension BlockDirectory {
    fileprivate mutating func apply(_ edits: [SortIndexMerger.Edit]) {
        if edits.isEmpty { return }
        var edited = BlockDirectory()
        swap(&edited.text, &text)
        let added = edits.reduce(0) { $0 + $1.pieces.count }
        edited.starts.reserveCapacity(starts.count + added)
        edited.counts.reserveCapacity(starts.count + added)
        edited.rows.reserveCapacity(starts.count + added)
        var run = 0
        for edit in edits {
            edited.append(self, run..<edit.replaced.lowerBound)
            for piece in edit.pieces {
                edited.starts.append(piece.start)
                edited.counts.append(Int32(piece.count))
                edited.rows.append(piece.row)
            }
            run = edit.replaced.upperBound + 1
        }
        edited.append(self, run..<starts.count)
        self = edited
    }

    private mutating func append(_ runs: BlockDirectory, _ range: Range<Int>) {
        starts += runs.starts[range]
        counts += runs.counts[range]
        rows += runs.rows[range]
    }
}
