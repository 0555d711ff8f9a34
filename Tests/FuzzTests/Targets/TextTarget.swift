import Bytes
import Foundation

@testable import Directories
@testable import Importers

extension FuzzTarget {
    /// Texts of users: comparing and cleaning them, deriving handles, and counting the commits of authors. The input is
    /// lines.
    static let text = FuzzTarget(
        name: "text",
        words: [
            "ß", "ẞ", "ς", "Σ", "İ", "ı", "ﬁ", "é", "e\u{301}", "\u{301}", "\u{323}", "국", "\u{1112}\u{1161}\u{11AB}",
            "Å", "\u{212B}", "ʼn", "ǰ", "ΐ",
            "\u{345}", "\u{10FFFF}", " ", "\u{A0}", "\u{2028}", "\u{85}", "\n", "\t", "\0", "ana", "Ana", "a@b.c",
            "<a@b.c>", "[bot]", "1600000000", "-1",
            "&amp;", "&#x41;", "&#1114111;", "&#55296;", "&nbsp", "ʻ", "'", "-",
        ]
    ) { bytes in
        let lines = bytes.split(separator: 0x0A).map { UnsafeRawBufferPointer(rebasing: $0) }
        for line in lines.prefix(8) {
            try checkFolding(line.text)
            try checkCleaning(line)
        }
        try checkSearch(bytes.text)
        try checkAuthors(lines)
    }
}

private func checkFolding(_ text: String) throws {
    let folded = text.folded
    try hold(
        Array(folded.folded.utf8) == Array(folded.utf8),
        "\"\(text)\" folds to \"\(folded)\", that to \"\(folded.folded)\"")
    for other in [text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping] {
        try hold(Array(other.folded.utf8) == Array(folded.utf8), "\"\(text)\" folds differently in another normal form")
    }
    let buffer = ByteBuffer()
    buffer.append("x")
    let slice = buffer.append(folding: text)
    let plain = Array(folded.utf8).map { $0 == 0x0A ? 0x20 : $0 }
    try hold(Array(buffer.bytes[slice]) == plain, "a sort key of \"\(text)\" is not its folded text")
    let sortText = Array(plain.withUnsafeBytes { Array($0.sortText) })
    let scalars = String(decoding: plain, as: UTF8.self).unicodeScalars.prefix(Cursor.maxTextScalars)
    try hold(sortText == Array(String(String.UnicodeScalarView(scalars)).utf8), "the sort key is cut elsewhere")
}

/// Words are found in the text that they are taken from.
private func checkSearch(_ text: String) throws {
    guard let search = Search(text) else {
        return try hold(text.folded.allSatisfy(\.isWhitespace), "no words in \"\(text)\"")
    }
    let folded = Array(text.folded.utf8)
    for word in search.words {
        try hold(!word.isEmpty && !word.contains(where: \.isWhitespace), "\"\(word)\" is not a word")
        try hold(folded.firstRange(of: Array(word.utf8)) != nil, "\"\(word)\" is not in \"\(text)\"")
    }
    try hold(Set(search.words).count == search.words.count, "a word occurs twice")
    try hold(
        Search(search.words.joined(separator: " ")) == search, "the words of \"\(text)\" differ when searched for")
}

private func checkCleaning(_ bytes: UnsafeRawBufferPointer) throws {
    let cleaned = NormalizedText.cleaned(bytes.text)
    let buffer = ByteBuffer()
    let slice = Array(bytes.text.utf8).withUnsafeBytes { buffer.append(cleaning: $0) }
    try hold(buffer.bytes[slice].text == cleaned, "cleaned differently as bytes")
    try hold(NormalizedText.cleaned(cleaned) == cleaned, "\"\(cleaned)\" is not clean")
    let slug = Handle.slug(bytes.text)
    try hold(
        !slug.hasPrefix("-") && !slug.hasSuffix("-") && !slug.contains("--") && slug.unicodeScalars.count <= 101,
        "slug \"\(slug)\"")
    let decoded = ByteBuffer()
    HTMLEntities.append(decoding: bytes, to: decoded)
    if !bytes.contains(UInt8(ascii: "&")) { try hold(decoded.bytes.elementsEqual(bytes), "no entities, yet decoded") }
}

/// The authors of commits with these lines: one author per person, and none of them contains an email address.
private func checkAuthors(_ lines: [UnsafeRawBufferPointer]) throws {
    var authors = GitAuthors()
    for line in lines { authors.add(line: line) }
    let users = authors.users(salt: "salt").users
    try hold(Set(users.map { Array($0.login.utf8) }).count == users.count, "two authors with the same handle")
    for user in users {
        try hold(user.id > 0 && !user.login.isEmpty && (user.reputation ?? 0) > 0, "\(user)")
        try hold(!user.login.contains("@") && user.name?.contains("@") != true, "an address: \(user)")
        try hold(
            (try? JSONSerialization.jsonObject(with: Data((user.more ?? "").utf8))) != nil, "\(user.more ?? "nothing")")
    }
}
