import Base
import Foundation

@testable import People

extension FuzzTarget {
    /// Cursors, base64url (RFC 4648 §5) and slugs: the input is a cursor as in URLs, an id, and a sort value.
    static let cursor = FuzzTarget(
        name: "cursor",
        words: [
            "0", "1", "00", "9223372036854775807", "9223372036854775808", "-1", "l", "n", "d", "AAAAAAAAAAE",
            "AAAAAAAAAAEAAAAAAAAAAQ", "__________8", "AAAAAAAAAAFhbmE", "-", "_", "=", "a-b_c", "é", "\u{10FFFF}",
        ]
    ) { bytes in
        let parts = bytes.parts(3)
        try checkDecoding(parts[0])
        let id = max(1, Int64(parts[1].text) ?? Int64(parts[1].count))
        let text = String(String.UnicodeScalarView(parts[2].text.unicodeScalars.prefix(Cursor.maxTextScalars)))
        try checkEncoding(.id(id), for: .id)
        try checkEncoding(.text(text, id: id), for: .login)
        let key = Array(text.utf8.prefix(Collation.maxKeyBytes))
        try checkEncoding(.key(key, stamp: UInt32(truncatingIfNeeded: id), id: id), for: .name)
        let place = Sort.Key.field(FieldOrder("place", [])!)
        try checkEncoding(.number(nil, id: id), for: place)
        try checkEncoding(.number(Int64(parts[2].text) ?? -id, id: id), for: place)
        try checkBase64(parts[0], and: parts[2])
        let slug = Slug(parts[0].text)
        let isSlug = parts[0].text.range(of: "^[a-z0-9][a-z0-9_-]{0,63}\\z", options: .regularExpression) != nil
        try hold((slug != nil) == isSlug && slug?.text ?? parts[0].text == parts[0].text, "a slug: \(slug != nil)")
    }
}

/// Every cursor has exactly one encoding, so a decoded cursor encodes to the same text. An old cursor, which has no
/// stamp, is encoded in the new way.
private func checkDecoding(_ text: UnsafeRawBufferPointer) throws {
    let place = Sort.Key.field(FieldOrder("place", [])!)
    for key in Sort.Key.common + [place, .relevance(then: Sort(.name)), .relevance(then: Sort())] {
        guard let cursor = Cursor(encoded: text, for: key) else { continue }
        // By relevance, it stands after two characters.
        let isOld = text.first == UInt8(ascii: "n") || text.first == UInt8(ascii: "m") && text[2] == UInt8(ascii: "n")
        try hold(
            isOld || Array(cursor.encoded(for: key).utf8) == Array(text),
            "\(cursor) is encoded as \(cursor.encoded(for: key))")
        try hold(
            cursor.id > 0 || [.id, .relevance(then: Sort())].contains(key) && cursor.id == 0, "\(cursor) names no user")
    }
}

private func checkEncoding(_ cursor: Cursor, for key: Sort.Key) throws {
    let text = cursor.encoded(for: key)
    try hold(Cursor(encoded: text, for: key) == cursor, "\(cursor) is encoded as \(text), another cursor")
    try hold(
        text.utf8.count <= 695 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(text) does not fit into URLs")
}

private func checkBase64(_ text: UnsafeRawBufferPointer, and bytes: UnsafeRawBufferPointer) throws {
    let encoded = ByteBuffer()
    encoded.append(base64URL: bytes, after: 0x0123_4567_89AB_CDEF)
    let whole = [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF] + Array(bytes)
    try hold([UInt8](base64URL: encoded.bytes) == whole, "base64url does not round-trip")
    try hold(String(encoded) == plainBase64(whole), "\(String(encoded)) for \(whole)")
    guard let decoded = [UInt8](base64URL: text) else { return }
    try hold(plainBase64(decoded) == text.text, "\(text.text) is not the encoding of \(decoded)")
}

private func plainBase64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().filter { $0 != "=" }.map { ["+": "-", "/": "_"][$0] ?? $0 }.reduce(into: "") {
        $0.append($1)
    }
}
