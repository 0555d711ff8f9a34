import Synchronization

/// The bytes for the live bodies of one event loop that the application has written and the loop has not sent yet.
///
/// It is delivered in batches: an event for ten thousand readers then delays nobody's page by more than a batch.
final class LiveMail: Sendable {
    /// Bytes for one connection; `nil` ends its body.
    typealias Letter = (token: Token, bytes: [UInt8]?)

    /// Sending so many takes one or two milliseconds.
    static let batch = 256

    /// The letters, of which those before an index have been taken.
    private let box = Mutex((letters: [Letter](), first: 0))

    /// Puts a letter behind the others. Returns whether the loop must be told to fetch it: it goes on while there are
    /// others.
    func put(_ letter: Letter) -> Bool {
        box.withLock { box in
            box.letters.append(letter)
            return box.letters.count == 1
        }
    }

    /// Takes the next letters, and returns whether there are more.
    func take() -> (letters: [Letter], hasMore: Bool) {
        box.withLock { box in
            let end = min(box.first + Self.batch, box.letters.count)
            let letters = Array(box.letters[box.first..<end])
            box.first = end
            if end == box.letters.count { box = ([], 0) }
            return (letters, !box.letters.isEmpty)
        }
    }
}
