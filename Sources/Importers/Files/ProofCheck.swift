import People

/// Compares the number in an ``ExportProof`` with the number of records read.
///
/// A file may contain several exports, one after the other. A file without a proof is accepted: most have none.
struct ProofCheck {
    private var records = 0
    /// Whether there was any record, rejected ones included.
    private(set) var hasRecords = false
    private var problem: ImportError?

    /// Counts a record, rejected ones included.
    mutating func countRecord() {
        records += 1
        hasRecords = true
    }

    /// Checks a proof, which is about the records since the previous proof.
    mutating func take(proof count: Int) {
        if count != records, problem == nil {
            problem = ImportError(
                "the file is incomplete: expected \(count) records, as the proof line says, found \(records)")
        }
        records = 0
    }

    /// Throws the first mismatch: at the end, so that the records are saved.
    func finish() throws(ImportError) {
        if let problem { throw problem }
    }
}
