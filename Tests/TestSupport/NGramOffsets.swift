import Bytes
import NGramIndex

/// The content of an n-gram index: the offset of each n-gram in the text of each id.
package struct NGramOffsets: Equatable {
    private var offsets: [NGram: [Int64: UInt8]] = [:]
    /// The rules of the index that its blobs break.
    package private(set) var faults: [String] = []

    /// The same without tags, which are in no text.
    package var withoutTags: NGramOffsets {
        var rest = self
        rest.offsets = offsets.filter { !$0.key.isTag }
        return rest
    }

    /// The offsets that the index in `storage` has.
    package init(in storage: some BlobStorage) throws {
        try storage.get(0..<Int64.max, isDescending: false) { number, blob in
            var index = 0
            while let list = PostingList(blob, at: &index) {
                if Int64(list.ngram.bucket) != number >> 32 { faults.append("\(list.ngram) is in blob \(number)") }
                var ids: [Int64] = []
                list.forEachID { ids.append($0) }
                var count = 0
                list.forEach { id, offset in
                    if offsets[list.ngram, default: [:]].updateValue(offset, forKey: id) != nil {
                        faults.append("\(list.ngram) has \(id) twice")
                    }
                    if !ids.indices.contains(count) || ids[count] != id { faults.append("\(list.ngram): \(ids)") }
                    count += 1
                    return id
                }
                if count != ids.count { faults.append("\(list.ngram) has \(count) ids, expected \(ids.count)") }
            }
            if index != blob.count { faults.append("blob \(number) ends at \(index), expected \(blob.count)") }
            return true
        }
    }

    /// The offsets that an index of `texts` has.
    package init(of texts: [Int64: String]) {
        for (id, text) in texts {
            let scalars = Array(text.unicodeScalars)
            for end in scalars.indices {
                for start in max(0, end - 2)...end
                where !scalars[start...end].contains(where: \.properties.isWhitespace) {
                    let ngram = NGram(scalars[start...end])
                    let offset = ngram.hasOffset && end < 254 ? UInt8(end) : PostingList.unknownOffset
                    if offsets[ngram]?[id] == nil { offsets[ngram, default: [:]][id] = offset }
                }
            }
        }
    }
}
