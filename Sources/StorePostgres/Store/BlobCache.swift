import StoreEngine
import Synchronization

/// The blobs that readers of a process have read last. A blob is kept with the generation of its directory, and is of
/// no use for any other generation.
///
/// A search reads megabytes of posting lists, and a walk reads the same blocks for every few pages. From memory they
/// cost no round trip.
final class BlobCache: Sendable {
    struct Key: Hashable {
        var table: BlobTable
        var directory: Int64
        var generation: Int64
        /// The range of one blob, or of all blobs of a bucket.
        var numbers: Range<Int64>
    }

    private struct Kept {
        var blobs: [Key: [PreparedBlobs.Blob]] = [:]
        var bytes = 0
    }

    /// The new blobs were used since the old ones were new.
    private typealias State = (new: Kept, old: Kept)

    private let state = Mutex<State>((Kept(), Kept()))
    private let maxBytes: Int

    /// The default is 64 MiB: the blocks of four orders of two million people.
    init(maxBytes: Int = 64 << 20) { self.maxBytes = maxBytes }

    subscript(key: Key) -> [PreparedBlobs.Blob]? {
        get {
            state.withLock { state in
                if let known = state.new.blobs[key] { return known }
                guard let known = state.old.blobs[key] else { return nil }
                keep(known, key, in: &state)
                return known
            }
        }
        set {
            guard let newValue else { return }
            state.withLock { keep(newValue, key, in: &$0) }
        }
    }

    private func keep(_ blobs: [PreparedBlobs.Blob], _ key: Key, in state: inout State) {
        guard state.new.blobs.updateValue(blobs, forKey: key) == nil else { return }
        state.new.bytes += blobs.reduce(128) { $0 + $1.bytes.count + 64 }
        guard state.new.bytes >= maxBytes / 2 else { return }
        (state.old, state.new) = (state.new, Kept())
    }
}
