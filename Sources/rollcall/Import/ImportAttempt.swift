import Base
import Importers
import People
import Publishing
import StoreEngine

/// One try of an import. Another one follows if the database goes away meanwhile.
final class ImportAttempt<Source: ImportSource> {
    private let job: ImportJob<Source>
    private let options: ImportOptions
    private let input: KeptInput
    private let report: ImportReport
    private let isOpen: (any Store) -> Void
    private let configuration: ImportRun.Configuration
    /// The file that `--settings` names, as it is at this try.
    private var settings: SettingsSource?
    /// The database, opened at the first use, when this import holds the lock.
    private var opened: (store: any Store, lock: any StoreLock)?

    /// - Parameters:
    ///   - isAgain: Whether an earlier try lost the database.
    ///   - isOpen: Called when the database is open.
    init(
        _ job: ImportJob<Source>, _ input: KeptInput, isAgain: Bool, _ report: ImportReport,
        _ isOpen: @escaping (any Store) -> Void
    ) {
        (self.job, options, self.input, self.report, self.isOpen) = (job, job.options, input, report, isOpen)
        var configuration = options.configuration
        configuration.batchSize = job.batchSize
        configuration.cancellation = job.cancellation
        if isAgain {
            // The people who were saved first may be those of another state of the source, and the import has no list
            // of them.
            configuration.keepsBecause = """
                the connection to the database was lost, and the import began again; run it again to remove people
                """
        }
        self.configuration = configuration
    }

    private var slug: Slug { report.directory }

    /// Imports, or tries it out. Returns the summary, and the sums of all runs that the import took. Throws a
    /// ``StoreFailure`` if the database is away or held, and any error after a signal.
    func run() throws -> (summary: ImportSummary, total: Checkpoint?) {
        do {
            return options.isDryRun ? (try rehearse(), nil) : try save()
        } catch let error as RollcallError {
            // A repeated import tries again: the publisher may have changed the database meanwhile.
            return (ImportSummary(end: .failed(error)), nil)
        }
    }

    private func save() throws -> (summary: ImportSummary, total: Checkpoint?) {
        // The database is opened at the first use, so that a missing source file leaves no empty one behind. For a
        // service it is opened first, for its checkpoint: no request is spent before it is certain that its users can
        // be saved.
        let ledger = Source.self == ServiceSource.self ? try open().ledger(of: slug) : nil
        // An existing one is open before the source is read, so that the directory's settings are known.
        let existing = try options.database.exists ? open() : nil
        let directory = existing?.storedDirectories.first { $0.slug == slug }
        let source = try source(for: directory, in: existing, ledger)
        let logo = try settings?.logo()
        if let refusal = try refusal(of: source, by: existing) {
            return (ImportSummary(end: .failed(refusal)), nil)
        }

        var writer: (any DirectoryWriter)?
        let file = settings?.file
        let run = ImportRun(configuration: configuration) { [self] in
            let title = options.title(of: slug, file) ?? (directory == nil ? job.newTitle : nil)
            writer = try open().openDirectory(slug, title: title, source: job.kind) { options.hide(&$0, file) }
            try writer?.adopt(job.terms)
            return writer
        }
        var summary = run.run(source) { [report] event in
            if case .schema = event, let directory, let settings = writer?.directory.settings,
                let line = settings.visibilityChange(of: report.directory, since: directory.settings)
            {
                report.show(.note(line))
            }
            report.show(event)
        }
        try noteInterruption(of: &summary)
        // The directory exists now.
        if case .complete = summary.end {
            if logo != nil || file?.removesLogo == true { try open().set(logo, of: slug) }
            if summary.counts.added > 0 { try notePictures(in: open()) }
        }
        do {
            try savePhotos(of: source, summary)
        } catch let failure as any StoreFailure where failure.kind == .interruption {
            throw failure
        } catch {
            summary.end = .failed(error)
        }
        return (summary, try? ledger?.checkpoint())
    }

    /// Imports into a copy of the database that nobody sees, if there is a directory to copy, and compares.
    private func rehearse() throws -> ImportSummary {
        let existing = try options.database.openIfExisting()
        try resolve(among: existing?.directories ?? [])
        let directory = existing?.storedDirectories.first { $0.slug == slug }
        let source = try source(for: directory, in: existing, nil)

        let folder = try? TemporaryFolder(named: "rollcall-dry-run")
        defer { folder?.remove() }
        var copy: (any Store)?
        let run = ImportRun(configuration: configuration) { [self] in
            guard let existing, directory != nil, let folder else { return nil }
            copy = try? options.database.openCopy(of: existing, in: folder)
            return try copy?.openDirectory(slug, title: nil, source: job.kind)
        }
        var summary = run.run(source, observe: report.show)
        try noteInterruption(of: &summary)
        let showsWhoWouldGo = summary.removed != nil || summary.counts.departed > 0
        if let existing, let directory, let copy, summary.end.isComplete || showsWhoWouldGo {
            copy.refresh()
            report.difference = try ImportDifference(
                from: directory, in: existing, to: copy, limit: options.course.all ? .max : 20,
                isPruning: options.prune > .nobody)
        }
        return summary
    }

