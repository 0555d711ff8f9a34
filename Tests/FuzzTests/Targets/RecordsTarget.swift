import Base
import Foundation
import People
import Publishing

@testable import Importers

extension FuzzTarget {
    /// Files of users in all formats: the first byte selects the format, or its detection from the content.
    static let records = FuzzTarget(
        name: "records",
        words: [
            "c", "t", "n", "j", "v", "l", "?", "id,login,name\n", "login;name;score\r\n", "name\tid\n", "1,ana,Ana\n",
            "\"", "\"\"", "\"a,\"\"b\"\"\n\"", ",", ";", "\t", "\n", "\r\n", "{\"id\":1,\"login\":\"a\"}",
            "\"name\":\"A\"", "\"more\":", "{\"items\":[", "]}", "[", "]", "{", "}", ":",
            "\"user_id\":1,\"display_name\":\"a &amp; b\"", "\"avatar_url\":\"https://a.b/c\"",
            "\"html_url\":\"javascript:x\"", "\"reputation\":-1", "\"first_name\"", "\"email\":\"a@b\"", "\\u0000",
            "\\ud800", "\u{2028}", "\u{FEFF}", "null", "BEGIN:VCARD\nVERSION:3.0\n", "FN:Ann Lee\n", "END:VCARD\n",
            "N;ENCODING=QUOTED-PRINTABLE:=C3=\n=BC;A\n", "PHOTO;ENCODING=b:/9j/\n /9j/\n", "item1.URL:x\n",
            "dn: cn=Ann\\, Lee+uid=a,ou=x\n", "dn:: Y249QQ==\n", "objectClass: person\n", "sn;lang-ja;phonetic: \n",
            "manager: cn=A\\C3\\BC\n", "result: 4 x\n", "cn:< x\n", "9223372036854775808", "..", "\u{7F}",
            "{\"id\":1,\"login\":\"a\",\"name\":null,\"avatar_url\":null,\"html_url\":null,\"type\":\"User\",\"reputation\":null}\n",
        ]
    ) { bytes in
        let formats: [UInt8: ImportFormat] = [
            UInt8(ascii: "c"): .csv, UInt8(ascii: "t"): .tsv, UInt8(ascii: "n"): .ndjson, UInt8(ascii: "j"): .json,
            UInt8(ascii: "v"): .vcard, UInt8(ascii: "l"): .ldif,
        ]
        let format = bytes.first.flatMap { formats[$0] }
        let text = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        let whole = Reading(of: [text], format)
        for split in splits(of: text) {
            let other = Reading(of: split, format)
            try hold(other.users == whole.users, "in \(split.count) pieces: \(other.users), not \(whole.users)")
            try hold(
                other.rejections == whole.rejections,
                "in \(split.count) pieces: \(other.rejections), \(whole.rejections)")
        }
        for user in whole.users { try checkUser(user) }
        try checkExport(of: whole.users)
    }
}

/// The records read from a file; the only place in these tests that knows how files are read.
private final class Reading: RecordSink {
    private(set) var users: [User] = []
    private(set) var rejections: [String] = []
    private var decoder: RecordDecoder?

    /// Detects the format from the first piece of `whole`, as from the first chunk of a file.
    init(of pieces: [UnsafeRawBufferPointer], _ format: ImportFormat?) {
        let whole = pieces.reduce(into: [UInt8]()) { $0 += $1 }
        do {
            let source = FileSource(path: "-", options: .init(format: format))
            var reader = try whole.withUnsafeBytes {
                let format = source.format(of: $0)
                return try source.records(in: $0, as: format, ColumnNames())(FileLayout(format: format), "und")
            }
            for piece in pieces { try reader.read(piece, into: self) }
            try reader.finish(into: self)
        } catch { rejections.append("\(error)") }
    }

    func take(_ record: SourceRecord, at place: @autoclosure () -> String) throws {
        let batch = UserBatch()
        do {
            var decoder = self.decoder ?? RecordDecoder(names: ColumnNames(of: record))
            defer { self.decoder = decoder }
            try decoder.append(record, to: batch)
            // As a store gives them; an export does not tell what was made up.
            _ = batch.resolve(all: false) { _, user in
                if user.id == 0 { user.id = Int64(SipHash.hash(batch.buffer.bytes[user.identity], key: (1, 1)) >> 11) }
                if user.login.isEmpty { batch.set(handle: "user", of: &user) }
                return true
            }
            var user = batch.user(0)
            user.generated = []
            users.append(user)
        } catch { rejections.append(Rejection(place: place(), reason: error.reason).description) }
    }

    func reject(_ rejection: Rejection) { rejections.append(rejection.description) }
    func note(_ text: String) {}
    func describe(_ layout: FileLayout, _ header: CSVHeader?) {}
}

extension ColumnNames {
    /// The names by which the records of a file are read that begins with `record`, without settings.
    fileprivate init(of record: SourceRecord) {
        let survey = RecordSurvey()
        try? survey.add(record)
        let source = survey.source.isLearned ? .unknown : survey.source
        self.init(ImportSchema(ImportRequest(), DirectorySettings(), source))
    }
}

/// The properties of users that stores and pages rely on.
private func checkUser(_ user: User) throws {
    try hold(user.id > 0, "id \(user.id)")
    try hold(!user.login.isEmpty && user.login != "." && user.login != "..", "login \"\(user.login)\"")
    for text in [user.login, user.name, user.avatarURL].compactMap(\.self) {
        let isLine = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
        try hold(!text.isEmpty && isLine && text.utf8.count <= 8000, "a text that is no line: \"\(text)\"")
    }
    if let url = user.avatarURL {
        try hold(url.lowercased().hasPrefix("http://") || url.lowercased().hasPrefix("https://"), "\(url) is no URL")
    }
    guard let more = user.more else { return }
    let value = try Array(more.utf8).withUnsafeBytes { try JSON.value($0).kind }
    try hold(value == .object && !more.utf8.contains(0x0A), "more is not an object in one line: \(more)")
}

/// An export that is imported again contains the same users.
private func checkExport(of users: [User]) throws {
    let rows = UserRows(users)
    let directory = Directory(
        id: 1, slug: Slug(literal: "people"), title: "", source: "file", total: users.count, generation: 1)
    let columns = ExportColumns(.rollcall, of: directory, in: "")
    for format in ExportFormat.allCases where !users.isEmpty {
        let buffer = ByteBuffer()
        var writer = ExportWriter(format: format, columns: columns)
        writer.begin(into: buffer)
        for index in rows.rows.indices { try writer.append(rows, index, into: buffer) }
        writer.end(into: buffer)
        let again = Reading(of: [buffer.bytes], nil)
        try hold(again.rejections.isEmpty, "\(format) is refused: \(again.rejections)")
        try hold(again.users == users, "\(format) gives \(again.users) for \(users)")
    }
}

extension UserRows {
    /// Returns the rows of a page of `users`.
    init(_ users: [User]) {
        self.init()
        for user in users {
            func keep(_ text: String?) -> ByteSlice { Array((text ?? "").utf8).withUnsafeBytes { self.keep($0) } }
            rows.append(UserRow(user.columns.map(keep)))
        }
    }
}
