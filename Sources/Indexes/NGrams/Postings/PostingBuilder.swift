import Base

/// The posting lists of a batch of texts: filled text by text, then read n-gram by n-gram.
///
/// This runs for every character of an import and mostly waits for memory. So the list of every n-gram of a text is
/// looked up before the first one is used, and ids are encoded at once, into chunks of an arena.
///
/// A class on raw memory, because the checks of arrays took half of the time. Confined to one thread at a time.
package final class PostingBuilder {
    /// A posting list that is being built.
    private struct List {
        var ngram: NGram
        var lastID: Int64 = 0
        /// The number of encoded bytes.
        var count: UInt32 = 0
        /// Offsets in the arena: the first chunk, the next byte to write, and the end of the last chunk.
        var first: UInt32 = 0
        var next: UInt32 = 0
        var end: UInt32 = 0
    }

    /// A slot of the hash table: the list that the n-gram's next id goes to, or -1 in a free slot, and the part of the
    /// hash that does not choose the slot, which rules out most other n-grams without reading their lists.
    private struct Slot {
        var tag: UInt32
        var list: Int32

        static let free = Slot(tag: 0, list: -1)
    }

    // Unchecked exclusivity: each access is a single load or store, and none lasts while other code runs. A builder
    // belongs to one thread at a time. (The checks took a tenth of the time.)

    @exclusivity(unchecked) private var lists = UnsafeMutableBufferPointer<List>.allocate(capacity: 1 << 11)
    @exclusivity(unchecked) private var count = 0
    /// A hash table with linear probing. Its size is a power of two, and at most half of the slots are in use.
    @exclusivity(unchecked) private var table = UnsafeMutableBufferPointer<Slot>.allocate(capacity: 1 << 12)
    @exclusivity(unchecked) private var usedSlots = 0
    /// Chunks: encoded postings, then the offset of the next chunk (4 bytes).
    private let arena = ByteBuffer(capacity: 1 << 16)
    /// The lists of one text's n-grams, and the offset of each n-gram.
    @exclusivity(unchecked)
    private var found = UnsafeMutableBufferPointer<(list: Int32, offset: UInt8)>.allocate(capacity: 1 << 8)

    package init() { table.initialize(repeating: .free) }

    deinit {
        lists.deallocate()
        table.deallocate()
        found.deallocate()
    }

    package var isEmpty: Bool { count == 0 }

    /// Removes all postings and keeps the memory.
    package func removeAll() {
        if isEmpty { return }
        (count, usedSlots) = (0, 0)
        arena.removeAll()
        table.update(repeating: .free)
    }

    /// Adds the n-grams of `text`, and `tags`, under `id`. Ids must ascend.
    package func add(_ id: Int64, _ text: UnsafeRawBufferPointer, tags: ArraySlice<NGram> = []) {
        // A character ends at most six n-grams: three without a mark, two after a mark, and one before the end.
        let maxCount = text.count * 6 + tags.count
        if found.count < maxCount {
            found.deallocate()
            found = .allocate(capacity: maxCount * 2)
        }
        var ngrams = 0
        text.forEachNGram { ngram, end in
            found[ngrams] = (list(of: ngram), PostingList.offset(end))
            ngrams += 1
        }
        for tag in tags {
            found[ngrams] = (list(of: tag), PostingList.unknownOffset)
            ngrams += 1
        }
        for index in 0..<ngrams { append(id, found[index].offset, to: found[index].list) }
    }

    /// Returns the list that the n-gram's next id goes to.
    @inline(__always) private func list(of ngram: NGram) -> Int32 {
        let hash = ngram.hash
        let tag = UInt32(truncatingIfNeeded: hash)
        var slot = firstSlot(of: hash)
        while table[slot].list >= 0 {
            let list = table[slot].list
            if table[slot].tag == tag, lists[Int(list)].ngram == ngram {
                return lists[Int(list)].count <= PostingList.maxBytes ? list : addList(of: ngram, tag, at: slot)
            }
            slot = (slot + 1) & (table.count - 1)
        }
        return addList(of: ngram, tag, at: slot)
    }

    /// The slot at which probing for a hash begins.
    @inline(__always) private func firstSlot(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash >> 32) & (table.count - 1)
    }

    @inline(never) private func addList(of ngram: NGram, _ tag: UInt32, at slot: Int) -> Int32 {
        if count == lists.count { growLists() }
        lists.initializeElement(at: count, to: List(ngram: ngram))
        if table[slot].list < 0 { usedSlots += 1 }
        table[slot] = Slot(tag: tag, list: Int32(count))
        count += 1
        if usedSlots * 2 > table.count { growTable() }
        return Int32(count - 1)
    }

    private func growLists() {
        let old = lists
        lists = .allocate(capacity: old.count * 2)
        _ = lists.moveInitialize(fromContentsOf: old[..<count])
        old.deallocate()
    }

    private func growTable() {
        let old = table
        table = .allocate(capacity: old.count * 2)
        table.initialize(repeating: .free)
        for used in old where used.list >= 0 {
            var slot = firstSlot(of: lists[Int(used.list)].ngram.hash)
            while table[slot].list >= 0 { slot = (slot + 1) & (table.count - 1) }
            table[slot] = used
        }
        old.deallocate()
    }

    @inline(__always) private func append(_ id: Int64, _ offset: UInt8, to number: Int32) {
        let list = lists.baseAddress.unsafelyUnwrapped + Int(number)
        if list.pointee.lastID == id, list.pointee.count > 0 { return }
        var rest = UInt64(bitPattern: id &- list.pointee.lastID)
        list.pointee.lastID = id
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80, to: list)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest), to: list)
        if list.pointee.ngram.hasOffset { append(offset, to: list) }
    }

    @inline(__always) private func append(_ byte: UInt8, to list: UnsafeMutablePointer<List>) {
        if list.pointee.next == list.pointee.end { addChunk(to: list) }
        arena.base.storeBytes(of: byte, toByteOffset: Int(list.pointee.next), as: UInt8.self)
        list.pointee.next += 1
        list.pointee.count += 1
    }

    @inline(never) private func addChunk(to list: UnsafeMutablePointer<List>) {
        let size = Self.chunkSize(after: list.pointee.count)
        let start = arena.count
        arena.append(upTo: size + 4) { _ in size + 4 }
        if list.pointee.count == 0 {
            list.pointee.first = UInt32(start)
        } else {
            (arena.base + Int(list.pointee.end)).storeBytes(of: UInt32(start), as: UInt32.self)
        }
        list.pointee.next = UInt32(start)
        list.pointee.end = UInt32(start + size)
    }

    /// Chunks grow with their list: most n-grams are rare, and most ids belong to frequent ones. A multiple of four.
    private static func chunkSize(after count: UInt32) -> Int { Int(min(max(count & ~3, 12), 252)) }
}

