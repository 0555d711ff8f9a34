import Base
import People
import Server
import Synchronization

/// Finished responses, compressed and ready to send, in a bounded number of bytes.
///
/// An entry is found by the key of the request as received, so a hit costs one hash and no parsing. A request that
/// spells its parameters differently finds the same entry by its canonical key (``RenderTask/appendKey(to:)``), which
/// is then stored under the other spelling, too. An entry is fresh as long as the generation of its directory does not
/// change.
///
/// Entries in use survive. There are two halves. When the younger one is full, the older one is dropped, and the
/// younger one becomes the older one. A hit in the older half moves the entry to the younger. That keeps about the same
/// entries as a least-recently-used list, but a hit changes no list.
///
/// Every response is kept until the younger half has been full once. From then on, a response that costs little is kept
/// only when it is requested for the second time. A client that walks through a large directory requests each page
/// once. Without this rule it would displace the pages that others read, and each of its pages would take an eighth
/// more time.
final class ResponseCache: Sendable {
    /// A response and the state that it depends on.
    final class Entry: Sendable {
        let response: Response
        let notModified: Response
        /// The value of the `ETag` field, with its quotes.
        let entityTag: [UInt8]
        let directory: Int64
        let generation: Int64
        /// See ``Directory/origin``.
        let origin: UInt64
        /// ``DirectoryList/choices`` for responses that show all directories, or ``DirectoryList/people`` if they
        /// depend on their people; `nil` for others.
        let choices: UInt64?

        /// - Parameter directory: the state that the response shows.
        init(
            _ response: Response, _ notModified: Response, entityTag: [UInt8], of directory: Directory, choices: UInt64?
        ) {
            var (response, notModified) = (response, notModified)
            (response.origin, notModified.origin) = (.cache, .cache)
            (self.response, self.notModified) = (response, notModified)
            self.entityTag = entityTag
            (self.directory, generation, origin) = (directory.id, directory.generation, directory.origin)
            self.choices = choices
        }

        func isFresh(_ directories: DirectoryList) -> Bool {
            guard directories.isCurrent(generation, ofDirectory: directory, origin: origin) else { return false }
            return choices == nil || choices == directories.choices || choices == directories.people
        }

        /// The approximate memory of the entry.
        var cost: Int { response.body.bytes.count + response.fields.bytes.count + notModified.fields.bytes.count + 200 }
    }

    private struct Slot {
        var key: [UInt8]
        var entry: Entry
        var cost: Int { key.count + entry.cost }

        func has(_ key: Bytes) -> Bool { self.key.span.equals(key) }
    }

    private struct Halves {
        var young: [Int: Slot] = [:]
        var old: [Int: Slot] = [:]
        var youngBytes = 0
        var oldBytes = 0
        var evictions = 0
        /// The number of entries that moved from the older half to the younger one.
        var promoted = 0
        /// The hashes of recent requests, without the part of each that is its index in this array.
        var requested: [UInt32] = []

        /// Returns the entries that were dropped, to be freed outside the lock.
        mutating func insert(_ slot: Slot, at hash: Int, limit: Int) -> [Int: Slot] {
            var dropped: [Int: Slot] = [:]
            if youngBytes + slot.cost > limit {
                evictions += old.count - promoted
                promoted = 0
                oldBytes = youngBytes
                dropped = old
                old = young
                young = [:]
                youngBytes = 0
            }
            youngBytes += slot.cost - (young[hash]?.cost ?? 0)
            young[hash] = slot
            return dropped
        }

        /// Returns whether `hash` was requested recently, and remembers it.
        mutating func wasRequested(_ hash: Int, remembering count: Int) -> Bool {
            if requested.isEmpty { requested = Array(repeating: 0, count: count) }
            let (rest, index) = UInt(bitPattern: hash).quotientAndRemainder(dividingBy: UInt(count))
            let remembered = UInt32(truncatingIfNeeded: rest)
            defer { requested[Int(index)] = remembered }
            return requested[Int(index)] == remembered
        }
    }

    /// The size of the cache, and the number of entries it has dropped.
    struct Figures: Equatable, Sendable {
        var bytes = 0, entries = 0, evictions = 0
    }

    var figures: Figures {
        halves.withLock { halves in
            Figures(
                bytes: halves.youngBytes + halves.oldBytes, entries: halves.young.count + halves.old.count,
                evictions: halves.evictions)
        }
    }

