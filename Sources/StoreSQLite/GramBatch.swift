import Bytes

/// Which users of a batch have which grams: made user by user, then read gram by gram.
///
/// Grams are numbered as they come, and sorted by counting: this runs for every character of an import.
struct GramBatch {
    /// The grams, by number.
    private(set) var grams: [Gram] = []
    private var counts: [Int32] = []
    /// The last user who was seen to have the gram: most come more than once in a name.
    private var lastUsers: [Int32] = []
    /// The users, in the order in which they came.
    private(set) var ids: [Int64] = []
    /// What each user has, by number, one user after the other; and where each user's end.
    private var numbers: [Int32] = []
    private var ends: [Int] = []
    /// An open hash table of numbers, -1 where there is none; a power of two, at most half full.
    private var table = [Int32](repeating: -1, count: 1 << 12)

    var isEmpty: Bool { ids.isEmpty }

    /// Forgets everything and keeps the memory.
    mutating func removeAll() {
        if ids.isEmpty { return }
        grams.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
        lastUsers.removeAll(keepingCapacity: true)
        ids.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        for index in table.indices { table[index] = -1 }
    }

    /// Takes a user with the folded `text`. Ids ascend.
    mutating func add(_ id: Int64, _ text: UnsafeRawBufferPointer) {
        let user = Int32(ids.count)
        ids.append(id)
        text.forEachGram { gram in
            let number = number(of: gram)
            if lastUsers[Int(number)] == user { return }
            lastUsers[Int(number)] = user
            counts[Int(number)] += 1
            numbers.append(number)
        }
        ends.append(numbers.count)
    }

    @inline(__always) private mutating func number(of gram: Gram) -> Int32 {
        var slot = Int(truncatingIfNeeded: gram.code &* 0x9E37_79B9_7F4A_7C15 >> 24) & (table.count - 1)
        while table[slot] >= 0 {
            if grams[Int(table[slot])] == gram { return table[slot] }
            slot = (slot + 1) & (table.count - 1)
        }
        let number = Int32(grams.count)
        table[slot] = number
        grams.append(gram)
        counts.append(0)
        lastUsers.append(-1)
        if grams.count * 2 > table.count { grow() }
        return number
    }

    @inline(never) private mutating func grow() {
        table = [Int32](repeating: -1, count: table.count * 2)
        for (number, gram) in grams.enumerated() {
            var slot = Int(truncatingIfNeeded: gram.code &* 0x9E37_79B9_7F4A_7C15 >> 24) & (table.count - 1)
            while table[slot] >= 0 { slot = (slot + 1) & (table.count - 1) }
            table[slot] = Int32(number)
        }
    }

    /// Calls `body` with every bucket that has grams of the batch, ascending, and with the numbers of these grams.
    func forEachBucket(_ body: (_ bucket: Int, _ numbers: ArraySlice<Int32>) throws -> Void) rethrows {
        let sorted = grams.indices.map { Int32($0) }.sorted { grams[Int($0)].bucket < grams[Int($1)].bucket }
        var start = 0
        while start < sorted.count {
            let bucket = grams[Int(sorted[start])].bucket
            var end = start + 1
            while end < sorted.count, grams[Int(sorted[end])].bucket == bucket { end += 1 }
            try body(bucket, sorted[start..<end])
            start = end
        }
    }

    /// The places of each gram's users in ``ids``, gram after gram, by number: those of gram `n` are at
    /// `starts[n]..<starts[n + 1]`.
    func users() -> (users: [Int32], starts: [Int]) {
        var starts = [0]
        starts.reserveCapacity(counts.count + 1)
        for count in counts { starts.append(starts[starts.count - 1] + Int(count)) }
        var places = starts
        let users = [Int32](unsafeUninitializedCapacity: numbers.count) { room, count in
            var start = 0
            for user in ids.indices {
                for index in start..<ends[user] {
                    let number = Int(numbers[index])
                    room.initializeElement(at: places[number], to: Int32(user))
                    places[number] += 1
                }
                start = ends[user]
            }
            count = numbers.count
        }
        return (users, starts)
    }
}
