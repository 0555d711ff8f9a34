import Bytes
import Directories

/// Where people come from: a file, a repository, a service.
public protocol ImportSource: Sendable {
    /// Hands over every person to `sink`, which it does not keep. Runs on a thread of its own and may block; throws when
    /// it cannot go on. What was handed over until then is saved.
    func read(into sink: ImportSink) throws
}

/// Collects what a source hands over into batches; belongs to the source's thread.
public final class ImportSink: RecordSink {
    private let configuration: ImportRun.Configuration
    private let exchange: BatchPool
    private var batch: ImportBatch
    private var batchStart: ContinuousClock.Instant?
    private var madeIDs = GeneratedIDs()
    /// Records taken, and not taken, so far.
    private(set) var taken = 0
    private(set) var rejected = 0
    /// How a source that is a service stands with it.
    var service = ServiceStatus()

    /// Throws if the run is over before it began.
    init(configuration: ImportRun.Configuration, exchange: BatchPool) throws {
        self.configuration = configuration
        self.exchange = exchange
        batch = ImportBatch(users: try exchange.empty())
    }

    /// Takes a person.
    public func add(_ user: User) throws {
        batch.users.append(user)
        if isFull { try flush() }
    }

    func take(at place: @autoclosure () -> String, _ decode: (UserBatch) throws(RecordError) -> DecodedRecord) throws {
        let users = batch.users
        let start = users.buffer.count
        let decoded: DecodedRecord
        do { decoded = try decode(users) } catch {
            users.buffer.truncate(to: start)
            return try reject(Rejection(place: place(), reason: error.reason))
        }
        if decoded.isIDMade, let user = users.records.last, let other = madeIDs.insert(user, in: users.buffer.bytes) {
            let login = String(decoding: users.buffer.bytes[user.login], as: UTF8.self)
            users.removeLast()
            let reason =
                "the ids made for \"\(login)\" and \"\(other)\" are the same; give one of them an id of its own"
            return try reject(Rejection(place: place(), reason: reason))
        }
        if decoded.ignoredLinks > 0 {
            batch.ignoredLinks.count += decoded.ignoredLinks
            if let link = decoded.ignoredLink { batch.ignoredLinks.example = "\(place()): \(link)" }
        }
        taken += 1
        if isFull { try flush() }
    }

    /// Takes a record that is no person.
    public func reject(_ rejection: Rejection) throws {
        batch.rejected += 1
        rejected += 1
        // Whoever prints them stops long before; a file of nothing else must not fill the memory.
        if batch.rejections.count < 1000 { batch.rejections.append(rejection) }
        if batch.rejected >= configuration.batchSize { try flush() }
    }

    /// Takes something to tell the publisher that is about no record.
    public func note(_ text: String) {
        batch.notes.append(text)
    }

    /// Says how far the source has got, now and then and while it waits: what was collected for longer than a second is
    /// handed on, and a cancelled import ends here.
    public func tick(bytesRead: Int64? = nil, of size: Int64? = nil) throws {
        if let bytesRead { batch.bytesRead = bytesRead }
        batch.size = size
        let now = ContinuousClock.now
        let start = batchStart ?? now
        batchStart = start
        if configuration.cancellation.isCancelled || now - start >= configuration.flushInterval { try flush() }
    }

    /// Says at once what is waited for, or that it is no longer.
    func tell(waitingFor hold: Backoff?) throws {
        service.waiting = hold
        try flush()
    }

    /// Hands over what was collected together with how far the source has got, and waits until both are saved.
    func save(_ checkpoint: Checkpoint) throws {
        batch.checkpoint = checkpoint
        try flush()
        try exchange.waitUntilWritten()
    }

    private var isFull: Bool { batch.users.records.count >= configuration.batchSize || batch.users.isFull }

    private func flush() throws {
        try finish()
        batch = ImportBatch(users: try exchange.empty(), bytesRead: batch.bytesRead, size: batch.size)
        batchStart = nil
    }

    /// Hands over what is left.
    func finish() throws {
        // Here, beside the transaction of the batch before, and not in a transaction of its own.
        batch.isFull = isFull
        batch.users.sort()
        batch.service = service
        if configuration.cancellation.isCancelled || !exchange.write(batch) { throw ImportCancellation.Stop() }
    }
}

/// What goes from a source's thread to the one that writes.
struct ImportBatch: Sendable {
    var users: UserBatch
    /// Whether it was handed over because it was full: then the next one is not far.
    var isFull = false
    var rejections: [Rejection] = []
    var rejected = 0
    var ignoredLinks = IgnoredLinks()
    var notes: [String] = []
    var checkpoint: Checkpoint?
    var service = ServiceStatus()
    var bytesRead: Int64 = 0
    var size: Int64?
}

/// Remembers for which logins ids were made, so that two people with one id do not become one without a word.
///
/// Only of the first 786,432: as many as a dictionary takes in 12 MiB. Beyond, a collision is as improbable, and would go
/// unnoticed.
struct GeneratedIDs {
    private static let limit = 786_432
    private var hashes: [Int64: UInt32] = [:]
    /// The logins of the current thousand, for messages.
    private var logins: [Int64: String] = [:]

    /// Remembers the user; answers whose id it has, if it is somebody else's.
    mutating func insert(_ user: UserBatch.Entry, in bytes: UnsafeRawBufferPointer) -> String? {
        let hash = UInt32(truncatingIfNeeded: SipHash.hash(bytes[user.loginKey], key: (1, 1)))
        if let known = hashes[user.id] { return known == hash ? nil : logins[user.id] ?? "another one" }
        if hashes.count < Self.limit {
            hashes[user.id] = hash
            if logins.count >= 1000 { logins.removeAll(keepingCapacity: true) }
            logins[user.id] = String(decoding: bytes[user.login], as: UTF8.self)
        }
        return nil
    }
}
