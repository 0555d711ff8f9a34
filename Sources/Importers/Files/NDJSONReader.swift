import Base
import People

/// Reads one JSON object per line. A malformed line does not affect the others.
struct NDJSONReader: RecordReader {
    /// The line that is being read; of one that is too long, only so much as shows that.
    private let carried = ByteBuffer(capacity: 4096)
    private var isTooLong: Bool { carried.count > RecordLimits.recordBytes }
    private var line = 1
    private var proofs = ProofCheck()
    private var nested = NestedRecord()

    mutating func read(_ chunk: UnsafeRawBufferPointer, into sink: some RecordSink) throws {
        var rest = chunk
        while let length = rest.offset(of: 0x0A) {
            try endLine(UnsafeRawBufferPointer(rebasing: rest[..<length]), into: sink)
            rest = UnsafeRawBufferPointer(rebasing: rest[(length + 1)...])
        }
        keep(rest)
    }

    mutating func finish(into sink: some RecordSink) throws {
        if !isTooLong, ImportFormat.end(of: carried.bytes).depth > 0 {
            let reason = "expected the end of the object, found the end of the file"
            try reject(Rejection(place: "line \(line)", reason: reason, isCut: true), into: sink)
        } else {
            try endLine(UnsafeRawBufferPointer(start: nil, count: 0), into: sink)
        }
        try proofs.finish()
    }

    private func keep(_ rest: UnsafeRawBufferPointer) {
        let room = RecordLimits.recordBytes + 1 - carried.count
        carried.append(UnsafeRawBufferPointer(rebasing: rest.prefix(room)))
    }

    private mutating func endLine(_ rest: UnsafeRawBufferPointer, into sink: some RecordSink) throws {
        keep(rest)
        defer {
            carried.removeAll()
            line += 1
        }
        if isTooLong { return try reject(.tooLarge("line \(line)"), into: sink) }
        let text = carried.bytes
        if text.allSatisfy(\.isWhitespace) { return }
        if let count = ExportProof.count(in: text) { return proofs.take(proof: count) }
        proofs.countRecord()
        try sink.take(.object(nested.flat(text)), at: "line \(line)")
    }

    private mutating func reject(_ rejection: Rejection, into sink: some RecordSink) throws {
        proofs.countRecord()
        try sink.reject(rejection)
    }
}
