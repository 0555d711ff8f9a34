import Directories
import Dispatch
import Foundation
import Importers
import StoreSQLite

/// An import from the command line: once, or repeatedly until a signal ends it.
struct Importing<Source: ImportSource> {
    let options: ImportOptions
    let kind: String
    let slug: Slug
    let batchSize: Int?
    let terms: Terms
    let makeSource: (ImportContext) throws -> Source
    private let cancellation = ImportCancellation()
    private let wake = DispatchSemaphore(value: 0)

    init(
        options: ImportOptions, kind: String, slug: Slug, batchSize: Int?, terms: Terms,
        makeSource: @escaping (ImportContext) throws -> Source
    ) {
        self.options = options
        self.kind = kind
        self.slug = slug
        self.batchSize = batchSize
        self.terms = terms
        self.makeSource = makeSource
    }

    /// Returns the exit status.
    func run() throws -> Int32 {
        // The first Ctrl-C ends the import after the current batch. A second one ends it at once and loses only that
        // batch.
        let signals = onTermination { [cancellation, wake] number in
            if cancellation.isCancelled { _exit(128 + number) }
            cancellation.cancel()
            wake.signal()
        }
        defer { for signal in signals { signal.cancel() } }
        guard let interval = options.repetition?.duration else { return try importOnce().status }
        while true {
            let start = ContinuousClock.now
            let outcome = try importOnce()
            if cancellation.isCancelled { return 0 }
            if case .failed(isLasting: true) = outcome { return outcome.status }
            wait(outcome.pause(sinceStart: ContinuousClock.now - start, interval))
            if cancellation.isCancelled { return 0 }
        }
    }

    private func importOnce() throws -> ImportOutcome {
        let report = ImportReport(directory: slug, isDryRun: options.isDryRun, format: options.progressFormat)
        // The store is opened lazily, so that a missing source file leaves no empty database behind. For a service it
        // is opened first, for its checkpoint: no request is spent before it is certain that its users can be saved.
        let turn = ImportLock(
            directory: slug, database: options.database, kind: kind, lockTimeout: options.locking.lockTimeout,
            cancellation: cancellation
        ) { report.show(.note($0)) }
        let store = LazyStore(turn)
        var configuration = ImportRun.Configuration()
        if let batchSize { configuration.batchSize = batchSize }
        configuration.isPruning = options.isPruning
        configuration.cancellation = cancellation
        configuration.isDryRun = options.isDryRun
        var copy: DatabaseCopy?
        defer { copy?.remove() }
        let run = ImportRun(configuration: configuration) {
            if options.isDryRun {
                guard let existing = try store.existing(isDryRun: true),
                    existing.directories.contains(where: { $0.slug == slug })
                else { return nil }
                copy = DatabaseCopy(of: options.database)
                return try copy?.store.openDirectory(slug, title: nil, source: kind)
            }
            let writer = try store.open().openDirectory(slug, title: try options.title(of: slug), source: kind)
            try writer.adopt(terms)
            return writer
        }
        let isRemembered = Source.self == ServiceSource.self && !options.isDryRun
        do {
            let ledger = isRemembered ? try store.open().ledger(of: slug) : nil
            let settings = try store.existing(isDryRun: options.isDryRun).map { existing in
                let directory = existing.directories.first { $0.slug == slug }
                if directory == nil { noteNewDirectory(beside: existing.directories, report) }
                return try options.settings(of: directory, in: existing)
            }
            let context = ImportContext(ledger: ledger, settings: try settings ?? options.settings())
            let logo = try options.logo
            for notice in try options.settingsFile?.settings.own.brandNotices ?? [] { report.show(.note(notice)) }
            let summary = run.run(try makeSource(context), observe: report.show)
            // The directory exists now.
            if let logo, !options.isDryRun, case .complete = summary.end { try store.open().set(logo, of: slug) }
            return report.finish(summary, total: try? ledger?.checkpoint())
        } catch let busy as ImportBusy {
            return report.finish(ImportSummary(end: .failed(busy)), total: nil)
        } catch  where error is ImportCancellation.Stop || cancellation.isCancelled {
            return report.finish(ImportSummary(end: .cancelled), total: nil)
        }
    }

    /// Reports that the import makes another directory, because the source has another name than that of `directories`.
    private func noteNewDirectory(beside directories: [Directory], _ report: ImportReport) {
        guard options.target.chosenDirectory == nil, !directories.isEmpty else { return }
        let slugs = directories.prefix(5).map(\.slug.text).joined(separator: ", ")
        let more = directories.count > 5 ? ", …" : ""
        let advice = "--directory fills another one (\(slugs)\(more))"
        report.show(.note("\(slug): a new public directory, named after the source; \(advice)"))
    }

    /// Waits on a clock that nobody sets, and that runs while the machine sleeps: a day by which the time of day is
    /// corrected must not delay the next import by a day.
    private func wait(_ pause: Duration) {
        let end = ContinuousClock.now + pause
        let line = "next import at \((Date() + pause.seconds).ISO8601Format())"
        StandardStreams.write(options.progressFormat == .json ? JSONLine.text(["note": line]) : line + "\n")
        while !cancellation.isCancelled, case let left = end - ContinuousClock.now, left > .zero {
            // The semaphore's clock stands still while the machine sleeps: an hour at most is missed that way.
            _ = wake.wait(timeout: .now() + min(left.seconds, 3600))
        }
    }
}

/// The inputs for creating a source.
struct ImportContext {
    /// The stored state of earlier imports, for sources that have one.
    var ledger: (any ImportLedger)?
    var settings: ImportSettings
}

/// The way an import ended.
enum ImportOutcome: Equatable {
    case complete, rejections, interrupted
    /// Another import is filling the directory.
    case busy
    case comeBack(Date)
    /// A lasting failure occurs again at the next attempt, until the user changes something.
    case failed(isLasting: Bool)

    var status: Int32 {
        switch self {
        case .complete: 0
        case .failed: 1
        case .rejections: 2
        // EX_TEMPFAIL of sysexits(3).
        case .comeBack, .busy: 75
        case .interrupted: 130
        }
    }

    /// Returns how long a repeated import, which took `elapsed`, waits before it begins again: for the interval from
    /// its start on and up to a tenth more, at random, so that many do not begin at once; or until a service wants to
    /// be asked.
    func pause(sinceStart elapsed: Duration, _ interval: Duration) -> Duration {
        if case .comeBack(let date) = self {
            return .seconds(max(0, date.timeIntervalSinceNow) + Double.random(in: 0...2))
        }
        return max(.zero, interval * Double.random(in: 1...1.1) - elapsed)
    }
}

/// The store that `--database` names, opened at the first use, when this import holds the lock.
private final class LazyStore {
    private let turn: ImportLock
    private var opened: (store: any Store, lock: FileLock)?

    init(_ turn: ImportLock) { self.turn = turn }

    /// Returns the store if its file exists, so that the directory's settings are known before the source is read.
    func existing(isDryRun: Bool) throws -> (any Store)? {
        if let opened { return opened.store }
        guard FileManager.default.fileExists(atPath: turn.database) else { return nil }
        return isDryRun ? try openStore(turn.database) : try open()
    }

    func open() throws -> any Store {
        if let opened { return opened.store }
        let store = try openStore(turn.database, isForWriting: true, lockTimeout: turn.lockTimeout) {
            [cancellation = turn.cancellation] in cancellation.isCancelled
        }
        opened = (store, try turn.take())
        return store
    }
}
