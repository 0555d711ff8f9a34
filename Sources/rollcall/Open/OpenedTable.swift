import ArgumentParser
import Base
import Foundation
import Importers
import People
import Publishing
import Synchronization

/// A file and the directory that shows it.
final class OpenedTable: Sendable {
    enum Outcome {
        /// A URL answers that the file is the same.
        case unchanged
        /// The file may be half-written: it is to be read again when it has not changed for a while.
        case unsettled
        case shown(line: String)
        /// The line says why nothing did.
        case kept(line: String)
    }

    /// A reading of the file, to compare later ones with.
    private struct Reading {
        let time = Date()
        let people: Int
        let lacksLineEnd: Bool

        init(_ summary: ImportSummary) {
            (people, lacksLineEnd) = (summary.progress.users, summary.layout?.lacksLineEnd == true)
        }
    }

    let source: NamedSource
    let cancellation = ImportCancellation()
    private let database: DatabaseLocation
    private let edits: SettingsEdits
    /// Whether the file with settings takes the place of all present ones.
    private let replacesSettings: Bool
    /// The column by which people are known, if no option names one.
    private let key = Mutex<[String]>([])
    /// The reading that pages show.
    private let shown = Mutex(Reading(ImportSummary(end: .cancelled)))
    /// The files that are read again when they change, and their state before they were read.
    let watched: WatchedFiles
    let stampAtStart: WatchStamp

    init(
        _ source: NamedSource, database: DatabaseLocation, _ edits: SettingsEdits, _ file: SettingsFileOption
    ) {
        (self.source, self.database, self.edits) = (source, database, edits)
        replacesSettings = file.replacement.replace
        isWatched = source.remote != nil || source.path.fileType == S_IFREG
        let parent = source.path.lastIndex(of: "/").map { String(source.path[..<$0]) + "/" } ?? "."
        watched = WatchedFiles(
            file: source.path, settings: file.settings, photos: source.options.photos ?? parent)
        stampAtStart = WatchStamp(of: watched)
    }

    /// Whether the file can be read again when it changes.
    let isWatched: Bool
    var chosenKey: [String] { key.withLock { $0 } }

    /// Fills the directory for the first time. Returns `false` if a signal ended it, and throws what an import reports.
    func loadFirst() throws -> Bool {
        let report = ImportReport(.showing, directory: source.slug)
        guard let summary = try load(observe: report.show) else { return false }
        try summary.end.throwFailure()
        guard summary.end.isComplete else { return false }
        shown.withLock { $0 = Reading(summary) }
        report.show(summary)
        return true
    }

    /// Reads the file again.
    ///
    /// - Parameter isSettled: Whether the file has not changed for a while, so that nobody writes it now.
    func reload(isSettled: Bool) -> Outcome {
        do {
            try expect(source.remote != nil || source.path.fileType != nil, "it is gone")
            let judge = { try self.judge($0, isSettled: isSettled) }
            guard let summary = try load(judge: judge) else { return .unchanged }
            try summary.end.throwFailure()
            shown.withLock { $0 = Reading(summary) }
            let changes = listed(summary.counts.changes(removed: summary.removed ?? 0))
            let lost = summary.schema?.missingColumnLines ?? []
            return .shown(line: "\(source.name): \(([changes] + lost).joined(separator: "; "))".printable)
        } catch is CancellationError {
            return .unsettled
        } catch {
            let time = shown.withLock { $0.time }.formatted(Self.time)
            return .kept(line: "\(failure(error)); pages stay as of \(time)")
        }
    }

    /// Returns what an error says about the table, in one line that names it.
    func failure(_ error: any Error) -> String {
        let reason = "\(error)"
        return (reason.hasPrefix(source.name) ? reason : "\(source.name): \(reason)").printable
    }

    /// Throws if the file, which was read without saving anything, must leave the directory as it is: a
    /// `CancellationError` as long as it may be half-written.
    private func judge(_ summary: ImportSummary, isSettled: Bool) throws {
        try summary.end.throwFailure()
        try expect(summary.progress.users > 0, "it has no people")
        let shown = shown.withLock { $0 }
        // A file that grows lacks nobody yet, whatever its end is like.
        let hasLostEnd = Reading(summary).lacksLineEnd && !shown.lacksLineEnd && summary.progress.users <= shown.people
        if summary.cut == nil, !hasLostEnd, summary.progress.users >= shown.people { return }
        // A file that was cut between two rows looks like one whose last people were deleted.
        if !isSettled { throw CancellationError() }
        if let cut = summary.cut { throw RollcallError("\(cut)") }
        try expect(!hasLostEnd, "its last line has lost its end and may be cut off; if it is not, end that line")
    }

    /// 09:41:03, in the time of this place.
    private static let time = Date.VerbatimFormatStyle(
        format: """
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)
            """, timeZone: .current, calendar: Calendar(identifier: .gregorian))

    /// Returns `nil` if the file has not changed since it was fetched last.
    ///
    /// - Parameter judge: Throws unless what was read may be saved. Without it, whatever was read is.
    private func load(
        judge: ((ImportSummary) throws -> Void)? = nil, observe: @escaping (ImportEvent) -> Void = { _ in }
    ) throws -> ImportSummary? {
        let store = try openStore(database, for: .importing)
        let directory = store.storedDirectories.first { $0.slug == source.slug }
        let file = source.file(try request(of: directory, in: store), KeptInput(keepsStreams: judge != nil))
        var configuration = ImportRun.Configuration()
        configuration.cancellation = cancellation
        if let judge {
            // Judged before anything is saved: what cannot be read to its end leaves the directory as it is.
            let summary = ImportRun(writer: nil, configuration: configuration).run(file)
            if summary.progress.service.isUnchanged { return nil }
            try judge(summary)
        }
        configuration.prune = .allBesideRejections
        let (slug, title) = (source.slug, source.title)
        let run = ImportRun(configuration: configuration) {
            try store.openDirectory(slug, title: directory == nil ? title : nil, source: "file")
        }
        let summary = run.run(file, observe: observe)
        if let schema = summary.schema { key.withLock { $0 = schema.inferredKey } }
        if !summary.photos.isEmpty, let folder = try file.openPhotos() {
            store.refresh()
            var saver = try PhotoSaver(folder: folder, directory: store.directory(named: slug), store: store) {
                StandardStreams.note("photo \($0)".printable + "\n")
            }
            try saver.save(summary.photos) { [cancellation] in cancellation.isCancelled }
        }
        return summary
    }

    private func request(of directory: StoredDirectory?, in store: any Store) throws -> ImportRequest {
        var request = ImportRequest(edits, of: directory, in: store)
        request.missing = .erase
        if let path = watched.settings {
            let file = try SettingsSource(path: path).file
            // Earlier settings of the file do not count any more.
            let inferred = DirectorySettings(inferred: request.stored.inferred)
            request.own = try file.applied(to: inferred, replacingAll: replacesSettings).own
            request.file = file.settings.own
        }
        return request
    }
}
