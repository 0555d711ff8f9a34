import Base

/// The ids of texts that contain an n-gram, encoded. A blob of the index is a sequence of posting lists:
///
///     number of characters: 1 byte
///     each character:       varint
///     length of the rest:   varint, in bytes
///     each id:              varint, the difference from the id before (from 0 for the first)
///                           and, if the n-gram has offsets, the offset: 1 byte
///
/// Ids ascend within a list. An n-gram may have several lists in its bucket.
package struct PostingList {
    package let ngram: NGram
    /// The encoded ids and offsets.
    let postings: UnsafeRawBufferPointer
    /// A list is split when its postings take more bytes than this, so that blobs can be filled.
    static let maxBytes = 1900

    /// The list of `ngram` with postings as a ``PostingBuilder`` encodes them.
    init(_ ngram: NGram, _ postings: UnsafeRawBufferPointer) {
        self.ngram = ngram
        self.postings = postings
    }

    /// Reads the list at `index` of a blob and moves `index` past it. Returns `nil` at the end, and if the bytes are
    /// not a list.
    package init?(_ blob: UnsafeRawBufferPointer, at index: inout Int) {
        guard index < blob.count else { return nil }
        let length = Int(blob[index])
        index += 1
        var code: UInt64 = 0
        for position in 0..<Swift.min(length, NGram.maxLength) {
            guard let scalar = blob.varint(at: &index), scalar < 1 << 21 else { return nil }
            code |= scalar << UInt64(21 * position)
        }
        guard length <= NGram.maxLength, let postings = blob.counted(at: &index) else { return nil }
        ngram = NGram(code: code)
        self.postings = postings
    }
}

// MARK: - Offsets

extension PostingList {
    /// The offset that says nothing about where an n-gram is.
    package static let unknownOffset = UInt8.max

    /// Returns the offset of an n-gram whose first occurrence ends at character `end`, if a byte can hold it.
    ///
    /// A word of more than three characters is in a text if its n-grams follow each other there. The first occurrences
    /// do so in most texts that match, and these need not be read. Others may still have the word at a later
    /// occurrence.
    @inline(__always) package static func offset(_ end: Int) -> UInt8 {
        end < Int(unknownOffset) - 1 ? UInt8(end) : unknownOffset
    }
}

// MARK: - Reading

extension PostingList {
    /// Calls `body` with each id, ascending.
    @inline(__always) package func forEachID(_ body: (Int64) -> Void) {
        let hasOffsets = ngram.hasOffset
        let (count, step): (Int, UInt64) = hasOffsets ? (4, 16) : (8, 8)
        var index = 0
        var id: UInt64 = 0
        while true {
            // In the list of a frequent n-gram most differences take one byte. Reading eight bytes at a time halves the
            // cost.
            while let eight = postings.eightBytes(at: index, hasOffsets: hasOffsets) {
                var rest = eight
                for _ in 0..<count {
                    id &+= rest & 0xFF
                    rest &>>= step
                    body(Int64(truncatingIfNeeded: id))
                }
                index &+= 8
            }
            guard let difference = postings.difference(at: &index) else { return }
            id &+= difference
            if hasOffsets { index &+= 1 }
            body(Int64(truncatingIfNeeded: id))
        }
    }

    /// Calls `body` with each id up to `last`, ascending, and the offset of the n-gram in that text. Some ids after
    /// `last` may follow.
    ///
    /// `body` returns the next id that it wants. Some of the ids below that one are left out.
    @inline(__always) package func forEach(
        through last: Int64 = .max, _ body: (_ id: Int64, _ offset: UInt8) -> Int64
    ) {
        let hasOffsets = ngram.hasOffset
        var index = 0
        var id: UInt64 = 0
        var offset = Self.unknownOffset
        var wanted: Int64 = 0
        while true {
            while let eight = postings.eightBytes(at: index, hasOffsets: hasOffsets) {
                let end = id &+ (hasOffsets ? eight.sumOfLowerBytes : eight.sumOfBytes)
                index &+= 8
                for shift in stride(from: UInt64(0), to: 64, by: hasOffsets ? 16 : 8)
                where Int64(truncatingIfNeeded: end) >= wanted {
                    id &+= eight >> shift & 0xFF
                    if hasOffsets { offset = UInt8(truncatingIfNeeded: eight >> (shift &+ 8)) }
                    if Int64(truncatingIfNeeded: id) >= wanted { wanted = body(Int64(truncatingIfNeeded: id), offset) }
                }
                id = end
            }
            if Int64(truncatingIfNeeded: id) >= last { return }
            guard let difference = postings.difference(at: &index) else { return }
            id &+= difference
            if hasOffsets {
                guard index < postings.count else { return }
                offset = postings[index]
                index &+= 1
            }
            wanted = body(Int64(truncatingIfNeeded: id), offset)
        }
    }
}

extension UInt64 {
    /// The sum of the eight bytes. Each must be at most 127.
    @inline(__always) fileprivate var sumOfBytes: UInt64 {
        let pairs = (self & 0x00FF_00FF_00FF_00FF) &+ (self >> 8 & 0x00FF_00FF_00FF_00FF)
        return (pairs &* 0x0001_0001_0001_0001) >> 48
    }

    /// The sum of the lower bytes of the four pairs. Each must be at most 127.
    @inline(__always) fileprivate var sumOfLowerBytes: UInt64 {
        ((self & 0x00FF_00FF_00FF_00FF) &* 0x0001_0001_0001_0001) >> 48
    }
}

