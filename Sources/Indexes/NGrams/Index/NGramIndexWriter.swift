import Base
import Dispatch
import Synchronization

/// Changes an n-gram index: adds and removes the texts of a batch.
///
/// Each blob holds ``PostingList``s of one bucket. The blobs of a bucket have consecutive numbers, and new lists are
/// appended to the last one. So a batch writes each bucket once, however many n-grams its texts have.
///
/// ```swift
/// let added = PostingBuilder()
/// Array("ada".utf8).withUnsafeBytes { added.add(1, $0) }
/// try NGramIndexWriter(storage).apply(added: added, removed: PostingBuilder())
/// ```
package struct NGramIndexWriter {
    private let storage: any BlobStorage
    /// A blob of at most 4,000 bytes fits one page of SQLite's, of 4 KiB. Tests make it smaller.
    private let maxBlobBytes: Int

    package init(_ storage: any BlobStorage, maxBlobBytes: Int = 4000) {
        self.storage = storage
        self.maxBlobBytes = maxBlobBytes
    }

    /// Removes the texts in `removed`, then adds those in `added`. No added text may be in the index after the removal.
    package func apply(added: PostingBuilder, removed: PostingBuilder) throws {
        if !removed.isEmpty { try remove(removed) }
        if !added.isEmpty { try add(added) }
    }
}

/// The numbers of the blobs of a bucket: there is room for four thousand million.
func blobNumbers(ofBucket bucket: Int) -> Range<Int64> { Int64(bucket) << 32..<Int64(bucket + 1) << 32 }

// MARK: - Adding

extension NGramIndexWriter {
    private func add(_ batch: PostingBuilder) throws {
        let lists = ByteBuffer(capacity: 16_384)
        let postings = ByteBuffer(capacity: 4096)
        let blob = ByteBuffer(capacity: 8192)
        var ends: [Int] = []
        try storage.prepareToRead(.last(of: batch.buckets.map(blobNumbers(ofBucket:))))
        try batch.forEachBucket { bucket, numbers in
            lists.removeAll()
            ends.removeAll(keepingCapacity: true)
            for number in numbers {
                postings.removeAll()
                batch.appendPostings(of: number, to: postings)
                lists.append(batch.ngram(of: number), postings.bytes)
                ends.append(lists.count)
            }
            try append(lists, ends, to: bucket, blob)
        }
    }

    /// Appends posting lists to the last blob of a bucket, and to new blobs when that is full. `ends` says where each
    /// list ends.
    private func append(_ lists: ByteBuffer, _ ends: [Int], to bucket: Int, _ blob: ByteBuffer) throws {
        blob.removeAll()
        let last = try lastBlob(of: bucket, into: blob)
        var number = last ?? blobNumbers(ofBucket: bucket).lowerBound
        var isFirst = last == nil
        var start = 0
        for end in ends {
            let list = UnsafeRawBufferPointer(rebasing: lists.bytes[start..<end])
            if blob.count + list.count > maxBlobBytes, !blob.isEmpty {
                // Small batches leave many short lists of the same n-grams, which together may take much less room.
                let hasRoom = !isFirst && compact(blob) && blob.count + list.count <= maxBlobBytes
                if !hasRoom {
                    try storage.put(blob.bytes, at: number)
                    number += 1
                    isFirst = false
                    blob.removeAll()
                }
            }
            blob.append(list)
            start = end
        }
        try storage.put(blob.bytes, at: number)
    }

    /// Copies the last blob of a bucket to `blob` and returns its number.
    private func lastBlob(of bucket: Int, into blob: ByteBuffer) throws -> Int64? {
        var last: Int64?
        try storage.get(blobNumbers(ofBucket: bucket), isDescending: true) { number, bytes in
            blob.append(bytes)
            last = number
            return false
        }
        return last
    }

    /// Joins the posting lists of each n-gram if the lists are short. Returns whether a quarter of the blob became
    /// free.
    private func compact(_ blob: ByteBuffer) -> Bool {
        let size = blob.count
        guard listCount(blob.bytes) * shortList > size else { return false }
        let joined = postingsByNGram(blob.bytes)
        blob.removeAll()
        let scratch = ByteBuffer(capacity: 4096)
        for (ngram, postings) in joined { blob.append(ngram, postings.sorted { $0.id < $1.id }, scratch: scratch) }
        return blob.count <= size - size / 4
    }
}

/// In bytes. One posting and the head of its list take about ten.
private let shortList = 40

