import ArgumentParser
import Base
import Foundation
import Importers
import People
import Publishing
import StoreEngine

/// An import from the command line: once, or repeatedly until a signal ends it.
struct ImportJob<Source: ImportSource> {
    let options: ImportOptions
    let kind: String
    let target: ImportTarget
    /// The title of a new directory that the publisher gives none; `nil` for its slug.
    let newTitle: String?
    let batchSize: Int?
    let terms: Terms
    let makeSource: (ImportContext) throws -> Source
    private let cancellation = ImportCancellation()

    /// Throws the exit status unless that is 0.
    func run() throws { try options.repetition.run("import", cancellation, importOnce) }

    /// Imports. If the database goes away meanwhile, waits and imports again, from the beginning or from the last
    /// checkpoint: users that are saved already count as unchanged. Ends with an error if the beginning is lost.
    private func importOnce(_ interruption: Interruption) throws -> RunOutcome {
        let report = ImportReport(
            options.purpose, directory: target.slug, format: options.repetition.progress)
        var log = ImportLog(report)
        let input = KeptInput(keepsStreams: try options.database.canGoAway && !options.isDryRun)
        var isAgain = false
        do {
            let (summary, total) = try interruption.retrying(note: { report.show(.note($0)) }) {
                defer { isAgain = true }
                return try attempt(input, isAgain: isAgain, report) { store in
                    interruption.noteOpened()
                    log.store = store
                }
            }
            let outcome = report.finish(summary, total: total)
            log.note(summary, outcome.status)
            return outcome
        } catch is CancellationError {
            let outcome = report.finish(ImportSummary(end: .cancelled), total: nil)
            log.note(ImportSummary(), outcome.status)
            return outcome
        } catch {
            // The program ends with this status, because of the error.
            log.note(ImportSummary(), ExitCode.failure.rawValue)
            throw error
        }
    }

    /// Imports once, or tries it out, and calls `opened` with the store when that is open. Returns the summary, and the
    /// sums of all runs that the import took. Throws a ``StoreFailure`` if the database is away.
    ///
    /// - Parameter isAgain: Whether an earlier attempt lost the database.
    private func attempt(
        _ input: KeptInput, isAgain: Bool, _ report: ImportReport, _ opened: @escaping (any Store) -> Void
    ) throws -> (summary: ImportSummary, total: Checkpoint?) {
        var configuration = ImportRun.Configuration()
        if let batchSize { configuration.batchSize = batchSize }
        configuration.prune = options.prune
        if isAgain { configuration.keepsBecause = Self.keepsAfterInterruption }
        configuration.cancellation = cancellation
        configuration.isDryRun = options.isDryRun
        do {
            return options.isDryRun
                ? (try rehearse(input, configuration, report), nil)
                : try save(input, configuration, report, opened)
        } catch let error where error is RollcallError || (error as? any StoreFailure)?.kind == .forLater {
            // A repeated import tries again: the publisher may have changed the database meanwhile.
            return (ImportSummary(end: .failed(error)), nil)
        } catch  where error is CancellationError || cancellation.isCancelled {
            return (ImportSummary(end: .cancelled), nil)
        }
    }

    private func save(
        _ input: KeptInput, _ configuration: ImportRun.Configuration, _ report: ImportReport,
        _ opened: @escaping (any Store) -> Void
    ) throws -> (summary: ImportSummary, total: Checkpoint?) {
        // The store is opened lazily, so that a missing source file leaves no empty database behind. For a service it
        // is opened first, for its checkpoint: no request is spent before it is certain that its users can be saved.
        let store = LazyStore(options, target, kind, cancellation, report, opened)
        let ledger = Source.self == ServiceSource.self ? try store.open().ledger(of: store.slug) : nil
        let existing = try store.existing()
        let directory = existing?.storedDirectories.first { $0.slug == store.slug }
        let logo = try options.logo
        let source = try source(for: directory, store.slug, in: existing, ledger, input, report)
        if let refusal = try refusal(of: source, input, by: existing, store.slug, configuration) {
            return (ImportSummary(end: .failed(refusal)), nil)
        }

        var writer: (any DirectoryWriter)?
        var wasPrivate = directory?.settings.isPrivate
        let run = ImportRun(configuration: configuration) {
            let title = try options.title(of: store.slug) ?? (directory == nil ? newTitle : nil)
            writer = try store.open().openDirectory(store.slug, title: title, source: kind) { settings in
                if try options.isPrivate { settings.isPrivate = true }
            }
            try writer?.adopt(terms)
            return writer
        }
        var summary = run.run(source) { event in
            if case .schema = event, let before = wasPrivate, let now = writer?.directory.settings.isPrivate,
                let line = store.slug.visibilityChange(from: before, to: now)
            {
                report.show(.note(line))
                wasPrivate = now
            }
            report.show(event)
        }
        try noteInterruption(of: &summary, input)
        // The directory exists now.
        if case .complete = summary.end {
            if try logo != nil || options.settingsFile?.removesLogo == true {
                try store.open().set(logo, of: store.slug)
            }
            if summary.counts.added > 0 { try notePictures(of: store.slug, in: store.open(), report) }
        }
        do {
            try savePhotos(of: source, summary, in: store, report)
        } catch let failure as any StoreFailure where failure.kind == .interruption {
            throw failure
        } catch {
            summary.end = .failed(error)
        }
        return (summary, try? ledger?.checkpoint())
    }

