import Base

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
        append(varint: UInt64(postings.count))
        append(postings)
    }
}
