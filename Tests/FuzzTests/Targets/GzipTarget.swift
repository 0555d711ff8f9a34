import Base

extension FuzzTarget {
    /// gzip files (RFC 1952), and texts to compress.
    static let gzip = FuzzTarget(
        name: "gzip",
        words: ["\u{1F}", "\u{8}", "\0\0\0\0", "\u{3}\0", "\u{1}\0\0", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]
    ) { bytes in
        let limit = 1 << 16
        let whole = Result { () throws(RollcallError) in try Gzip.inflated(Bytes(_unsafeBytes: bytes), limit: limit) }
        if case .success(let text?) = whole { try hold(text.count <= limit, "\(text.count) bytes, more than \(limit)") }
        for split in splits(of: bytes) where bytes.count < 4096 {
            for room in [1, 1000] where room > 1 || bytes.count < 256 {
                let pieces = Result { () throws(RollcallError) in try inflated(split, room: room, limit: limit) }
                try hold(isSame(whole, pieces), "in \(split.count) pieces, \(room) bytes at a time: different contents")
            }
        }
        for level in [1, 6, 9] {
            let compressed = Gzip.compressed(Array(bytes), level: level)
            try hold(
                try Gzip.inflated(compressed.span, limit: bytes.count) == Array(bytes), "level \(level) loses something"
            )
        }
    }
}

/// Two errors are the same even if their messages differ. Data that is too long in one piece is too long in several.
private func isSame(_ one: Result<[UInt8]?, RollcallError>, _ other: Result<[UInt8]?, RollcallError>) -> Bool {
    (try? one.get()) == (try? other.get())
}

private func inflated(_ pieces: [UnsafeRawBufferPointer], room size: Int, limit: Int) throws(RollcallError) -> [UInt8]?
{
    let inflater = GzipInflater()
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
    defer { room.deallocate() }
    var text: [UInt8] = []
    for piece in pieces {
        var rest = piece
        while true {
            let (taken, made) = try inflater.inflate(rest, into: room)
            rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
            text.append(contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<made]))
            if text.count > limit { return nil }
            if made == 0, rest.isEmpty { break }
        }
    }
    try inflater.finish()
    return text
}
