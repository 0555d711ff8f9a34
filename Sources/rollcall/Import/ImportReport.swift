import Foundation
import Importers
import People
import Publishing

/// Reports the progress of an import on standard error, and its summary on standard output. Used by one thread only.
final class ImportReport {
    enum Purpose {
        case saving
        /// A dry run, whose result is lines, or one JSON object.
        case dryRun, dryRunForPrograms
        /// The directory is in a temporary database.
        case showing
    }

    private(set) var directory: Slug
    private let purpose: Purpose
    private let start = ContinuousClock.now
    /// How to fill another directory than a new one: printed before the first people, because an import that fails
    /// earlier makes none.
    var announcement: String?
    var difference: ImportDifference?
    private var reporter: Reporter
    private var lastWaiting: Backoff?
    /// The lines that follow the sentences about what was understood.
    private var advice: [String] = []
    private var shownRejections = 0
    private static let maxShownRejections = 100

    init(_ purpose: Purpose, directory: Slug, format: TextFormat? = nil) {
        (self.purpose, self.directory, reporter) = (purpose, directory, Reporter(format))
    }

    private var isDryRun: Bool { purpose == .dryRun || purpose == .dryRunForPrograms }

    /// Names the directory that the import fills.
    func fill(_ directory: Slug, _ text: String?) {
        self.directory = directory
        text.map(reporter.note)
    }

    func show(_ event: ImportEvent) {
        switch event {
        case .note(let text): reporter.note(text)
        case .schema(let schema):
            let kind = schema.resolved.shown.looks.sites.rawValue
            announcement.map { reporter.note("\(directory): a new \(kind) directory, named after the source; \($0)") }
            announcement = nil
            if isDryRun { schema.agreed.forEach { reporter.note("\(directory): \($0.fact)") } }
            advice = schema.columnLines
        case .rejected(let rejection):
            shownRejections += 1
            if shownRejections <= Self.maxShownRejections { reporter.tell("rejected \(rejection)", as: "rejection") }
        case .progress(let state):
            let waiting = state.service.waiting
            let isNews = waiting != lastWaiting && (reporter.isTerminal || waiting != nil)
            lastWaiting = waiting
            if reporter.isDue(state.elapsed, isNews: isNews) {
                reporter.show(state.share?.ofAll, state.parts, object: JSONLine.text(["progress": state.json]))
            }
        }
    }

    /// Prints the last lines and returns how the import ended. `total` holds the sums of all runs that the import took.
    func finish(_ summary: ImportSummary, total: Checkpoint?) -> RunOutcome {
        let unseen = summary.progress.rejected - Self.maxShownRejections
        reporter.clear()
        if unseen > 0 { reporter.tell("… and \(grouped(unseen)) more rejected") }
        show(summary)
        if let reason = summary.keptBecause { reporter.tell("nobody was removed: \(reason)") }
        let earlier = total.flatMap { $0.requests > summary.progress.service.requests ? $0 : nil }
        var outcome = RunOutcome(summary.end)
        if outcome == .complete, max(summary.progress.rejected, earlier?.rejected ?? 0) > 0 { outcome = .rejections }
        if outcome != .complete || !StandardStreams.leavesOutNotes { printSummary(summary, earlier) }
        reporter.tell(summary.end)
        return outcome
    }

    /// Prints what was understood, and what was lost.
    func show(_ summary: ImportSummary) {
        for line in summary.sentences + advice + summary.notes { reporter.note(line) }
        // Two people in place of one stay until somebody acts, so --quiet does not hide it.
        for line in summary.namesakeAdvice { reporter.tell(line) }
        advice = []
        if purpose == .saving, summary.schema?.isFirst == true {
            reporter.note("rollcall directories settings \(directory) shows all settings")
        }
    }

    private func printSummary(_ summary: ImportSummary, _ earlier: Checkpoint?) {
        switch purpose {
        case .dryRunForPrograms:
            guard summary.end.isComplete else { return }
            return StandardStreams.print(
                json: JSONLine.text(summary.json(of: directory, difference)))
        case .dryRun:
            if reporter.isJSON {
                if let plan = summary.previewJSON { StandardStreams.print(json: JSONLine.text(["plan": plan])) }
            } else {
                for line in summary.previewLines + (difference?.lines ?? []) { print(line) }
            }
        case .saving, .showing: break
        }
        if reporter.isJSON {
            let object = summary.json(of: directory, isDryRun: isDryRun)
            StandardStreams.print(json: JSONLine.text(["summary": object]))
        } else if !summary.isOfNothing {
            print(summary.line(of: directory, isDryRun: isDryRun))
            if let earlier { print(earlier.line) }
        }
    }

    /// Records how the import ended, for `/metrics`. Nothing is recorded if the database was never opened, or if it has
    /// no such directory. An import that is saved has not failed because this cannot be saved.
    func record(_ summary: ImportSummary, _ status: Int32, in store: (any Store)?) {
        let milliseconds = Int64((ContinuousClock.now - start).seconds * 1000)
        let record = LastImport(
            endedAt: Int64(Date().timeIntervalSince1970), milliseconds: milliseconds, status: Int(status),
            added: summary.counts.added, changed: summary.counts.changed, removed: summary.removed ?? 0,
            rejected: summary.progress.rejected)
        do { try store?.note(record, of: directory) } catch {
            if status == 0 { show(.note("\(directory): cannot record how this import ended: \(error)")) }
        }
    }
}

extension ImportSummary {
    /// Whether the import failed before there was anything to report.
    fileprivate var isOfNothing: Bool {
        guard case .failed = end else { return false }
        return progress.users == 0 && progress.rejected == 0 && progress.service.requests == 0
    }
}
