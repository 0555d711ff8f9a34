import Base
import People
import Publishing

/// Collects the users of a source into batches. Confined to the source's thread.
public final class ImportSink: RecordSink {
    private let configuration: ImportRun.Configuration
    private let pool: BatchPool
    var batch: ImportBatch
    private var batchStart = ContinuousClock.now
    var identities = SeenIdentities()
    private(set) var schema: ImportSchema?
    /// Decodes the records of a file or a service.
    var decoder = RecordDecoder()
    /// The numbers of records accepted and rejected so far.
    private(set) var taken = 0
    private(set) var rejected = 0
    /// The state of the service, if the source is one.
    var service: ServiceStatus {
        get { batch.progress.service }
        set { batch.progress.service = newValue }
    }

    /// Throws `CancellationError` if writing has ended already.
    init(configuration: ImportRun.Configuration, pool: BatchPool) throws {
        self.configuration = configuration
        self.pool = pool
        batch = ImportBatch(users: try pool.empty())
    }

    /// Adds a user who was made up. Settings decide nothing about the columns.
    public func add(_ user: User) throws {
        batch.users.append(user)
        taken += 1
        try flushIfFull()
    }

    func take(_ record: SourceRecord, at place: @autoclosure () -> String) throws {
        if case .row(let cells, let header) = record, header.hasOnlyName(cells) {
            batch.progress.losses.add(.onlyName, "", at: place())
        }
        let (users, count) = (batch.users, batch.users.records.count)
        do { try decoder.append(record, to: users) } catch {
            if let loss = error.loss { return batch.progress.losses.add(loss, error.reason, at: place()) }
            return try reject(Rejection(place: place(), reason: error.reason))
        }
        if let rule = decoder.leaver {
            batch.progress.leftOut.add(inactive: rule.mark, at: place())
            return try flushIfFull()
        }
        // A record that repeats an earlier one adds nobody.
        if users.records.count > count, let user = users.records.last {
            noteShared(user, at: place())
            if let photo = decoder.photo { batch.photoPaths[user.place] = photo }
        }
        for (kind, text) in decoder.losses { batch.progress.losses.add(kind, text, at: place()) }
        taken += 1
        try flushIfFull()
    }

    /// Adds a user who stays as they are if the directory has them, and else is not added.
    func passOver(_ record: SourceRecord) throws {
        try? decoder.append(record, to: batch.users, .leftOut)
        try flushIfFull()
    }

    public func reject(_ rejection: Rejection) throws {
        batch.progress.rejected += rejection.lines
        rejected += rejection.lines
        // Fewer are printed. The limit bounds the memory when every record is rejected.
        if batch.rejections.count < 1000 { batch.rejections.append(rejection) }
        if batch.progress.rejected >= configuration.batchSize { try flush() }
    }

    func leaveOut(_ kind: RowKind, at place: @autoclosure () -> String) {
        batch.progress.leftOut.add(kind, at: place())
    }

    public func note(_ text: String) {
        batch.notes.append(text)
    }

    func describe(_ layout: FileLayout, _ header: CSVHeader?) { batch.layout = layout }

    var language: String { schema?.resolved.language ?? "und" }

    /// Sets the settings by which users are decoded from now on. The directory gets them before the users.
    func begin(_ schema: ImportSchema) {
        self.schema = schema
        batch.schema = schema
        prepare(batch.users)
    }

    private func prepare(_ users: UserBatch) {
        guard let schema else { return }
        users.settings = schema.resolved
        users.extent = schema.extent
        (users.adoptsByName, users.directoryHadPeople) = (schema.isAdopting, schema.directoryHadPeople)
        users.adoptedHandles = schema.request.adoptedHandles
    }

    /// Records the progress of the source, which calls this regularly and while it waits. Passes on users collected for
    /// longer than a second, however few they are, and throws if the import is cancelled.
    public func tick(bytesRead: Int64? = nil, of size: Int64? = nil) throws {
        if let bytesRead { (batch.progress.bytesRead, batch.progress.size) = (bytesRead, size) }
        let isLate = ContinuousClock.now - batchStart >= .seconds(1)
        if isLate || configuration.cancellation.isCancelled { try flush() }
    }

    /// Reports at once that the source waits, or, with `nil`, that it no longer does.
    func report(waitingFor backoff: Backoff?) throws {
        service.waiting = backoff
        try flush()
    }

    /// Passes on the collected users together with a checkpoint, and waits until both are saved.
    func save(_ checkpoint: Checkpoint) throws {
        batch.checkpoint = checkpoint
        try flush()
        try pool.waitUntilWritten()
    }

    /// Passes on the users collected so far, so that they are saved before more are read.
    func passOn() throws {
        if !batch.users.records.isEmpty { try flush() }
    }

    private var isFull: Bool { batch.users.records.count >= configuration.batchSize || batch.users.isFull }

    private func flushIfFull() throws {
        if isFull { try flush() }
    }

    private func flush() throws {
        try finish()
        batch = try batch.following(with: pool.empty())
        prepare(batch.users)
        batchStart = .now
    }

    func finish() throws {
        batch.isFull = isFull
        // Sorted on this thread, while the other one writes the previous batch. The store first gives ids to users who
        // have none, in the order of the file.
        if !batch.users.isUnresolved { batch.users.sort() }
        batch.countUsers()
        if configuration.cancellation.isCancelled || !pool.write(batch) { throw CancellationError() }
    }
}

/// A batch on its way from the source's thread to the thread that writes.
struct ImportBatch: Sendable {
    var users: UserBatch
    /// Whether it was passed on because it was full: the next one then follows soon.
    var isFull = false
    var rejections: [Rejection] = []
    /// The counts since the last batch, and the present state of the source.
    var progress = ImportProgress()
    /// The settings of this and all later batches, if they were known since the last batch.
    var schema: ImportSchema?
    /// The layout of the file, if the source is one.
    var layout: FileLayout?
    /// The photos of users beside the file, by the users' locations.
    var photoPaths: [Int64: [String]] = [:]
    var notes: [String] = []
    var checkpoint: Checkpoint?

    /// Counts the users, and those whom a service has not sent again.
    mutating func countUsers() {
        let written = users.records.count { !$0.isLeftOut }
        progress.users = written + users.repeated + (checkpoint?.untouched ?? 0)
        progress.hidden = written - users.records.count(where: \.isShown)
    }

    /// Returns the batch that follows this one, with `users`.
    func following(with users: UserBatch) -> ImportBatch {
        var next = ImportBatch(users: users, layout: layout)
        (next.progress.bytesRead, next.progress.size) = (progress.bytesRead, progress.size)
        next.progress.service = progress.service
        return next
    }
}
