import Bytes
import Directories

/// Which users have which grams: made user by user, then read gram by gram, as the entries that the index holds.
///
/// This runs for every character of an import, and mostly waits for memory. So the places of all of a user's grams are
/// looked up before any of them is used, and ids are encoded at once, in chunks that lie where there is room.
///
/// A class on raw memory, because the checks of arrays took half of the time; confined to one thread at a time.
final class PostingBuilder {
    /// One entry to be: a gram, and where its ids are.
    private struct List {
        var ngram: NGram
        var lastID: Int64 = 0
        /// How many bytes its ids take.
        var count: UInt32 = 0
        /// In the arena: its first chunk, where the next byte goes, and where the last chunk ends.
        var first: UInt32 = 0
        var position: UInt32 = 0
        var end: UInt32 = 0
    }

    /// A place of the hash table: the list of a gram that is appended to, -1 for no gram; and what of its hash is not told
    /// by the place, so that most others are passed without a look at their lists.
    private struct Place {
        var tag: UInt32
        var list: Int32

        static let free = Place(tag: 0, list: -1)
    }

    private var lists = UnsafeMutableBufferPointer<List>.allocate(capacity: 1 << 11)
    private var count = 0
    /// An open hash table; its size is a power of two, and at most half of it is taken.
    private var table = UnsafeMutableBufferPointer<Place>.allocate(capacity: 1 << 12)
    private var taken = 0
    /// Chunks: encoded ids, then where the next one begins (4 bytes).
    private let arena = ByteBuffer(capacity: 1 << 16)
    /// The lists of a user's grams, and where in the text each gram stands.
    private var found = UnsafeMutableBufferPointer<(list: Int32, place: UInt8)>.allocate(capacity: 1 << 8)

    init() { table.initialize(repeating: .free) }

    deinit {
        lists.deallocate()
        table.deallocate()
        found.deallocate()
    }

    var isEmpty: Bool { count == 0 }

    /// Forgets everything and keeps the memory.
    func removeAll() {
        if isEmpty { return }
        (count, taken) = (0, 0)
        arena.removeAll()
        table.update(repeating: .free)
    }

    /// Takes a user with the folded `text`, and with values of facets.
    func add(_ id: Int64, _ text: UnsafeRawBufferPointer, _ facets: UserFacets = UserFacets()) {
        // Three grams a character at most.
        let most = text.count * 3 + UserFacets.most
        if found.count < most {
            found.deallocate()
            found = .allocate(capacity: most * 2)
        }
        var ngrams = 0
        text.forEachGram { ngram, end in
            found[ngrams] = (list(of: ngram), PostingList.place(end))
            ngrams += 1
        }
        facets.forEach { facet, number in
            found[ngrams] = (list(of: NGram(facet, number)), PostingList.unknownPlace)
            ngrams += 1
        }
        for index in 0..<ngrams { append(id, found[index].place, to: found[index].list) }
    }

    /// The list that the gram's next id goes to.
    @inline(__always) private func list(of ngram: NGram) -> Int32 {
        let hash = ngram.hash
        let tag = UInt32(truncatingIfNeeded: hash)
        var place = firstPlace(of: hash)
        while table[place].list >= 0 {
            let list = table[place].list
            if table[place].tag == tag, lists[Int(list)].ngram == ngram {
                return lists[Int(list)].count <= PostingList.maxBytes ? list : addList(of: ngram, tag, at: place)
            }
            place = (place + 1) & (table.count - 1)
        }
        return addList(of: ngram, tag, at: place)
    }

    /// Where looking for a gram begins.
    @inline(__always) private func firstPlace(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash >> 32) & (table.count - 1)
    }

    @inline(never) private func addList(of ngram: NGram, _ tag: UInt32, at place: Int) -> Int32 {
        if count == lists.count { lists = Self.moved(lists, count) }
        lists.initializeElement(at: count, to: List(ngram: ngram))
        if table[place].list < 0 { taken += 1 }
        table[place] = Place(tag: tag, list: Int32(count))
        count += 1
        if taken * 2 > table.count { growTable() }
        return Int32(count - 1)
    }

    private static func moved(_ lists: UnsafeMutableBufferPointer<List>, _ count: Int) -> UnsafeMutableBufferPointer<
        List
    > {
        let moved = UnsafeMutableBufferPointer<List>.allocate(capacity: lists.count * 2)
        _ = moved.moveInitialize(fromContentsOf: lists[..<count])
        lists.deallocate()
        return moved
    }

    private func growTable() {
        let old = table
        table = .allocate(capacity: old.count * 2)
        table.initialize(repeating: .free)
        for taken in old where taken.list >= 0 {
            var place = firstPlace(of: lists[Int(taken.list)].ngram.hash)
            while table[place].list >= 0 { place = (place + 1) & (table.count - 1) }
            table[place] = taken
        }
        old.deallocate()
    }

    @inline(__always) private func append(_ id: Int64, _ place: UInt8, to number: Int32) {
        let list = lists.baseAddress.unsafelyUnwrapped + Int(number)
        if list.pointee.lastID == id, list.pointee.count > 0 { return }
        var rest = UInt64(bitPattern: id &- list.pointee.lastID)
        list.pointee.lastID = id
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80, to: list)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest), to: list)
        if list.pointee.ngram.hasPlace { append(place, to: list) }
    }

    @inline(__always) private func append(_ byte: UInt8, to list: UnsafeMutablePointer<List>) {
        if list.pointee.position == list.pointee.end { addChunk(to: list) }
        arena.base.storeBytes(of: byte, toByteOffset: Int(list.pointee.position), as: UInt8.self)
        list.pointee.position += 1
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
        list.pointee.position = UInt32(start)
        list.pointee.end = UInt32(start + size)
    }

    /// Chunks grow with their lists: most grams are rare, and most ids are of frequent ones. A multiple of four.
    private static func chunkSize(after count: UInt32) -> Int { Int(min(max(count & ~3, 12), 252)) }
}

// MARK: - Reading

extension PostingBuilder {
    /// Calls `body` with every bucket that has grams of the batch, ascending, and with its lists; of several lists of one
    /// gram, the earlier ones come first.
    func forEachBucket(_ body: (_ bucket: Int, _ lists: ArraySlice<Int32>) throws -> Void) rethrows {
        var starts = [Int](repeating: 0, count: NGram.buckets + 1)
        for list in lists[..<count] { starts[list.ngram.bucket + 1] += 1 }
        for bucket in 0..<NGram.buckets { starts[bucket + 1] += starts[bucket] }
        var places = starts
        var sorted = [Int32](repeating: 0, count: count)
        for number in 0..<count {
            let bucket = lists[number].ngram.bucket
            sorted[places[bucket]] = Int32(number)
            places[bucket] += 1
        }
        for bucket in 0..<NGram.buckets where starts[bucket] < starts[bucket + 1] {
            try body(bucket, sorted[starts[bucket]..<starts[bucket + 1]])
        }
    }

    func ngram(of list: Int32) -> NGram { lists[Int(list)].ngram }

    /// Appends the ids of a list, as ``PostingList`` has them, to `bytes`.
    func appendIDs(of list: Int32, to bytes: ByteBuffer) {
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
