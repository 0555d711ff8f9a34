import Base
import TestSupport
import Testing

@testable import Indexes

@Suite("The sort index")
struct SortIndexTests {
    private typealias Entry = (text: [UInt8], number: Int64, id: Int64)

    /// Keys are added and removed in batches. After each batch scans in both directions, from both ends and from every
    /// key, find what sorting finds, and each key has its rank.
    @Test(arguments: [SortKey.Kind.id, .number, .text], OrderWriterTests.small)
    func scansAndRanksAreThoseOfASortedList(_ kind: SortKey.Kind, _ limits: SortIndexWriter.Limits) throws {
        var random = SplitMix(walk: 5)
        let storage = MemoryBlobs()
        var directory = BlockDirectory()
        directory.append(
            SortKey(number: kind == .text ? 0 : .min, id: 0), .init(start: nil, count: 0), kind: kind, count: 0,
            number: try SortBlock.empty.withUnsafeBytes { try storage.add($0) })
        let writer = SortIndexWriter(directory, kind: kind)
        writer.limits = limits
        var entries: [Int64: Entry] = [:]
        var saved = SavedDirectory(directory, kind)
        for round in 0..<RandomWalk.rounds(14) {
            let texts = ByteBuffer()
            var changes: [SortChange] = []
            for _ in 0..<[3, 60, 0, 200, 9][round % 5] {
                let id = Int64.random(in: 1...300, using: &random)
                if let old = entries[id] { changes.append(change(old, -1, kind, texts)) }
                let text = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    UInt8.random(in: 97...98, using: &random)
                }
                let number = kind == .id ? .min : Int64.random(in: -3...3, using: &random)
                let isRemoved = Int.random(in: 0...3, using: &random) == 0
                entries[id] = isRemoved ? nil : (text, number, id)
                if let new = entries[id] { changes.append(change(new, 1, kind, texts)) }
            }
            if round == 12 {
                changes = entries.values.map { change($0, -1, kind, texts) }
                entries = [:]
            }
            changes.sort(in: texts.bytes)
            try writer.apply(changes, texts: texts, storage: storage) { try saved.apply($0, $1) }
            try check(storage, saved.directory(), kind, limits, sorted(entries, kind), version: Int64(round))
        }
    }

    private func change(_ entry: Entry, _ delta: Int, _ kind: SortKey.Kind, _ texts: ByteBuffer) -> SortChange {
        if kind != .text { return SortChange(key: SortKey(number: entry.number, id: entry.id), delta: delta) }
        let start = texts.count
        texts.append(entry.text)
        let text = ByteSlice(offset: start, count: entry.text.count)
        return SortChange(key: SortKey(text: text, in: texts.bytes, id: entry.id), delta: delta)
    }

    private func sorted(_ entries: [Int64: Entry], _ kind: SortKey.Kind) -> [Entry] {
        entries.values.sorted { left, right in
            if kind == .text, left.text != right.text { return left.text.lexicographicallyPrecedes(right.text) }
            if kind != .text, left.number != right.number { return left.number < right.number }
            return left.id < right.id
        }
    }

    private func seekKey(_ entry: Entry, _ kind: SortKey.Kind) -> SeekKey {
        kind == .text ? SeekKey(text: entry.text, id: entry.id) : SeekKey(number: entry.number, id: entry.id)
    }

    private func check(
        _ storage: MemoryBlobs, _ directory: BlockDirectory, _ kind: SortKey.Kind, _ limits: SortIndexWriter.Limits,
        _ entries: [Entry], version: Int64
    ) throws {
        #expect(directory.isConsistent(total: entries.count))
        #expect(Set(directory.numbers) == Set(storage.blobs.keys))
        let snapshot = SortIndexSnapshot(version: version, [directory])
        let reader = SortIndexReader()
        for (index, number) in directory.numbers.enumerated() {
            let block = try reader.block(number, kind, version: version, from: storage)
            let bytes = storage.blobs[number] ?? []
            #expect(block.keys.count == Int(directory.counts[index]))
            #expect(block.keys.count <= limits.count && (bytes.count <= limits.bytes || block.keys.count == 1))
            #expect(!block.keys.isEmpty || index == 0)
            for key in block.keys { #expect(directory.index(of: key, block.text.bytes) == index) }
        }
        for isDescending in [false, true] {
            let ids = isDescending ? entries.map(\.id).reversed() : entries.map(\.id)
            #expect(try self.ids(reader, storage, directory, kind, isDescending, nil, version) == ids)
            for (rank, entry) in entries.enumerated() {
                let seek = seekKey(entry, kind)
                let rest = Array(isDescending ? ids.suffix(rank + 1) : ids.suffix(entries.count - rank))
                #expect(
                    try self.ids(reader, storage, directory, kind, isDescending, seek, version, isInclusive: true)
                        == rest)
                #expect(
                    try self.ids(reader, storage, directory, kind, isDescending, seek, version)
                        == Array(rest.dropFirst()))
                let (block, offset) = snapshot.position(ofRank: rank, in: 0)
                #expect(snapshot.count(before: block, in: 0) + offset == rank)
                let keys = try reader.block(directory.numbers[block], kind, version: version, from: storage)
                #expect(keys.keys[offset].id == entry.id)
                #expect(seek.text.withUnsafeBytes { keys.count(before: seek.key, $0, orAt: false) } == offset)
            }
        }
    }

    /// Returns the ids that a scan finds, by ids and by keys.
    private func ids(
        _ reader: SortIndexReader, _ storage: MemoryBlobs, _ directory: BlockDirectory, _ kind: SortKey.Kind,
        _ isDescending: Bool, _ seek: SeekKey?, _ version: Int64, isInclusive: Bool = false
    ) throws -> [Int64] {
        let scan = (kind, isDescending, seek, isInclusive)
        func withBlocks(_ body: (() throws -> Int64?) throws -> Void) rethrows {
            var next = isDescending ? directory.count - 1 : 0
            if let seek { next = seek.text.withUnsafeBytes { directory.index(of: seek.key, $0) } }
            try body {
                defer { next += isDescending ? -1 : 1 }
                return directory.numbers.indices.contains(next) ? directory.numbers[next] : nil
            }
        }
        var (ids, keys): ([Int64], [Int64]) = ([], [])
        try withBlocks { blocks in
            let isComplete = try reader.scanIDs(scan, version: version, in: storage, blocks: blocks) {
                ids += $0
                return true
            }
            #expect(isComplete)
        }
        try withBlocks { blocks in
            try reader.scanKeys(scan, version: version, in: storage, blocks: blocks) { key, _ in
                keys.append(key.id)
                return true
            }
        }
        #expect(ids == keys)
        return ids
    }

    @Test func aScanEndsAfterItsLastBlock() throws {
        let storage = MemoryBlobs()
        var directory = BlockDirectory()
        directory.append(
            SortKey(number: .min, id: 0), .init(start: nil, count: 0), kind: .id, count: 0,
            number: try SortBlock.empty.withUnsafeBytes { try storage.add($0) })
        let writer = SortIndexWriter(directory, kind: .id)
        writer.limits = OrderWriterTests.small[0]
        var saved = SavedDirectory(directory, .id)
        let changes = (1...100).map { SortChange(key: SortKey(number: .min, id: $0), delta: 1) }
        try writer.apply(changes, texts: ByteBuffer(), storage: storage) { try saved.apply($0, $1) }
        let numbers = saved.directory().numbers
        for maxBlocks in [1, numbers.count - 1, numbers.count] {
            var next = numbers.makeIterator()
            var found = 0
            let isComplete = try SortIndexReader().scanIDs(
                (.id, isDescending: false, nil, isInclusive: false), maxBlocks: maxBlocks, version: 1,
                in: storage,
                blocks: { next.next() },
                {
                    found += $0.count
                    return true
                })
            #expect(isComplete == (maxBlocks == numbers.count))
            #expect(isComplete == (found == 100))
        }
    }
}