    private func open() throws -> any Store {
        if let opened { return opened.store }
        let store = try openStore(
            options.database, for: .importing, lockTimeout: options.course.locking.lockTimeout,
            isOver: { [cancellation = job.cancellation] in cancellation.isCancelled })
        try resolve(among: store.directories)
        isOpen(store)
        opened = (store, try takeLock(in: store))
        return store
    }

    /// Chooses the directory to fill among those that there are.
    private func resolve(among directories: [Directory]) throws {
        let (slug, note) = try job.target.resolved(among: directories)
        report.fill(slug, note)
    }

    /// Waits until no other process imports into the directory.
    private func takeLock(in store: any Store) throws -> any StoreLock {
        let (slug, limit) = (slug, options.course.locking.lockTimeout)
        return try job.cancellation.lock(
            for: "import \(job.kind)", within: limit, attempt: { try store.attemptImportLock(of: slug, name: $0) },
            isWaiting: { report.show(.note("waiting for another import into \(slug), for up to \(limit) s: \($0)")) },
            busy: { StoreError(.held, "another import is filling \(slug) (\($0)); try again when it has finished") })
    }

    /// Returns the source of people for `directory`, which is to be made if it is `nil`.
    private func source(
        for directory: StoredDirectory?, in store: (any Store)?, _ ledger: (any ImportLedger)?
    ) throws -> Source {
        settings = try options.file.source
        if directory == nil { report.announcement = newDirectory(beside: store?.directories ?? []) }
        let request = try options.request(of: directory, in: store, settings?.file)
        for notice in settings?.file.settings.own.brandNotices ?? [] { report.show(.note(notice)) }
        return try job.makeSource(request, input, ledger)
    }

    /// Throws the failure of a lost connection, so that the import begins again. If its input cannot be read again, the
    /// summary ends with what is to be done instead.
    private func noteInterruption(of summary: inout ImportSummary) throws {
        guard case .failed(let failure as any StoreFailure) = summary.end, failure.kind == .interruption else { return }
        guard let lost = input.lostBeginning else { throw failure }
        let records = counted(summary.unsaved, "record was", "records were")
        summary.end = .failed(
            RollcallError(
                """
                \(failure). \(records) read and not saved, and the rest was not read: \(lost). Run the same command \
                again with the whole input
                """))
    }

    /// Judges the source before anything is saved, if the import prunes, and if the source can be read twice. Returns
    /// the reason not to import it.
    private func refusal(of source: Source, by store: (any Store)?) throws -> (any Error)? {
        guard configuration.prune == .few, configuration.keepsBecause == nil,
            Source.isRepeatable, let judge = try store?.makePruningJudge(of: slug), judge.total > 5
        else { return nil }
        input.keepStreams()
        return try ImportRun.refusal(of: source, judge: judge, configuration: configuration)
    }

    /// Reports how people get their pictures, if some of the first have the address of one and none is stored yet.
    private func notePictures(in store: any Store) throws {
        guard try store.pictureTotals().pictures == 0 else { return }
        store.refresh()
        guard let directory = store.storedDirectories.first(where: { $0.slug == slug }),
            directory.settings.storesPictures,
            let page = try store.makeReader().page(UserQuery(directory: directory.id, limit: 100)),
            page.users.users.contains(where: { $0.avatarURL?.hasPrefix("http") == true })
        else { return }
        report.show(.note("\(slug): pages show initials until `rollcall pictures` has fetched people's pictures"))
    }

    /// Makes the photos of people into pictures, and names the files of the publisher's folder that show nobody.
    private func savePhotos(of source: Source, _ summary: ImportSummary) throws {
        guard let folder = try source.openPhotos() else { return }
        if case .complete = summary.end, folder.matchesNames {
            let unused = folder.unused(besides: Set(summary.photos.map { $0.path.joined(separator: "/") }))
            for (file, reason) in unused.prefix(20) { report.show(.note("photo \(file): \(reason)")) }
            if unused.count > 20 { report.show(.note("\(grouped(unused.count - 20)) more files are not used")) }
        }
        let photos = summary.photos
        if photos.isEmpty { return }
        let store = try open()
        var saver = try PhotoSaver(folder: folder, directory: store.directory(named: slug), store: store) {
            [report] in report.show(.note("photo \($0)"))
        }
        try saver.save(photos) { job.cancellation.isCancelled }
        report.show(.note(counted(saver.saved, "photo") + " saved"))
    }

    /// Returns how to fill another directory, if the source has another name than that of `directories`.
    private func newDirectory(beside directories: [Directory]) -> String? {
        guard options.target.directory == nil, !directories.isEmpty else { return nil }
        let slugs = directories.prefix(5).map(\.slug).list
        let more = directories.count > 5 ? ", …" : ""
        return "--directory fills another one (\(slugs)\(more))"
    }
}
