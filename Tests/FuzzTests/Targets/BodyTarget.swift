import Base
import Server

extension FuzzTarget {
    /// Bodies (RFC 9112 §6.2, §7.1): the first byte selects the framing and the length limit.
    static let body = FuzzTarget(
        name: "body",
        words: [
            "c", "C", "5", "0\r\n\r\n", "0\r\n", "3\r\nabc\r\n", "A;a=b;c=\"d\"\r\n", "\r\n", "\r", "\n", ";", " ",
            "Trailer: x\r\n", "FFFFFFFFFFFFFFFF", "8000000000000000", "00000000000000000", "0x", "+1", "40\r\n",
            "41\r\n", "GET / HTTP/1.1\r\n",
        ]
    ) { bytes in
        guard let kind = bytes.first else { return }
        let framing: RequestHead.Framing =
            switch kind {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): .length(Int(kind) * 100 - 4800)
            case UInt8(ascii: "n"): .none
            default: .chunked
            }
        let maxBytes = kind == UInt8(ascii: "C") ? BodyReader.defaultMaxBytes : 64
        let body = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        let whole = outcome([body], framing, maxBytes)
        for split in splits(of: body) {
            let other = outcome(split, framing, maxBytes)
            try hold(other == whole, "in \(split.count) pieces \(other), in one \(whole)")
        }
        guard case .done(let end) = whole else { return }
        try hold(end <= body.count, "took \(end) bytes of \(body.count)")
        if framing == .chunked {
            try hold(plainEnd(of: body) == end, "ends at \(end), the reference says \(plainEnd(of: body) ?? -1)")
        }
    }
}

/// Returns the outcome of a body in `pieces`; its end is counted from the start of the first piece.
private func outcome(
    _ pieces: [UnsafeRawBufferPointer], _ framing: RequestHead.Framing, _ maxBytes: Int
) -> BodyReader.Progress {
    var reader = BodyReader(framing, maxBytes: maxBytes)
    var before = 0
    // Starts with an empty piece: a body may be complete or rejected before its first byte.
    for piece in [UnsafeRawBufferPointer(start: nil, count: 0)] + pieces {
        switch reader.read(piece) {
        case .needsMoreBytes: before += piece.count
        case .done(let consumed): return .done(consumed: before + consumed)
        case .rejected(let rejection): return .rejected(rejection)
        }
    }
    return .needsMoreBytes
}

/// Returns where a chunked body ends, by a simple reference parser. Only for bodies that are known to be valid.
private func plainEnd(of body: UnsafeRawBufferPointer) -> Int? {
    var position = 0
    func line() -> UnsafeRawBufferPointer? {
        guard let feed = body[position...].firstIndex(of: 0x0A), feed > position, body[feed - 1] == 0x0D else {
            return nil
        }
        defer { position = feed + 1 }
        return UnsafeRawBufferPointer(rebasing: body[position..<(feed - 1)])
    }
    while let text = line() {
        let digits = text.text.prefix { $0.isHexDigit }
        guard let size = Int(digits, radix: 16) else { return nil }
        if size == 0 {
            while let trailer = line() { if trailer.isEmpty { return position } }
            return nil
        }
        position += size
        guard position < body.count, line()?.isEmpty == true else { return nil }
    }
    return nil
}
