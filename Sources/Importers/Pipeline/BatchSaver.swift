import People

/// The part of a run that writes batches and counts what they changed, on the thread that called the run.
struct BatchSaver {
    let openWriter: () throws -> (any DirectoryWriter)?
    let pool: BatchPool
    let configuration: ImportRun.Configuration
    let observe: (ImportEvent) -> Void
    var summary = ImportSummary()
    private var opened: (any DirectoryWriter)?
    private var isOpened = false
    /// The directory's current settings.
    private var adopted: DirectorySettings?
    private let start = ContinuousClock.now

    init(
        openWriter: @escaping () throws -> (any DirectoryWriter)?, pool: BatchPool,
        configuration: ImportRun.Configuration, observe: @escaping (ImportEvent) -> Void
    ) {
        self.openWriter = openWriter
        self.pool = pool
        self.configuration = configuration
        self.observe = observe
    }

    private mutating func writer() throws -> (any DirectoryWriter)? {
        if isOpened { return opened }
        opened = try openWriter()
        isOpened = true
        if configuration.isPruning { try opened?.beginPruning() }
        return opened
    }

    /// Saves `first`, and the batches that arrive in the meantime, in one transaction. Counts them when all are saved.
    mutating func save(_ first: ImportBatch) throws {
        var next = summary
        if let schema = first.schema { next.schema = schema }
        if !first.users.isEmpty || first.checkpoint != nil, let writer = try writer() {
            try adoptSettings(of: next.schema, in: writer)
            if configuration.isDryRun {
                next.isCompared = true
                next.preview.add(first, next.schema?.resolved ?? .empty)
            }
            try save(first, with: writer, in: &next)
        } else {
            report(first, in: &next)
            next.preview.add(first, next.schema?.resolved ?? .empty)
            pool.reuse(first.users)
        }
        next.progress.elapsed = ContinuousClock.now - start
        summary = next
        observe(.progress(next.progress))
    }

    /// Saves the settings before the first users that were read by them.
    private mutating func adoptSettings(of schema: ImportSchema?, in writer: any DirectoryWriter) throws {
        guard let settings = schema?.settings, settings != adopted else { return }
        if settings != writer.directory.settings.stored { try writer.adopt(settings) }
        adopted = settings
    }

    private func save(_ first: ImportBatch, with writer: any DirectoryWriter, in summary: inout ImportSummary) throws {
        var batch = first
        try writer.begin()
        do {
            try append(batch, to: writer, in: &summary)
            while !isLast(batch, of: writer) {
                // The writer has copied it: the source may fill it again before the transaction is committed.
                pool.reuse(batch.users)
                guard let next = pool.next(isSoon: batch.isFull) else { return try writer.commit() }
                batch = next
                try append(batch, to: writer, in: &summary)
            }
            try writer.commit()
        } catch {
            writer.rollback()
            throw error
        }
        // A source that waits for its checkpoint goes on when the batch is reused, so not before the commit.
        pool.reuse(batch.users)
    }

    private func append(_ batch: ImportBatch, to writer: any DirectoryWriter, in summary: inout ImportSummary) throws {
        report(batch, in: &summary)
        summary.counts += try writer.append(batch.users, checkpoint: batch.checkpoint)
        guard !batch.photoPaths.isEmpty else { return }
        // Now all users have ids.
        for user in batch.users.records {
            guard let path = batch.photoPaths[user.place] else { continue }
            let name = String(decoding: batch.users.buffer.bytes[user.name], as: UTF8.self)
            summary.photos.append(FoundPhoto(user: user.id, name: name, path: path))
        }
    }

    private func isLast(_ batch: ImportBatch, of writer: any DirectoryWriter) -> Bool {
        writer.isFull || batch.checkpoint != nil || configuration.cancellation.isCancelled
    }

    /// Reports a batch's notes and rejections, and adds to `summary` everything but the writer's counts.
    private func report(_ batch: ImportBatch, in summary: inout ImportSummary) {
        if let schema = batch.schema { observe(.schema(schema)) }
        for note in batch.notes { observe(.note(note)) }
        for rejection in batch.rejections { observe(.rejected(rejection)) }
        let untouched = batch.checkpoint?.untouched ?? 0
        summary.counts.unchanged += untouched
        summary.progress.users += batch.users.records.count { !$0.isLeftOut } + batch.users.repeated + untouched
        summary.progress.service = batch.service
        summary.progress.rejected += batch.rejected
        summary.progress.losses += batch.losses
        summary.progress.bytesRead = batch.bytesRead
        summary.progress.size = batch.size
    }

    /// Completes the summary after the last batch. `failure` is the error that ended the source's reading, if any.
    mutating func finish(_ failure: (any Error)?) {
        if case .complete = summary.end {
            // Cancellation may also stop the source's own processes, whose errors are then of no interest.
            if configuration.cancellation.isCancelled {
                summary.end = .cancelled
            } else if let failure {
                summary.end = .failed(failure)
            }
        }
        do {
            try prune()
            if case .complete = summary.end { try opened?.noteImport() }
        } catch { summary.end = .failed(error) }
        summary.progress.elapsed = ContinuousClock.now - start
    }

    /// Removes the users that the source no longer has, unless the run may have missed one: a rejected record may be
    /// that of an existing user.
    private mutating func prune() throws {
        guard configuration.isPruning, !summary.progress.service.isUnchanged else { return }
        var isComplete = false
        if case .complete = summary.end { isComplete = true }
        if !isComplete { summary.keptBecause = "the import did not reach its end" }
        let service = summary.progress.service
        if service.isContinued {
            summary.keptBecause =
                "the import continued an interrupted one; only an import from beginning to end removes people"
        }
        if service.missing > 0 { summary.keptBecause = "some people had no record of their own" }
        if summary.progress.rejected > 0, !configuration.prunesBesideRejections {
            summary.keptBecause = "some records were rejected"
        }
        if isComplete, summary.progress.users == 0 { summary.keptBecause = "the source is empty" }
        guard summary.keptBecause == nil, let writer = try writer() else { return }
        if !configuration.prunesAll {
            let pruning = try writer.pruning()
            let isUnsaved = configuration.isJudging || configuration.isDryRun
            if let refusal = PruneRefusal(
                writer.directory.slug, removing: pruning.gone, of: pruning.total, isBeforeSaving: isUnsaved)
            {
                throw refusal
            }
        }
        summary.removed = try writer.removeUsersNotWritten()
    }
}