private func listCount(_ blob: UnsafeRawBufferPointer) -> Int {
    var count = 0
    var index = 0
    while PostingList(blob, at: &index) != nil { count += 1 }
    return count
}

/// Returns all postings of a blob by n-gram, in the order in which the n-grams first occur.
private func postingsByNGram(
    _ blob: UnsafeRawBufferPointer
) -> [(ngram: NGram, postings: [(id: Int64, offset: UInt8)])] {
    var result: [(ngram: NGram, postings: [(id: Int64, offset: UInt8)])] = []
    var indices: [NGram: Int] = [:]
    var index = 0
    while let list = PostingList(blob, at: &index) {
        let position = indices[list.ngram] ?? result.count
        if position == result.count {
            indices[list.ngram] = position
            result.append((list.ngram, []))
        }
        list.forEach { id, offset in
            result[position].postings.append((id, offset))
            return id
        }
    }
    return result
}

// MARK: - Removing

extension NGramIndexWriter {
    /// Rewrites the blobs that have a removed text, so that no byte of it stays.
    private func remove(_ batch: PostingBuilder) throws {
        let postings = ByteBuffer(capacity: 4096)
        try storage.prepareToRead(.ranges(batch.buckets.map(blobNumbers(ofBucket:))))
        try batch.forEachBucket { bucket, lists in
            var removed: [NGram: Set<Int64>] = [:]
            for list in lists {
                postings.removeAll()
                batch.appendPostings(of: list, to: postings)
                PostingList(batch.ngram(of: list), postings.bytes).forEachID {
                    removed[batch.ngram(of: list), default: []].insert($0)
                }
            }
            try remove(removed, fromBucket: bucket)
        }
    }

    private func remove(_ removed: [NGram: Set<Int64>], fromBucket bucket: Int) throws {
        var changed: [(number: Int64, blob: ByteBuffer)] = []
        try storage.get(blobNumbers(ofBucket: bucket), isDescending: false) { number, blob in
            if let blob = copy(of: blob, without: removed) { changed.append((number, blob)) }
            return true
        }
        for (number, blob) in changed { try storage.put(blob.bytes, at: number) }
    }
}

/// Returns the blob without the removed postings, or `nil` if it has none of them.
private func copy(of blob: UnsafeRawBufferPointer, without removed: [NGram: Set<Int64>]) -> ByteBuffer? {
    let result = ByteBuffer(capacity: blob.count)
    let scratch = ByteBuffer(capacity: 4096)
    var isChanged = false
    var index = 0
    var start = 0
    while let list = PostingList(blob, at: &index) {
        defer { start = index }
        if let removed = removed[list.ngram] {
            var kept: [(id: Int64, offset: UInt8)] = []
            var count = 0
            list.forEach { id, offset in
                count += 1
                if !removed.contains(id) { kept.append((id, offset)) }
                return id
            }
            if kept.count < count {
                isChanged = true
                result.append(list.ngram, kept, scratch: scratch)
                continue
            }
        }
        result.append(UnsafeRawBufferPointer(rebasing: blob[start..<index]))
    }
    return isChanged ? result : nil
}

/// Collects the n-grams of texts on a thread of its own, while the caller writes the rows of the same texts. Finding
/// the n-grams is a seventh of the work of an import.
package final class IndexBuilder: Sendable {
    /// Some texts, with their ids ascending.
    package struct Batch: Sendable {
        /// The bytes of all texts.
        package var bytes: [UInt8] = []
        /// The texts and their tags, which are a part of `tags`.
        package var texts: [(id: Int64, text: ByteSlice, tags: Range<Int>)] = []
        package var tags: [NGram] = []

        package init() {}
    }

    private let queue = DispatchQueue(label: "rollcall.ngrams")
    private let postings = Mutex(PostingBuilder())

    package init() {}

    /// Adds texts and returns at once.
    package func add(_ batch: Batch) {
        if batch.texts.isEmpty { return }
        queue.async { [self] in
            postings.withLock { postings in
                batch.bytes.withUnsafeBytes { bytes in
                    for text in batch.texts { postings.add(text.id, bytes[text.text], tags: batch.tags[text.tags]) }
                }
            }
        }
    }

    /// Removes all texts.
    package func removeAll() {
        queue.sync { postings.withLock { $0.removeAll() } }
    }

    /// Waits until all added texts are done, and calls `body` with their posting lists.
    package func withPostings(_ body: (PostingBuilder) throws -> Void) rethrows {
        try queue.sync { try postings.withLock { try body($0) } }
    }
}
