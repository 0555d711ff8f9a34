extension FileSource {
    /// Notes all entries of an LDIF file, and keeps its text, to be read again.
    func collectEntries(
        from beginning: FileBeginning, _ source: ByteSource
    ) throws -> (EntryIndex, text: InputFile) {
        let entries = EntryIndex()
        var collector = LDIFReader(entries, isCollecting: true)
        // A survey rejects nothing, and the collector gives it no record.
        let nobody = RecordSurvey()
        let copy = try OpenFile.temporary()
        func take(_ bytes: UnsafeRawBufferPointer) throws {
            try source.tick()
            try collector.read(bytes, into: nobody)
            try copy.write(bytes)
        }
        try beginning.forEachPiece(take)
        try beginning.forEachChunk(take)
        try collector.finish(into: nobody)
        return (entries, InputFile(copy, name: "the entries"))
    }
}
