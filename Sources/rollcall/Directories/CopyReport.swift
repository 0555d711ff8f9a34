import Base
import Foundation
import StoreEngine

final class CopyReport {
    private var reporter = Reporter()
    private let start = ContinuousClock.now
    private var phase: (isChecking: Bool, start: Duration, row: Int64)?

    func show(_ progress: StoreCopy.Progress) {
        let elapsed = ContinuousClock.now - start
        if phase?.isChecking != progress.isChecking { phase = (progress.isChecking, elapsed, progress.rows) }
        guard reporter.isDue(elapsed) else { return }
        let rows = "\(grouped(Int(progress.rows))) of \(grouped(Int(progress.allRows))) rows"
        var parts = [progress.isChecking ? "comparing \(rows)" : "copying \(rows)"]
        if let phase, progress.rows > phase.row {
            let rate = Double(progress.rows - phase.row) / max((elapsed - phase.start).seconds, 0.001)
            parts.append("\(grouped(Int(rate)))/s")
            parts.append("\(Reporter.clock(Double(progress.allRows - progress.rows) / rate)) left")
        }
        reporter.show(progress.allRows == 0 ? 1 : min(1, Double(progress.rows) / Double(progress.allRows)), parts)
    }

    func clear() { reporter.clear() }

    func finish(_ summary: StoreCopy.Summary, _ target: DatabaseLocation) {
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
