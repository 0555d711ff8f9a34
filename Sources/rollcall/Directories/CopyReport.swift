import Base
import Foundation
import StoreEngine

/// Shows the progress of a copy: on a terminal in one line that is rewritten, elsewhere with a line every few seconds.
final class CopyReport {
    private let isTerminal = StandardStreams.isTerminal
    private let start = ContinuousClock.now
    /// When the phase began, and at which row.
    private var phase: (isChecking: Bool, start: ContinuousClock.Instant, row: Int64)?
    private var lastShown: ContinuousClock.Instant?

    func show(_ progress: StoreCopy.Progress) {
        let now = ContinuousClock.now
        if phase?.isChecking != progress.isChecking { phase = (progress.isChecking, now, progress.rows) }
        let interval: Duration = isTerminal ? .milliseconds(100) : .seconds(5)
        guard now - (lastShown ?? start) >= interval else { return }
        lastShown = now
        let line = line(progress, now)
        StandardStreams.note(
            isTerminal ? String(line.prefix(Progress.columns - 1)) : line + "\n", isOverLine: isTerminal)
    }

    private func line(_ progress: StoreCopy.Progress, _ now: ContinuousClock.Instant) -> String {
        let share = progress.allRows == 0 ? 1 : min(1, Double(progress.rows) / Double(progress.allRows))
        let rows = "\(grouped(Int(progress.rows))) of \(grouped(Int(progress.allRows))) rows"
        var parts = [progress.isChecking ? "comparing \(rows)" : "copying \(rows)"]
        if let phase, progress.rows > phase.row {
            let seconds = (now - phase.start).seconds
            let rate = Double(progress.rows - phase.row) / max(seconds, 0.001)
            parts.append("\(grouped(Int(rate)))/s")
            parts.append("\(Progress.clock(Double(progress.allRows - progress.rows) / rate)) left")
        }
        let text = parts.joined(separator: ", ")
        let percent = "\(Int(share * 100))%"
        return isTerminal ? "\(Progress.bar(share)) \(percent) \(text)" : "\(percent), \(text)"
    }

    /// Clears the rewritten line.
    func clear() {
        if isTerminal, lastShown != nil { StandardStreams.note("", isOverLine: true) }
    }

    func finish(_ summary: StoreCopy.Summary, _ target: DatabaseLocation) {
        clear()
        let people = summary.directories.reduce(0) { $0 + $1.total }
        let seconds = Double(Int((ContinuousClock.now - start).seconds * 10)) / 10
        let earlier =
            summary.earlierRows == 0 ? "" : ", \(grouped(Int(summary.earlierRows))) of them by an earlier run"
        StandardStreams.note(
            """
            \(target): \(counted(people, "person", "people")) in \
            \(counted(summary.directories.count, "directory", "directories")), \
            \(counted(Int(summary.rows), "row")) in \(counted(summary.tables, "table")) copied\(earlier), and compared \
            in \(seconds) s\n
            """, to: STDOUT_FILENO)
    }
}
