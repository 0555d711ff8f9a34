import Exports

/// Compares what an export says of its own number with how many records came: see ``ExportProof``.
///
/// A file may be several exports, one after the other. A file without any proof is taken as it is: most have none.
struct ProofCheck {
    private var records = 0
    /// Whether any record came, one that was rejected too.
    private(set) var hasRecords = false
    private var problem: ImportError?

    /// Counts a record, one that is rejected too.
    mutating func countRecord() {
        records += 1
        hasRecords = true
    }

    /// Takes a proof, which is about what came since the one before.
    mutating func take(proof count: Int) {
        if count != records, problem == nil {
            problem = ImportError(
                "the file is incomplete: expected \(count) records, as the proof line says, found \(records)")
        }
        records = 0
    }

    /// Throws what was wrong: at the end, so that what came is saved.
    func finish() throws(ImportError) {
        if let problem { throw problem }
    }
}
