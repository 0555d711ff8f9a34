import Base
import People

/// Reads the objects of a JSON array, at the top level or in a wrapper, or the one object that the text is.
struct JSONReader: RecordReader {
    private var splitter = JSONSplitter(members: RecordEnvelope.names, maxElementBytes: RecordLimits.recordBytes)
    private var number = 0
    private var proofs = ProofCheck()
    private var nested = NestedRecord()

    mutating func read(_ chunk: UnsafeRawBufferPointer, into sink: some RecordSink) throws {
        try withSplitter { reader, splitter in
            try splitter.split(chunk) { part in try reader.take(part, into: sink) }
        }
    }

    mutating func finish(into sink: some RecordSink) throws {
        try withSplitter { reader, splitter in
            try splitter.finish { part in
                guard case .element(let text) = part, let people = RecordEnvelope.people(in: text) else {
                    return try reader.take(part, into: sink)
                }
                for person in people { try reader.take(.element(person), into: sink) }
            }
        }
        try proofs.finish()
    }

    /// Moves the splitter out of the reader while it runs, because its callback changes the reader.
    private mutating func withSplitter(_ body: (inout JSONReader, inout JSONSplitter) throws -> Void) throws {
        var splitter = splitter
        defer { self.splitter = splitter }
        do { try body(&self, &splitter) } catch let error as JSONError { throw RollcallError("not JSON: \(error)") }
    }

    private mutating func take(_ part: JSONSplitter.Part, into sink: some RecordSink) throws {
        number += 1
        guard case .element(let text) = part else {
            proofs.countRecord()
            return try sink.reject(.tooLarge("record \(number)"))
        }
        // The export of an empty directory is its proof alone, as JSON.
        if let count = ExportProof.count(in: text) { return proofs.take(proof: count) }
        proofs.countRecord()
        try sink.take(.object(nested.flat(text)), at: "record \(number)")
    }
}
