import Bytes

/// A run of users who have a gram, as the rows of the search index hold it, one after the other:
///
///     number of characters: 1 byte; each character: varint; bytes that follow: varint; first id: varint; and what is
///     added for each next one: varint
///
/// Varints have seven bits a byte, the lowest first, and the eighth where more follow. Of grams that have a place each id is
/// followed by it: 1 byte (see ``place(_:)``).
struct PostingList {
    let ngram: NGram
    /// The ids, encoded.
    let ids: UnsafeRawBufferPointer
    /// An entry is split where its ids take more: so every row can be filled.
    static let maxBytes = 1900

    /// With ids as a ``PostingBuilder`` encodes them.
    init(_ ngram: NGram, _ ids: UnsafeRawBufferPointer) {
        self.ngram = ngram
        self.ids = ids
    }

    /// Reads the entry at `index` of a row, which moves past it; `nil` at the end, and where bytes are not as above.
    init?(_ row: UnsafeRawBufferPointer, at index: inout Int) {
        guard index < row.count else { return nil }
        let length = Int(row[index])
        index += 1
        var code: UInt64 = 0
        for position in 0..<Swift.min(length, NGram.maxLength) {
            guard let scalar = row.varint(at: &index), scalar < 1 << 21 else { return nil }
            code |= scalar << UInt64(21 * position)
        }
        guard length <= NGram.maxLength, let size = row.varint(at: &index), size <= UInt64(row.count - index) else {
            return nil
        }
        ngram = NGram(code: code)
        ids = UnsafeRawBufferPointer(rebasing: row[index..<(index + Int(size))])
        index += Int(size)
    }

}

// MARK: - Places

extension PostingList {
    /// Says nothing of where a gram stands.
    static let unknownPlace = UInt8.max

    /// The place of a gram that first ends at character `end` of a text, where a byte can say it.
    ///
    /// A word of more than three letters is there if its grams stand one after the other. Where they do by their first places,
    /// as for most who match, no text need be read; where not, one may still have a gram elsewhere a second time.
    @inline(__always) static func place(_ end: Int) -> UInt8 { end < Int(unknownPlace) - 1 ? UInt8(end) : unknownPlace }
}

// MARK: - Reading

extension PostingList {
    /// Calls `body` with each id, ascending.
    @inline(__always) func forEachID(_ body: (Int64) -> Void) {
        let hasPlaces = ngram.hasPlace
        var index = 0
        var id: UInt64 = 0
        while true {
            // Of a gram that many have, most bytes are an id: eight at a time take half as long.
            while !hasPlaces, let eight = ids.eightSteps(at: index) {
                for shift in stride(from: UInt64(0), to: 64, by: 8) {
                    id &+= eight >> shift & 0xFF
                    body(Int64(truncatingIfNeeded: id))
                }
                index &+= 8
            }
            guard let step = ids.varint(at: &index) else { return }
            id &+= step
            if hasPlaces { index &+= 1 }
            body(Int64(truncatingIfNeeded: id))
        }
    }

    /// Calls `body` with each id, ascending, and the place of the gram in the user's text; leaves out some that are less than what
    /// `body` answers, the next id that it is for.
    @inline(__always) func forEach(_ body: (_ id: Int64, _ place: UInt8) -> Int64) {
        let hasPlaces = ngram.hasPlace
        var index = 0
        var id: UInt64 = 0
        var place = Self.unknownPlace
        var wanted: Int64 = 0
        while true {
            while !hasPlaces, let eight = ids.eightSteps(at: index) {
                let last = id &+ eight.sumOfBytes
                index &+= 8
                for shift in stride(from: UInt64(0), to: 64, by: 8) where Int64(truncatingIfNeeded: last) >= wanted {
                    id &+= eight >> shift & 0xFF
                    if Int64(truncatingIfNeeded: id) >= wanted { wanted = body(Int64(truncatingIfNeeded: id), place) }
                }
                id = last
            }
            guard let step = ids.varint(at: &index) else { return }
            id &+= step
            if hasPlaces {
                guard index < ids.count else { return }
                place = ids[index]
                index &+= 1
            }
            wanted = body(Int64(truncatingIfNeeded: id), place)
        }
    }
}

// MARK: - Writing

extension ByteBuffer {
    /// Appends the entries of `users`, who ascend.
    func append(_ ngram: NGram, _ users: some Sequence<(id: Int64, place: UInt8)>, scratch: ByteBuffer) {
        scratch.removeAll()
        var last: Int64 = 0
        for (id, place) in users {
            if scratch.count > PostingList.maxBytes {
                append(ngram, scratch.bytes)
                scratch.removeAll()
                last = 0
            }
            scratch.append(varint: UInt64(bitPattern: id &- last))
            if ngram.hasPlace { scratch.append(place) }
            last = id
        }
        guard !scratch.isEmpty else { return }
        append(ngram, scratch.bytes)
    }

    /// Appends an entry whose `ids` are encoded.
    func append(_ ngram: NGram, _ ids: UnsafeRawBufferPointer) {
        let length = ngram.code >> 42 != 0 ? 3 : ngram.code >> 21 != 0 ? 2 : 1
        append(UInt8(length))
        for position in 0..<length { append(varint: ngram.code >> UInt64(21 * position) & 0x1F_FFFF) }
        append(varint: UInt64(ids.count))
        append(ids)
    }

    private func append(varint number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}

extension UInt64 {
    /// The sum of the eight bytes, none of which is more than 127.
    @inline(__always) fileprivate var sumOfBytes: UInt64 {
        let pairs = (self & 0x00FF_00FF_00FF_00FF) &+ (self >> 8 & 0x00FF_00FF_00FF_00FF)
        return (pairs &* 0x0001_0001_0001_0001) >> 48
    }
}

extension UnsafeRawBufferPointer {
    /// The eight bytes at `index`, the first one lowest, if each of them is a varint.
    @inline(__always) fileprivate func eightSteps(at index: Int) -> UInt64? {
        guard count &- index >= 8 else { return nil }
        let eight = UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
        return eight & 0x8080_8080_8080_8080 == 0 ? eight : nil
    }

    /// The number at `index`, which moves past it; `nil` at the end.
    @inline(__always) fileprivate func varint(at index: inout Int) -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while index < count, shift < 64 {
            let byte = self[index]
            index += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return nil
    }
}
