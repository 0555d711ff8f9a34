import Base
import Foundation

@testable import Importers
@testable import People
@testable import Publishing

extension FuzzTarget {
    /// Texts of users: comparing and cleaning them, deriving handles, and counting the commits of authors. The input is
    /// lines.
    static let text = FuzzTarget(
        name: "text",
        words: [
            "ß", "ẞ", "ς", "Σ", "İ", "ı", "ﬁ", "é", "e\u{301}", "\u{301}", "\u{323}", "국", "\u{1112}\u{1161}\u{11AB}",
            "Å", "\u{212B}", "ʼn", "ǰ", "ΐ", "\u{345}", "\u{10FFFF}", " ", "\u{A0}", "\u{2028}", "\u{85}", "\n", "\t",
            "\0", "ana", "Ana", "a@b.c", "<a@b.c>", "[bot]", "1600000000", "-1", "&amp;", "&#x41;", "&#1114111;",
            "&#55296;", "&nbsp", "ʻ", "'", "-",
        ]
    ) { bytes in
        let lines = bytes.split(separator: 0x0A).map { UnsafeRawBufferPointer(rebasing: $0) }
        for line in lines.prefix(8) {
            try checkFolding(line.text)
            try checkLooseForm(line.text)
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

private func checkLooseForm(_ text: String) throws {
    let loose = text.loose
    try hold(
        Array(loose.loose.utf8) == Array(loose.utf8),
        "\"\(text)\" has the loose form \"\(loose)\", that \"\(loose.loose)\"")
    for other in [text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping, text.folded] {
        try hold(
            Array(other.loose.utf8) == Array(loose.utf8), "\"\(text)\" has another loose form in another normal form")
    }
    let words = loose.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
    try hold(loose.isEmpty || !words.contains { $0.isEmpty }, "\"\(loose)\" has more than one space between words")
    try hold(!words.joined().contains(where: LooseForm.isSpace), "\"\(loose)\" has white space or control characters")
}

/// Words are found in the text that they are taken from.
private func checkSearch(_ text: String) throws {
    guard let search = Search(text) else {
        return try hold(text.unicodeScalars.allSatisfy(LooseForm.isSpace), "no words in \"\(text)\"")
    }
    let words = search.words
    for word in words.phrase {
        try hold(!word.text.isEmpty && !word.text.contains(where: \.isWhitespace), "\"\(word.text)\" is not a word")
    }
    try hold(Set(words.distinct).count == words.distinct.count, "a word occurs twice")
    let phrase = words.phrase.map(\.text).joined(separator: " ")
    try hold(SearchWords(phrase).phrase == words.phrase, "the words of \"\(text)\" differ when searched for")
    let batch = UserBatch([User(id: 1, login: "x", name: text)])
    let (user, bytes) = (batch.records[0], batch.buffer.bytes)
    let searched = SearchedText(bytes[user.text], exact: bytes[user.exact])
    let match = searched.match(words)
    try hold(match?.isExact == true && searched.matches(words.distinct), "the words of \"\(text)\" are not in it")
    try hold(searched.hasVariants == user.hasVariants, "the variants of \"\(text)\" are not marked")
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
    let (encoded, decoded) = (ByteBuffer(), ByteBuffer())
    encoded.append(bytes)
    HTMLEntities.append(decoding: encoded, to: decoded)
    if !bytes.contains(UInt8(ascii: "&")) { try hold(decoded.bytes.elementsEqual(bytes), "no entities, yet decoded") }
}

/// The authors of commits with these lines: one author per person, and none of them contains an email address.
private func checkAuthors(_ lines: [UnsafeRawBufferPointer]) throws {
    var authors = GitAuthors()
    for line in lines { authors.add(line: line) }
    let people = authors.people().people
    let batch = UserBatch()
    var decoder = RecordDecoder(
        names: ColumnNames(ImportSchema(ImportRequest(), DirectorySettings(), .service(.git))))
    for person in people {
        try hold(!person.addresses.isEmpty && !person.record.contains(#""reputation":0,"#), person.record)
        try person.record.withBytes { try decoder.append(.object($0, addresses: person.addresses), to: batch) }
    }
    let users = batch.records.indices.map(batch.user)
    let logins = users.map(\.login).filter { !$0.isEmpty }
    try hold(Set(logins.map { $0.lowercased() }).count == logins.count, "two authors with the same login")
    let addresses = people.flatMap(\.addresses)
    try hold(Set(addresses).count == addresses.count, "two authors with the same address")
    for user in users {
        try hold(!user.login.contains("@") && user.name?.contains("@") != true, "an address: \(user)")
    }
}
