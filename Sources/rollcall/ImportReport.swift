import ArgumentParser
import Bytes
import Directories
import Foundation
import Importers

/// Tells on standard error how an import goes, and on standard output what it did. Belongs to one thread.
final class ImportReport {
    private let directory: Slug
    private let isDryRun: Bool
    private var progress = Progress(isTerminal: isatty(STDERR_FILENO) == 1)
    private var shownRejections = 0
    private static let maxShownRejections = 100

    init(directory: Slug, isDryRun: Bool) {
        self.directory = directory
        self.isDryRun = isDryRun
    }

    func show(_ event: ImportEvent) {
        switch event {
        case .note(let text): print(text)
        case .rejected(let rejection):
            shownRejections += 1
            if shownRejections <= Self.maxShownRejections { print("rejected \(rejection)") }
        case .progress(let state):
            if let text = progress.text(state) { write(text) }
        }
    }

    /// Prints the last lines and exits as the import ended.
    func finish(_ summary: ImportSummary) throws {
        let unseen = summary.progress.rejected - Self.maxShownRejections
        write(progress.clearing)
        if unseen > 0 { print("… and \(grouped(unseen)) more rejected") }
        if let reason = summary.keptBecause { print("nobody was removed: \(reason)") }
        Swift.print(text(summary))
        switch summary.end {
        case .complete: if summary.progress.rejected > 0 { throw ExitCode(2) }
        case .cancelled:
            print("interrupted; the same command again completes it")
            throw ExitCode(130)
        case .failed(let error):
            print("rollcall: \(error)")
            throw ExitCode(1)
        }
    }

    private func text(_ summary: ImportSummary) -> String {
        let counts = summary.counts
        var parts = [
            "\(grouped(counts.added)) added", "\(grouped(counts.changed)) changed",
            "\(grouped(counts.unchanged)) unchanged",
        ]
        if counts.repeated > 0 { parts.append("\(grouped(counts.repeated)) repeated, of which the last counts") }
        if counts.skipped > 0 { parts.append("\(grouped(counts.skipped)) skipped, because they are to be forgotten") }
        if isDryRun { parts = ["\(grouped(summary.progress.users)) read, nothing saved"] }
        if let removed = summary.removed { parts.append("\(grouped(removed)) removed") }
        parts.append("\(grouped(summary.progress.rejected)) rejected")
        let seconds = summary.progress.elapsed.seconds
        let rate = Int(Double(summary.progress.users) / max(seconds, 0.001))
        return
            "\(directory): \(parts.joined(separator: ", ")) in \(String(format: "%.1f", seconds)) s (\(grouped(rate)) users/s)"
    }

    /// What a line quotes from a source must not command the terminal.
    private func print(_ line: String) { write(progress.clearing + line.printable + "\n") }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