    /// Imports into a copy of the database that nobody sees, if there is a directory to copy, and compares.
    private func rehearse(
        _ input: KeptInput, _ configuration: ImportRun.Configuration, _ report: ImportReport
    ) throws -> ImportSummary {
        let existing = try options.database.openIfExisting()
        let (slug, note) = try target.resolved(among: existing?.directories ?? [])
        report.fill(slug, note)
        let directory = existing?.storedDirectories.first { $0.slug == slug }
        let source = try source(for: directory, slug, in: existing, nil, input, report)

        var copy: DatabaseCopy?
        defer { copy?.remove() }
        let run = ImportRun(configuration: configuration) {
            guard let existing, directory != nil else { return nil }
            copy = DatabaseCopy(of: existing, at: options.database)
            return try copy?.store.openDirectory(slug, title: nil, source: kind)
        }
        var summary = run.run(source, observe: report.show)
        try noteInterruption(of: &summary, input)
        let showsWhoWouldGo = summary.removed != nil || summary.counts.departed > 0
        if let existing, let directory, let copy, summary.end.isComplete || showsWhoWouldGo {
            copy.store.refresh()
            let difference = try ImportDifference(
                from: directory, in: existing, to: copy.store, limit: options.course.all ? .max : 20)
            report.difference = DifferenceReport(difference: difference, isPruning: options.prune > .nobody)
        }
        return summary
    }

    /// Returns the source of people for `directory`, which is to be made with the name `slug` if it is `nil`.
    private func source(
        for directory: StoredDirectory?, _ slug: Slug, in store: (any Store)?, _ ledger: (any ImportLedger)?,
        _ input: KeptInput, _ report: ImportReport
    ) throws -> Source {
        if directory == nil { report.announcement = try newDirectory(slug, beside: store?.directories ?? []) }
        let request = try options.request(of: directory, in: store)
        for notice in try options.settingsFile?.settings.own.brandNotices ?? [] { report.show(.note(notice)) }
        return try makeSource(ImportContext(ledger: ledger, request: request, input: input))
    }

    /// Throws the failure of a lost connection, so that the import begins again. If its input cannot be read again, the
    /// summary ends with what is to be done instead.
    private func noteInterruption(of summary: inout ImportSummary, _ input: KeptInput) throws {
        guard case .failed(let failure as any StoreFailure) = summary.end, failure.kind == .interruption else { return }
        guard let lost = input.lostBeginning else { throw failure }
        summary.end = .failed(Self.unsavedRecords(summary.unsaved, failure, lost))
    }

    /// The error of an import that lost the database, and whose input cannot be read again.
    private static func unsavedRecords(_ count: Int, _ failure: any StoreFailure, _ lost: String) -> RollcallError {
        RollcallError(
            """
            \(failure). \(counted(count, "record was", "records were")) read and not saved, and the rest was not read: \
            \(lost). Run the same command again with the whole input
            """)
    }

    /// Judges the source before anything is saved, if the import prunes, and if the source can be read twice. Returns
    /// the reason not to import it.
    private func refusal(
        of source: Source, _ input: KeptInput, by store: (any Store)?, _ slug: Slug,
        _ configuration: ImportRun.Configuration
    ) throws -> (any Error)? {
        guard configuration.prune == .few, configuration.keepsBecause == nil,
            Source.isRepeatable, let judge = try store?.makePruningJudge(of: slug), judge.total > 5
        else { return nil }
        input.keepStreams()
        return try ImportRun.refusal(of: source, judge: judge, configuration: configuration)
    }

    /// The people who were saved first may be those of another state of the source, and the import has no list of them.
    private static var keepsAfterInterruption: String {
        "the connection to the database was lost, and the import began again; run it again to remove people"
    }

