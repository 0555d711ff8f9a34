import Bytes

/// A run of users who have a gram, as the rows of the search index hold it, one after the other:
///
///     number of characters: 1 byte; each character: varint; bytes that follow: varint; first id: varint; and what is
///     added for each next one: varint
///
/// Varints have seven bits a byte, the lowest first, and the eighth where more follow.
struct GramEntry {
    var gram: Gram
    /// The ids, encoded.
    var ids: UnsafeRawBufferPointer

    /// An entry is split where its ids take more: so every row can be filled.
    static let maxBytes = 1900

    init(_ gram: Gram, _ ids: UnsafeRawBufferPointer) {
        self.gram = gram
        self.ids = ids
    }

    /// Reads the entry at `index` of a row, which moves past it; `nil` at the end, and where bytes are not as above.
    init?(_ row: UnsafeRawBufferPointer, at index: inout Int) {
        guard index < row.count else { return nil }
        let length = Int(row[index])
        index += 1
        var code: UInt64 = 0
        for position in 0..<Swift.min(length, Gram.maxLength) {
            guard let scalar = row.varint(at: &index), scalar < 1 << 21 else { return nil }
            code |= scalar << UInt64(21 * position)
        }
        guard length <= Gram.maxLength, let size = row.varint(at: &index), size <= UInt64(row.count - index) else {
            return nil
        }
        gram = Gram(code: code)
        ids = UnsafeRawBufferPointer(rebasing: row[index..<(index + Int(size))])
        index += Int(size)
    }

    /// Calls `body` with each id, ascending.
    @inline(__always) func forEachID(_ body: (Int64) -> Void) {
        var index = 0
        var id: UInt64 = 0
        while let step = ids.varint(at: &index) {
            id &+= step
            body(Int64(truncatingIfNeeded: id))
        }
    }
}

extension ByteBuffer {
    /// Appends the entries of `ids`, which ascend.
    func append(_ gram: Gram, _ ids: some Sequence<Int64>, scratch: ByteBuffer) {
        scratch.removeAll()
        var last: Int64 = 0
        for id in ids {
            if scratch.count > GramEntry.maxBytes {
                append(gram, scratch.bytes)
                scratch.removeAll()
                last = 0
            }
            scratch.append(varint: UInt64(bitPattern: id &- last))
            last = id
        }
        guard !scratch.isEmpty else { return }
        append(gram, scratch.bytes)
    }

    /// Appends an entry whose `ids` are encoded.
    func append(_ gram: Gram, _ ids: UnsafeRawBufferPointer) {
        let length = gram.code >> 42 != 0 ? 3 : gram.code >> 21 != 0 ? 2 : 1
        append(UInt8(length))
        for position in 0..<length { append(varint: gram.code >> UInt64(21 * position) & 0x1F_FFFF) }
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

extension UnsafeRawBufferPointer {
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
