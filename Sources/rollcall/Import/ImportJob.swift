import ArgumentParser
import Importers
import People
import Publishing

/// An import from the command line: once, or repeatedly until a signal ends it.
struct ImportJob<Source: ImportSource> {
    let options: ImportOptions
    let kind: String
    let target: ImportTarget
    /// The title of a new directory that the publisher gives none; `nil` for its slug.
    var newTitle: String?
    var batchSize = ImportRun.Configuration().batchSize
    var terms = Terms()
    let makeSource: MakeSource
    let cancellation = ImportCancellation()

    /// Makes the source of one try. `input` has the part of a file that earlier tries have read, and `ledger` the
    /// stored state of earlier imports, for sources that have one.
    typealias MakeSource = (
        _ request: ImportRequest, _ input: KeptInput, _ ledger: (any ImportLedger)?
    ) throws -> Source

    /// Throws the exit status unless that is 0.
    func run() throws { try options.repetition.run("import", cancellation, importOnce) }

    /// Imports. If the database goes away meanwhile, waits and imports again, from the beginning or from the last
    /// checkpoint: users that are saved already count as unchanged. Ends with an error if the beginning is lost.
    private func importOnce(_ interruption: Interruption) throws -> RunOutcome {
        let report = ImportReport(
            options.purpose, directory: target.slug, format: options.repetition.progress)
        var store: (any Store)?
        let input = KeptInput(keepsStreams: try options.database.path == nil && !options.isDryRun)
        var isAgain = false
        let (summary, total): (ImportSummary, Checkpoint?)
        do {
            (summary, total) = try interruption.retrying(
                note: { report.show(.note($0)) }, ended: { (ImportSummary(end: $0), Checkpoint?.none) }
            ) {
                defer { isAgain = true }
                let attempt = ImportAttempt(self, input, isAgain: isAgain, report) { opened in
                    interruption.noteOpened()
                    store = opened
                }
                return try attempt.run()
            }
        } catch {
            // The program ends with this status, because of the error.
            report.record(ImportSummary(), ExitCode.failure.rawValue, in: store)
            throw error
        }
        let outcome = report.finish(summary, total: total)
        report.record(summary, outcome.status, in: store)
        return outcome
    }
}