/// A block directory as a table keeps it: rows that the writer's changes insert, update and delete.
private struct SavedDirectory {
    private struct Row {
        var start: SeekKey
        var count: Int
        var number: Int64
    }

    private let kind: SortKey.Kind
    private var rows: [Row] = []

    init(_ directory: BlockDirectory, _ kind: SortKey.Kind) {
        self.kind = kind
        directory.text.withUnsafeBytes { text in
            rows = directory.starts.indices.map {
                Row(
                    start: SeekKey(directory.starts[$0], in: text, kind: kind), count: Int(directory.counts[$0]),
                    number: directory.numbers[$0])
            }
        }
    }

    mutating func apply(_ change: BlockDirectory.Change, _ text: UnsafeRawBufferPointer) throws {
        switch change {
        case .insert(let start, let count, let number):
            rows.append(Row(start: SeekKey(start, in: text, kind: kind), count: count, number: number))
        case .setCount(let count, let start): rows[try index(of: start, text)].count = count
        case .move(let start, let new): rows[try index(of: start, text)].start = SeekKey(new, in: text, kind: kind)
        case .delete(let start): rows.remove(at: try index(of: start, text))
        }
    }

    private func index(of start: SortKey, _ text: UnsafeRawBufferPointer) throws -> Int {
        try #require(
            rows.firstIndex { row in
                row.start.text.withUnsafeBytes { row.start.key.compare(in: $0, to: start, in: text) == 0 }
            })
    }

    func directory() -> BlockDirectory {
        let sorted = rows.sorted { left, right in
            left.start.text.withUnsafeBytes { leftText in
                right.start.text.withUnsafeBytes {
                    left.start.key.compare(in: leftText, to: right.start.key, in: $0) < 0
                }
            }
        }
        var directory = BlockDirectory()
        for row in sorted {
            row.start.text.withUnsafeBytes {
                directory.append(row.start.key, $0, kind: kind, count: Int32(row.count), number: row.number)
            }
        }
        return directory
    }
}
