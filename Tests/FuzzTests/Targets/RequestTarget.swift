import Base
import Server

extension FuzzTarget {
    /// Request heads (RFC 9112 §2 to §6).
    static let request = FuzzTarget(
        name: "request",
        words: [
            "GET ", "HEAD ", "OPTIONS * ", "POST ", "CONNECT a:1 ", "/", "/fragment?since=30&q=a%20b", "?", "#",
            "http://a.b:80/c?d", "https://[::1]:0", " HTTP/1.1\r\n", " HTTP/1.0\r\n", " HTTP/2.0\r\n", "\r\n", "\r",
            "\n", "Host: a\r\n", "Host: [::1]:8080\r\n", "Content-Length: 3\r\n", "Content-Length: 0003, 3\r\n",
            "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip, chunked\r\n",
            "Connection: close, keep-alive\r\n",
            "Expect: 100-continue\r\n", " folded\r\n", "X:\t \u{E9}\r\n", "\0", ":", "%41", "99999999999999999999",
        ]
    ) { bytes in
        var narrow = RequestParser.Limits()
        (narrow.maxTargetBytes, narrow.maxHeadBytes, narrow.maxFields) = (20, 120, 3)
        for limits in [RequestParser.Limits(), narrow] { try RequestCheck(limits).run(bytes) }
    }
}

private struct RequestCheck {
    let parser: RequestParser

    init(_ limits: RequestParser.Limits) { parser = RequestParser(limits: limits) }

    func run(_ bytes: UnsafeRawBufferPointer) throws {
        let (result, head) = parse(bytes)
        for cut in cuts(of: bytes.count) {
            let early = parse(UnsafeRawBufferPointer(rebasing: bytes[..<cut]))
            if early.result == .needsMoreBytes { continue }
            try hold(early.result == result, "after \(cut) bytes \(early.result), after all \(result)")
            try hold(early.head == head, "after \(cut) bytes, the head differs from that after all bytes")
        }
        guard case .request(let consumed) = result else { return }
        try hold((1...bytes.count).contains(consumed), "took \(consumed) bytes of \(bytes.count)")
        let heads = [head]
        let request = Request(bytes: UnsafeRawBufferPointer(rebasing: bytes[..<consumed]), head: heads.span)
        try checkParts(of: request)
        try checkFraming(of: request)
        try checkRewritten(request)
    }

    private func parse(_ bytes: UnsafeRawBufferPointer) -> (result: ParseResult, head: RequestHead) {
        var head = RequestHead()
        // A head that has been used before: no value may be left over.
        head.authority = .init(offset: 7, count: 7)
        return (parser.parse(bytes, into: &head), head)
    }

    private func checkParts(of request: Request) throws {
        try hold(request.target.count <= parser.limits.maxTargetBytes, "the target is too long")
        try hold(request.head.fields.count <= parser.limits.maxFields, "too many fields")
        try hold(request.target.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "a target with control characters or spaces")
        try hold(!request.path.isEmpty && !request.path.contains(UInt8(ascii: "?")), "an invalid path")
        for field in request.head.fields {
            let name = request.bytes[field.name]
            let value = request.bytes[field.value]
            try hold(!name.isEmpty && name.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }, "a bad field name")
            try hold(value.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }, "a control character in a value")
            let ends = [value.first, [UInt8](value).last]
            try hold(!ends.contains(0x20) && !ends.contains(0x09), "white space around a field value")
        }
    }

    /// No two parsers may see different ends of the message (RFC 9112 §6.3).
    private func checkFraming(of request: Request) throws {
        var lengths: [String] = []
        request.forEachValue(of: "content-length") { lengths.append($0.text) }
        var codings: [String] = []
        request.forEachValue(of: "transfer-encoding") { codings.append($0.text.lowercased()) }
        switch request.head.framing {
        case .none: try hold(lengths.isEmpty && codings.isEmpty, "framing fields were ignored")
        case .length(let length):
            try hold(
                codings.isEmpty && lengths.count == 1 && Int(lengths[0]) == length, "length \(length) of \(lengths)")
        case .chunked:
            let last = codings.joined(separator: ",").split(separator: ",").last?.trimmingBlanks
            try hold(lengths.isEmpty && last == "chunked", "chunked, with \(lengths) and \(codings)")
        }
    }

    /// The same request, rewritten in the simplest form, has the same meaning.
    private func checkRewritten(_ request: Request) throws {
        // Only the path of a target with an authority may begin at another offset than the target.
        let (path, target) = (request.head.path, request.head.target)
        guard request.target.first == UInt8(ascii: "/"), path.offset == target.offset else { return }
        let buffer = ByteBuffer()
        buffer.append(request.bytes[request.head.methodName])
        buffer.append(" ")
        buffer.append(request.target)
        buffer.append(request.head.version == .http10 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n")
        for field in request.head.fields {
            buffer.append(request.bytes[field.name])
            buffer.append(":")
            buffer.append(request.bytes[field.value])
            buffer.append("\r\n")
        }
        buffer.append("\r\n")
        let (result, head) = parse(buffer.bytes)
        try hold(result == .request(consumed: buffer.count), "written anew: \(result)")
        let heads = [head]
        let other = Request(bytes: buffer.bytes, head: heads.span)
        try hold(other.target.equals(request.target), "another target")
        try hold(other.path.equals(request.path), "another path")
        try hold(head.framing == request.head.framing, "another framing")
        try hold(head.keepsAlive == request.head.keepsAlive, "another end of the connection")
        try hold(head.method == request.head.method, "another method")
        try hold(head.fields.count == request.head.fields.count, "other fields")
    }
}

extension StringProtocol {
    /// The bytes without the spaces and tabs around them.
    var trimmingBlanks: String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        return String(String(drop(while: isBlank).reversed()).drop(while: isBlank).reversed())
    }
}
