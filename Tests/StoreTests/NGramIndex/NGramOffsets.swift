import Base
import Indexes

/// The content of an n-gram index: the offset of each n-gram in the text of each id.
struct NGramOffsets: Equatable {
    private var offsets: [NGram: [Int64: UInt8]] = [:]
    /// The rules of the index that its blobs break.
    private(set) var faults: [String] = []

    /// The same without the tags of filters and variants.
    var ofTexts: NGramOffsets {
        let kindOfTitles = NGram(title: UnsafeRawBufferPointer(start: nil, count: 0)).code >> 21
        var rest = self
        rest.offsets = offsets.filter { !$0.key.isTag || $0.key.code >> 21 == kindOfTitles }
        return rest
    }

    /// The offsets that the index in `storage` has.
    init(in storage: some BlobStorage) throws {
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
    init(of texts: [Int64: String]) {
        for (id, text) in texts {
            var start = 0
            for (number, line) in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated()
            {
                let isTitle = number < 2 || line.first == "\u{1}"
                insert(Array(line), isTitle: isTitle, at: start, of: id)
                start += line.count + 1
            }
        }
    }

    /// Inserts the n-grams of a line, which begins at character `start` of the text.
    private mutating func insert(_ line: [Unicode.Scalar], isTitle: Bool, at start: Int, of id: Int64) {
        let isSpace = { (index: Int) in !line.indices.contains(index) || line[index].value <= 0x20 }
        let isWord = { (index: Int) in
            !isSpace(index) && (line[index].properties.isAlphabetic || line[index].properties.numericType != nil)
        }
        let first = line.first == "\u{1}" ? 1 : 0
        for end in line.indices where !isSpace(end) {
            for length in 1...3 where !(0..<length).contains(where: { isSpace(end - $0) }) {
                insert(NGram(line[(end - length + 1)...end]), start + end, id)
            }
            let mark: NGram.Mark? = isTitle && end == first ? .title : isWord(end) && !isWord(end - 1) ? .word : nil
            if let mark {
                insert(NGram(mark, before: [line[end]]), start + end, id)
                if !isSpace(end + 1) { insert(NGram(mark, before: line[end...(end + 1)]), start + end + 1, id) }
            }
        }
        if isTitle, line.indices.contains(where: { !isSpace($0) }) {
            let title = String(String.UnicodeScalarView(line.dropFirst(first)))
            insert(Array(title.utf8).withUnsafeBytes(NGram.init(title:)), start + line.count, id)
        }
    }

    private mutating func insert(_ ngram: NGram, _ end: Int, _ id: Int64) {
        let offset = ngram.hasOffset && end < 254 ? UInt8(end) : PostingList.unknownOffset
        offsets[ngram, default: [:]][id] = min(offset, offsets[ngram]?[id] ?? offset)
    }
}
