import Bytes
import HTTP
import Synchronization

/// Finished answers, compressed and ready to send, bounded by their bytes.
///
/// They are found by the request as it came, target and all, so that a hit costs one hash and no parsing; a request that
/// only spells its parameters differently finds the same answer by its canonical key, and is then known by its own
/// spelling, too. An answer is good while the generation of its directory stands.
///
/// What is used survives: there are two halves, and when the younger one is full the older one is dropped whole and they
/// change places; a hit in the older half moves into the younger. That keeps what a least-recently-used list would keep,
/// near enough, without touching a list on every hit.
///
/// Whatever comes is kept until the younger half has been full once. From then on an answer that cost little has to be asked
/// for twice before it is kept: who walks through a large directory asks for each page once, and would otherwise drive out
/// what others read, and pay for it with an eighth of each page's time.
final class ResponseCache: Sendable {
    /// An answer and what it depends on.
    final class Entry: Sendable {
        let response: Response
        let notModified: Response
        /// The validator as it stands in the `ETag` field, quotes and all.
        let entityTag: [UInt8]
        let directory: Int64
        let generation: Int64
        /// See ``Directory/origin``.
        let origin: UInt64
        /// ``DirectoryList/choices`` for answers that show the other directories; `nil` for those that do not.
        let choices: UInt64?

        init(
            response: Response, notModified: Response, entityTag: [UInt8], directory: Int64, generation: Int64,
            origin: UInt64 = 0, choices: UInt64?
        ) {
            self.response = response
            self.notModified = notModified
            self.entityTag = entityTag
            self.directory = directory
            self.generation = generation
            self.origin = origin
            self.choices = choices
        }

        func isFresh(_ directories: DirectoryList) -> Bool {
            // An entry may be newer than what the store last saw of other processes' writes.
            guard let current = directories[directory], origin == current.origin, generation >= current.generation
            else {
                return false
            }
            return choices == nil || choices == directories.choices
        }

        /// What it takes in memory, near enough.
        var cost: Int { response.body.bytes.count + response.fields.bytes.count + notModified.fields.bytes.count + 200 }
    }

    private struct Slot {
        var key: [UInt8]
        var entry: Entry
        var cost: Int { key.count + entry.cost }

        func has(_ key: UnsafeRawBufferPointer) -> Bool { self.key.withUnsafeBytes { $0.equals(key) } }
    }

    private struct Halves {
        var young: [Int: Slot] = [:]
        var old: [Int: Slot] = [:]
        var youngBytes = 0
        var oldBytes = 0
        var evictions = 0
        /// How many of the older half have moved into the younger one.
        var promoted = 0
        /// Of the hash of what was asked for lately, the half that does not say where in here it stands.
        var asked: [UInt32] = []

        /// Answers what was dropped for it, to be freed where nobody waits.
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

        /// Whether `hash` was asked for lately; from now on it was.
        mutating func wasAsked(_ hash: Int, remembering count: Int) -> Bool {
            if asked.isEmpty { asked = Array(repeating: 0, count: count) }
            let (rest, index) = UInt(bitPattern: hash).quotientAndRemainder(dividingBy: UInt(count))
            let mark = UInt32(truncatingIfNeeded: rest)
            defer { asked[Int(index)] = mark }
            return asked[Int(index)] == mark
        }
    }

    /// What the cache holds, and what it has dropped.
    struct Figures: Equatable, Sendable {
        var bytes = 0
        var entries = 0
        var evictions = 0
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

    /// Holds up to `capacity` bytes of answers and keys; 0 for none.
    init(capacity: Int) { halfCapacity = capacity / 2 }

    func entry(for key: UnsafeRawBufferPointer) -> Entry? {
        let hash = Self.hash(key)
        return halves.withLock { halves -> (Entry, [Int: Slot])? in
            if let slot = halves.young[hash] { return slot.has(key) ? (slot.entry, [:]) : nil }
            guard let slot = halves.old[hash], slot.has(key) else { return nil }
            halves.oldBytes -= slot.cost
            halves.promoted += 1
            return (slot.entry, halves.insert(slot, at: hash, limit: halfCapacity))
        }?.0
    }

    func entry(for key: [UInt8]) -> Entry? { key.withUnsafeBytes { entry(for: $0) } }

    /// Keeps `entry`, unless there is no room for it at all; with `isCheap`, unless nobody has asked for it before.
    func insert(_ entry: Entry, for key: [UInt8], isCheap: Bool = false) {
        let slot = Slot(key: key, entry: entry)
        guard slot.cost <= halfCapacity else { return }
        let hash = key.withUnsafeBytes { Self.hash($0) }
        // What is dropped is freed out of the lock: of many thousand answers this takes milliseconds.
        _ = halves.withLock { halves -> [Int: Slot] in
            if isCheap, !halves.old.isEmpty, !halves.wasAsked(hash, remembering: rememberedCount) { return [:] }
            return halves.insert(slot, at: hash, limit: halfCapacity)
        }
    }

    /// Somewhat more than there is room for answers.
    private var rememberedCount: Int { halfCapacity / 512 + 1 }

    /// Seeded anew in every process, so that nobody outside can make keys that collide.
    private static func hash(_ key: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: key)
        return hasher.finalize()
    }
}

extension ResponseCache.Entry {
    /// The whole response, or the one that the request's conditions ask for (RFC 9110 §13.1).
    func response(to request: Request) -> Response { response(request.precondition(tag: entityTag)) }

    func response(to conditions: ConditionalFields) -> Response { response(conditions.precondition(tag: entityTag)) }

    private func response(_ precondition: Precondition) -> Response {
        switch precondition {
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