// MARK: - Reading

extension PostingBuilder {
    /// The buckets that have n-grams of the batch, ascending.
    package var buckets: [Int] {
        var isUsed = [Bool](repeating: false, count: NGram.bucketCount)
        for list in lists[..<count] { isUsed[list.ngram.bucket] = true }
        return isUsed.indices.filter { isUsed[$0] }
    }

    /// Calls `body` with every bucket that has n-grams of the batch, ascending, and the numbers of its lists. Several
    /// lists of one n-gram come in the order of their ids.
    package func forEachBucket(_ body: (_ bucket: Int, _ lists: ArraySlice<Int32>) throws -> Void) rethrows {
        // A counting sort of the lists by bucket.
        var starts = [Int](repeating: 0, count: NGram.bucketCount + 1)
        for list in lists[..<count] { starts[list.ngram.bucket + 1] += 1 }
        for bucket in 0..<NGram.bucketCount { starts[bucket + 1] += starts[bucket] }
        var next = starts
        var sorted = [Int32](repeating: 0, count: count)
        for number in 0..<count {
            let bucket = lists[number].ngram.bucket
            sorted[next[bucket]] = Int32(number)
            next[bucket] += 1
        }
        for bucket in 0..<NGram.bucketCount where starts[bucket] < starts[bucket + 1] {
            try body(bucket, sorted[starts[bucket]..<starts[bucket + 1]])
        }
    }

    package func ngram(of list: Int32) -> NGram { lists[Int(list)].ngram }

    /// Appends the postings of a list to `bytes`, encoded as in a ``PostingList``.
    func appendPostings(of list: Int32, to bytes: ByteBuffer) {
        let list = lists[Int(list)]
        var (chunk, read) = (Int(list.first), UInt32(0))
        while read < list.count {
            let size = Self.chunkSize(after: read)
            let count = min(size, Int(list.count - read))
            bytes.append(UnsafeRawBufferPointer(rebasing: arena.bytes[chunk..<(chunk + count)]))
            read += UInt32(count)
            if read < list.count { chunk = Int(arena.bytes.load(fromByteOffset: chunk + size, as: UInt32.self)) }
        }
    }
}