    private let halves = Mutex(Halves())
    private let halfCapacity: Int

    /// A cache for up to `capacity` bytes of responses and keys; 0 turns it off.
    init(capacity: Int) { halfCapacity = capacity / 2 }

    func entry(for key: Bytes) -> Entry? {
        let hash = Self.hash(key)
        return halves.withLock { halves -> (Entry, [Int: Slot])? in
            if let slot = halves.young[hash] { return slot.has(key) ? (slot.entry, [:]) : nil }
            guard let slot = halves.old[hash], slot.has(key) else { return nil }
            halves.oldBytes -= slot.cost
            halves.promoted += 1
            return (slot.entry, halves.insert(slot, at: hash, limit: halfCapacity))
        }?.0
    }

    func entry(for key: [UInt8]) -> Entry? { entry(for: key.span) }

    /// Keeps `entry`, unless it is larger than half the cache. With `isCheap`, a full cache keeps it only on the second
    /// request.
    func insert(_ entry: Entry, for key: [UInt8], isCheap: Bool = false) {
        let slot = Slot(key: key, entry: entry)
        guard slot.cost <= halfCapacity else { return }
        let hash = Self.hash(key.span)
        // Freed outside the lock: many thousand entries take milliseconds.
        _ = halves.withLock { halves -> [Int: Slot] in
            if isCheap, !halves.old.isEmpty, !halves.wasRequested(hash, remembering: rememberedCount) { return [:] }
            return halves.insert(slot, at: hash, limit: halfCapacity)
        }
    }

    /// A little more than the number of responses that fit.
    private var rememberedCount: Int { halfCapacity / 512 + 1 }

    /// The seed differs in every process, so clients cannot make keys that collide.
    private static func hash(_ key: Bytes) -> Int {
        var hasher = Hasher()
        hasher.combine(key)
        return hasher.finalize()
    }
}

extension ResponseCache.Entry {
    /// The whole response, or the one that the request's conditions ask for (RFC 9110 §13.1).
    func response(to request: Request) -> Response {
        switch request.precondition(tag: entityTag) {
        case .met: response
        case .notModified: notModified
        case .failed: .preconditionFailed
        }
    }
}

extension Precondition {
    /// The response that takes the place of the whole one, if one does. `fields` are those of the 304.
    func response(_ fields: Fields) -> Response? {
        switch self {
        case .met: nil
        case .notModified: Response(.notModified, fields: fields)
        case .failed: .preconditionFailed
        }
    }
}

extension Response {
    /// 412 for a program that sent `If-Match`.
    static var preconditionFailed: Response {
        Response(.preconditionFailed, text: "If-Match: expected the ETag of what is here now, found others only\n")
    }
}

/// A hash that is the same in every process, for validators and file names: FNV-1a over 64 bits, with a final mix.
///
/// For keys from outside, use `Hasher`.
struct StableHash {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    init() {}

    init(of body: ByteBuffer) { body.withBytes { combine($0) } }

    mutating func combine(_ bytes: Bytes) {
        for index in bytes.indices { combine(bytes[index]) }
    }

    mutating func combine(_ bytes: [UInt8]) { combine(bytes.span) }

    private mutating func combine(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }

    mutating func combine(_ number: UInt64) {
        for shift in stride(from: 0 as UInt64, to: 64, by: 8) { combine(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    mutating func combine(_ text: String) {
        combine(UInt64(text.utf8.count))
        for byte in text.utf8 { combine(byte) }
    }

    /// A strong validator of what was combined, in this coding. `buffer` is overwritten.
    func entityTag(_ coding: ContentCoding, _ buffer: ByteBuffer) -> [UInt8] {
        buffer.removeAll()
        buffer.append("\"")
        buffer.append(hexadecimal: value)
        buffer.append(coding == .gzip ? "-gz\"" : "\"")
        return [UInt8](buffer)
    }

    /// The hash, mixed once more so that every bit of the input affects every bit (MurmurHash3's finalizer).
    var value: UInt64 {
        var mixed = state
        mixed = (mixed ^ (mixed >> 33)) &* 0xff51_afd7_ed55_8ccd
        mixed = (mixed ^ (mixed >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return mixed ^ (mixed >> 33)
    }
}
