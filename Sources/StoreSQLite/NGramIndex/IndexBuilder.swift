import Bytes
import Dispatch
import Synchronization

/// Finds the grams of those who come while their rows are written, on a thread of its own: a seventh of the work of an import.
final class IndexBuilder: Sendable {
    /// Some of those who come.
    struct Users: Sendable {
        /// Their folded texts.
        var text: [UInt8] = []
        var users: [(id: Int64, text: Slice, facets: UserFacets)] = []
    }

    private let queue = DispatchQueue(label: "rollcall.grams")
    private let ngrams = Mutex(PostingBuilder())

    /// Adds users to those whose grams are wanted.
    func add(_ users: Users) {
        if users.users.isEmpty { return }
        queue.async { [self] in
            ngrams.withLock { ngrams in
                users.text.withUnsafeBytes { text in
                    for user in users.users { ngrams.add(user.id, text[user.text], user.facets) }
                }
            }
        }
    }

    /// Forgets all users.
    func removeAll() {
        queue.sync { ngrams.withLock { $0.removeAll() } }
    }

    /// Calls `body` with the grams of all that were added, when they are found.
    func withGrams(_ body: (PostingBuilder) throws -> Void) rethrows {
        try queue.sync { try ngrams.withLock { try body($0) } }
    }
}
