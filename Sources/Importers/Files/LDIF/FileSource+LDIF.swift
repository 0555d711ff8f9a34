import Base

extension FileSource {
    /// Reads entries twice, because managers may stand behind the people they manage: once for the names of all, and
    /// then, from a copy, as records.
    func readEntries(
        from beginning: FileBeginning, _ next: () throws -> UnsafeRawBufferPointer?, into sink: ImportSink,
        _ tick: () throws -> Void
    ) throws {
        let names = EntryNames()
        var layout = FileLayout(encoding: beginning.encoding, format: .ldif)
        var collector = LDIFReader(collecting: names)
        let copy = try InputFile(called: "the entries") { write in
            func take(_ bytes: UnsafeRawBufferPointer) throws {
                try tick()
                try collector.read(bytes, into: NoSink())
                try write(bytes)
                if let last = bytes.last { layout.lacksLineEnd = last != 0x0A }
            }
            try beginning.forEachPiece(take)
            while let chunk = try next() { try take(beginning.decoded(chunk)) }
            try take(beginning.rest())
        }
        try collector.finish(into: NoSink())
        var reader = LDIFReader(
            names: names, photos: options.photos == nil ? spooledPhotos : nil, language: sink.language)
        let entries = try copy.open()
        while let chunk = try entries.next(whileWaiting: {}) {
            try tick()
            try reader.read(chunk, into: sink)
        }
        try reader.finish(into: sink)
        sink.describe(layout, nil)
        try tick()
    }
}

/// Takes nothing.
private struct NoSink: RecordSink {
    func take(_ record: RawRecord, at place: @autoclosure () -> String) {}
    func reject(_ rejection: Rejection) {}
    func note(_ text: String) {}
    func describe(_ layout: FileLayout, _ header: CSVHeader?) {}
}
