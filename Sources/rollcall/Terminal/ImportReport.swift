import ArgumentParser
import Bytes
import Directories
import Foundation
import Importers

/// How an import tells how it goes.
enum ProgressFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

/// Tells on standard error how an import goes, and on standard output what it did. Belongs to one thread.
final class ImportReport {
    private let directory: Slug
    private let isDryRun: Bool
    private let isJSON: Bool
    private var progress: Progress
    private var shownRejections = 0
    private static let maxShownRejections = 100

    init(directory: Slug, isDryRun: Bool, format: ProgressFormat? = nil) {
        self.directory = directory
        self.isDryRun = isDryRun
        isJSON = format == .json
        progress = Progress(isTerminal: format == nil && isatty(STDERR_FILENO) == 1)
    }

    func show(_ event: ImportEvent) {
        switch event {
        case .note(let text): print(text, as: "note")
        case .rejected(let rejection):
            shownRejections += 1
            if shownRejections <= Self.maxShownRejections { print("rejected \(rejection)", as: "rejection") }
        case .progress(let state):
            guard progress.isDue(state) else { return }
            write(isJSON ? ProgressJSON(state).line : progress.text(state))
        }
    }

    /// Prints the last lines and says how the import ended. `total` is what is known of all runs that it took.
    func finish(_ summary: ImportSummary, total: Checkpoint?) -> ImportOutcome {
        let unseen = summary.progress.rejected - Self.maxShownRejections
        write(progress.clearing)
        if unseen > 0 { print("… and \(grouped(unseen)) more rejected", as: "note") }
        if let note = SummaryText.note(summary.progress.ignoredLinks) { print(note, as: "note") }
        if let reason = summary.keptBecause { print("nobody was removed: \(reason)", as: "note") }
        let earlier = total.flatMap { $0.requests > summary.progress.service.requests ? $0 : nil }
        if isJSON {
            Swift.print(SummaryJSON(directory, summary, isDryRun: isDryRun).line, terminator: "")
        } else if !summary.isOfNothing {
            Swift.print(SummaryText.line(directory, summary, isDryRun: isDryRun))
            if let earlier { Swift.print(SummaryText.line(total: earlier)) }
        }
        // What is repeated for ever would else stay in a buffer.
        fflush(nil)
        return outcome(summary, rejected: max(summary.progress.rejected, earlier?.rejected ?? 0))
    }

    private func outcome(_ summary: ImportSummary, rejected: Int) -> ImportOutcome {
        switch summary.end {
        case .complete: return rejected > 0 ? .rejections : .complete
        case .cancelled:
            print("interrupted; run the same command again to complete it", as: "note")
            return .interrupted
        case .failed(let error):
            print("rollcall: \(error)", as: "error")
            if error is ImportBusy { return .busy }
            guard let error = error as? ServiceError else { return .failed(isLasting: false) }
            if case .comeBack(let date) = error.kind { return .comeBack(date) }
            return .failed(isLasting: error.kind == .refused)
        }
    }

    /// What a line quotes from a source must not command the terminal.
    private func print(_ line: String, as kind: String) {
        let line = line.printable
        write(isJSON ? JSONLine.text([kind: line]) : progress.clearing + line + "\n")
    }

    private func write(_ text: String) {
        StandardStreams.write(text)
    }
}

extension ImportSummary {
    /// Whether it failed before there was anything to sum up.
    fileprivate var isOfNothing: Bool {
        guard case .failed = end else { return false }
        return progress.users == 0 && progress.rejected == 0 && progress.service.requests == 0
    }
}
