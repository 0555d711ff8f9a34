import Foundation
import Importers
import People

/// Records in the database how an import ended, for `/metrics`.
struct ImportLog {
    private let report: ImportReport
    private let start = ContinuousClock.now
    /// `nil` until the import has opened it.
    var store: (any Store)?

    init(_ report: ImportReport) { self.report = report }

    /// Records an import that has ended now. Nothing is recorded if the database was never opened, or if it has no such
    /// directory. An import that is saved has not failed because this cannot be saved.
    func note(_ summary: ImportSummary, _ status: Int32) {
        let milliseconds = Int64((ContinuousClock.now - start).seconds * 1000)
        let record = LastImport(
            endedAt: Int64(Date().timeIntervalSince1970), milliseconds: milliseconds, status: Int(status),
            added: summary.counts.added, changed: summary.counts.changed, removed: summary.removed ?? 0,
            rejected: summary.progress.rejected)
        let directory = report.directory
        do { try store?.note(record, of: directory) } catch {
            if status == 0 { report.show(.note("\(directory): cannot record how this import ended: \(error)")) }
        }
    }
}
