import Base
import Dispatch
import Synchronization

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