    /// Reports how people get their pictures, if some of the first have the address of one and none is stored yet.
    private func notePictures(of slug: Slug, in store: any Store, _ report: ImportReport) throws {
        guard try store.pictureTotals().pictures == 0 else { return }
        store.refresh()
        guard let directory = store.storedDirectories.first(where: { $0.slug == slug }), directory.storesPictures,
            let page = try store.makeReader().page(UserQuery(directory: directory.id, limit: 100)),
            page.users.users.contains(where: { $0.avatarURL?.hasPrefix("http") == true })
        else { return }
        report.show(.note("\(slug): pages show initials until `rollcall pictures` has fetched people's pictures"))
    }

    /// Makes the photos of people into pictures, and names the files of the publisher's folder that show nobody.
    private func savePhotos(
        of source: Source, _ summary: ImportSummary, in store: LazyStore, _ report: ImportReport
    ) throws {
        guard let folder = try source.openPhotos() else { return }
        if case .complete = summary.end, folder.matchesNames {
            let unused = folder.unused(besides: Set(summary.photos.map { $0.path.joined(separator: "/") }))
            for (file, reason) in unused.prefix(20) { report.show(.note("photo \(file): \(reason)")) }
            if unused.count > 20 { report.show(.note("\(grouped(unused.count - 20)) more files are not used")) }
        }
        let photos = summary.photos
        if photos.isEmpty { return }
        let (slug, store) = (store.slug, try store.open())
        var saver = try PhotoSaver(folder: folder, directory: store.directory(named: slug), store: store) {
            report.show(.note("photo \($0)"))
        }
        try saver.save(photos) { [cancellation] in cancellation.isCancelled }
        report.show(.note(counted(saver.saved, "photo") + " saved"))
    }

    /// Returns the message that the import makes another directory, if the source has another name than that of
    /// `directories`.
    private func newDirectory(_ slug: Slug, beside directories: [Directory]) throws -> String? {
        guard options.target.directory == nil, !directories.isEmpty else { return nil }
        let slugs = directories.prefix(5).map(\.slug.text).joined(separator: ", ")
        let more = directories.count > 5 ? ", …" : ""
        let advice = "--directory fills another one (\(slugs)\(more))"
        let kind = try options.isPrivate ? "private" : "public"
        return "\(slug): a new \(kind) directory, named after the source; \(advice)"
    }
}

/// The inputs for creating a source.
struct ImportContext {
    /// The stored state of earlier imports, for sources that have one.
    var ledger: (any ImportLedger)?
    var request: ImportRequest
    /// The part of a file that earlier attempts have read.
    var input: KeptInput
}

/// The store that `--database` names, opened at the first use, when this import holds the lock.
private final class LazyStore {
    private let database: DatabaseLocation
    private let target: ImportTarget
    private let kind: String
    /// In seconds.
    private let lockTimeout: Int
    private let cancellation: ImportCancellation
    private let report: ImportReport
    private let isOpen: (any Store) -> Void
    private var opened: (store: any Store, lock: any StoreLock)?
    /// The directory to fill.
    private(set) var slug: Slug

    /// - Parameter isOpen: Called when the store is open.
    init(
        _ options: ImportOptions, _ target: ImportTarget, _ kind: String, _ cancellation: ImportCancellation,
        _ report: ImportReport, _ isOpen: @escaping (any Store) -> Void
    ) {
        (database, lockTimeout) = (options.database, options.locking.lockTimeout)
        (self.target, self.kind, self.cancellation) = (target, kind, cancellation)
        (self.report, self.isOpen) = (report, isOpen)
        slug = target.slug
    }

    /// Returns the store if it exists, so that the directory's settings are known before the source is read.
    func existing() throws -> (any Store)? { try opened != nil || database.exists ? open() : nil }

    func open() throws -> any Store {
        if let opened { return opened.store }
        let store = try openStore(database, for: .importing, lockTimeout: lockTimeout) { [cancellation] in
            cancellation.isCancelled
        }
        let (slug, note) = try target.resolved(among: store.directories)
        self.slug = slug
        report.fill(slug, note)
        isOpen(store)
        opened = (store, try takeLock(in: store))
        return store
    }

    /// Waits until no other process imports into the directory.
    private func takeLock(in store: any Store) throws -> any StoreLock {
        try cancellation.lock(
            for: "import \(kind)", within: lockTimeout, attempt: { try store.attemptImportLock(of: slug, name: $0) },
            isWaiting: {
                report.show(.note("waiting for another import into \(slug), for up to \(lockTimeout) s: \($0)"))
            },
            busy: { StoreError(.held, "another import is filling \(slug) (\($0)); try again when it has finished") })
    }
}
