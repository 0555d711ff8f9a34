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
    private let handover: Handover<ImportBatch>
    private var batch = ImportBatch()
    private var batchStart: ContinuousClock.Instant?
    private var madeIDs = MadeIDs()

    init(configuration: ImportRun.Configuration, handover: Handover<ImportBatch>) {
        self.configuration = configuration
        self.handover = handover
    }

    /// Takes a person.
    public func add(_ user: User) throws {
        batch.users.append(user)
        if batch.users.count >= configuration.batchSize { try flush() }
    }

    func add(_ user: User, isIDMade: Bool, at place: () -> String) throws {
        if isIDMade, let other = madeIDs.insert(user) {
            let reason = "the id made for \"\(user.login)\" is the one of \"\(other)\"; give one of them an id"
            return try reject(Rejection(place: place(), reason: reason))
        }
        try add(user)
    }

    /// Takes a record that is no person.
    public func reject(_ rejection: Rejection) throws {
        batch.rejected += 1
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

    func flush() throws {
        if configuration.cancellation.isCancelled || !handover.put(batch) { throw ImportCancellation.Stop() }
        var next = ImportBatch()
        next.users.reserveCapacity(min(batch.users.count, configuration.batchSize))
        next.bytesRead = batch.bytesRead
        next.size = batch.size
        batch = next
        batchStart = nil
    }
}

/// What goes from a source's thread to the one that writes.
struct ImportBatch: Sendable {
    var users: [User] = []
    var rejections: [Rejection] = []
    var rejected = 0
    var notes: [String] = []
    var bytesRead: Int64 = 0
    var size: Int64?
}

/// Remembers for which logins ids were made, so that two people with one id do not become one without a word.
///
/// Only of the first million: some 40 MiB. Beyond, a collision is as improbable, and would go unnoticed.
struct MadeIDs {
    private static let limit = 1_000_000
    private var hashes: [Int64: UInt32] = [:]
    /// The logins of the current thousand, for messages.
    private var logins: [Int64: String] = [:]

    /// Remembers the user; answers whose id it has, if it is somebody else's.
    mutating func insert(_ user: User) -> String? {
        var folded = user.login.folded
        let hash = folded.withUTF8 { UInt32(truncatingIfNeeded: SipHash.hash(UnsafeRawBufferPointer($0), key: (1, 1))) }
        if let known = hashes[user.id] { return known == hash ? nil : logins[user.id] ?? "another one" }
        if hashes.count < Self.limit {
            hashes[user.id] = hash
            if logins.count >= 1000 { logins.removeAll(keepingCapacity: true) }
            logins[user.id] = user.login
        }
        return nil
    }
}