extension UnsafeRawBufferPointer {
    /// Reads a varint, one of up to eight bytes all at once: where ids are far apart, most differences have seven.
    @inline(__always) fileprivate func difference(at index: inout Int) -> UInt64? {
        guard count &- index >= 8 else { return varint(at: &index) }
        let eight = UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
        // The highest bit of each byte but the last is set.
        let ends = ~eight & 0x8080_8080_8080_8080
        if ends == 0 { return varint(at: &index) }
        index &+= ends.trailingZeroBitCount / 8 &+ 1
        // Groups of 7 bits are joined to groups of 14, 28 and 56.
        var bits = eight & (ends ^ (ends &- 1)) & 0x7F7F_7F7F_7F7F_7F7F
        bits = bits & 0x007F_007F_007F_007F | (bits & 0x7F00_7F00_7F00_7F00) >> 1
        bits = bits & 0x0000_3FFF_0000_3FFF | (bits & 0x3FFF_0000_3FFF_0000) >> 2
        return bits & 0x0000_0000_0FFF_FFFF | (bits & 0x0FFF_FFFF_0000_0000) >> 4
    }

    /// Returns the eight bytes at `index`, the first one lowest, if they are eight differences of one byte or, with
    /// offsets, four differences of one byte with their offsets.
    @inline(__always) fileprivate func eightBytes(at index: Int, hasOffsets: Bool) -> UInt64? {
        guard count &- index >= 8 else { return nil }
        let eight = UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let continued: UInt64 = hasOffsets ? 0x0080_0080_0080_0080 : 0x8080_8080_8080_8080
        return eight & continued == 0 ? eight : nil
    }
}

extension ByteBuffer {
    /// Appends the posting lists of `ngram` with `postings`, whose ids ascend. `scratch` is overwritten.
    package func append(
        _ ngram: NGram, _ postings: some Sequence<(id: Int64, offset: UInt8)>, scratch: ByteBuffer
    ) {
        scratch.removeAll()
        var last: Int64 = 0
        for (id, offset) in postings {
            if scratch.count > PostingList.maxBytes {
                append(ngram, scratch.bytes)
                scratch.removeAll()
                last = 0
            }
            scratch.append(varint: UInt64(bitPattern: id &- last))
            if ngram.hasOffset { scratch.append(offset) }
            last = id
        }
        guard !scratch.isEmpty else { return }
        append(ngram, scratch.bytes)
    }

    /// Appends a posting list whose `postings` are encoded.
    func append(_ ngram: NGram, _ postings: UnsafeRawBufferPointer) {
        let length = ngram.code >> 42 != 0 ? 3 : ngram.code >> 21 != 0 ? 2 : 1
        append(UInt8(length))
        for position in 0..<length { append(varint: ngram.code >> UInt64(21 * position) & 0x1F_FFFF) }
        append(counted: postings)
    }
}

/// The n-grams that together make up a word of more than ``NGram/maxLength`` characters.
package struct Phrase {
    /// An n-gram, and its distance from the first one, in characters.
    package typealias Part = (ngram: NGram, distance: Int)

    /// As few n-grams as cover every character of the word. A text that has each of them at its distance has the word.
    package let parts: [Part]

    /// The phrase of `word`, which has at least ``NGram/maxLength`` characters.
    package init(_ word: [Unicode.Scalar]) {
        let last = word.count - NGram.maxLength
        let distances = stride(from: 0, to: last, by: NGram.maxLength) + [last]
        parts = distances.map { (NGram(word[$0..<($0 + NGram.maxLength)]), $0) }
    }

    /// The phrase of a mark and a word of at least ``NGram/maxLength`` characters after it.
    package init(_ mark: NGram.Mark, before word: [Unicode.Scalar]) {
        // The n-gram of the mark ends one character before the first one of the word.
        let start: Part = (NGram(mark, before: word.prefix(NGram.maxLength - 1)), 0)
        parts = [start] + Phrase(word).parts.map { ($0.ngram, $0.distance + 1) }
    }
}

/// Finds the texts that contain a ``Phrase`` by the offsets of its n-grams (phrase matching).
///
/// Only the first occurrence of an n-gram has an offset, so the matcher proves a match and never disproves one. Texts
/// are named by their rank in the set of ids that is examined.
package struct PhraseMatcher {
    /// The offset of the first part, by rank.
    private var starts: [UInt8]
    /// The number of parts found at their distance, by rank.
    private var foundParts: [UInt8]

    package init(count: Int) {
        starts = [UInt8](repeating: PostingList.unknownOffset, count: count)
        foundParts = [UInt8](repeating: 0, count: count)
    }

    /// Takes the offset of `part` in the text with `rank`. The parts come in ascending order of their `number`.
    @inline(__always) package mutating func add(
        _ offset: UInt8, rank: Int, of part: Phrase.Part, number: Int
    ) {
        guard offset != PostingList.unknownOffset, Int(foundParts[rank]) == number else { return }
        if number == 0 {
            starts[rank] = offset
        } else if Int(offset) != Int(starts[rank]) + part.distance {
            return
        }
        foundParts[rank] += 1
    }

    package func isMatch(_ rank: Int, _ phrase: Phrase) -> Bool { Int(foundParts[rank]) == phrase.parts.count }
}
