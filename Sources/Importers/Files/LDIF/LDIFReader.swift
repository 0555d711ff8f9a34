import Base
import Foundation

/// Reads the entries of an LDIF file (RFC 2849), as `ldapsearch` prints them.
struct LDIFReader: RecordReader {
    private var entry: LDIFEntry
    private let entries: EntryIndex
    private var layout: FileLayout
    /// Whether the entries are only noted.
    private let isCollecting: Bool
    /// Keeps photos; without it, they are left out.
    private let photos: SpooledPhotos?
    private let json = ByteBuffer(capacity: 4096)
    private var lines = FoldedLines(areOfCards: false)
    /// The line at which the entry begins.
    private var entryLine = 1
    private var people = 0
    private var leftOut: [EntryMark.Reason: Int] = [:]
    /// Whether an entry has an attribute that tells disabled accounts.
    private var tellsWhetherDisabled = false
    private var references = 0
    /// The server's message at the end of a search that failed.
    private var failure: String?

    /// - Parameters:
    ///   - entries: All entries of the file.
    ///   - language: That of the directory, for values in several languages.
    init(
        _ entries: EntryIndex, isCollecting: Bool = false, photos: SpooledPhotos? = nil, language: String = "und",
        layout: FileLayout = FileLayout(format: .ldif)
    ) {
        (self.entries, self.isCollecting, self.photos, self.layout) = (entries, isCollecting, photos, layout)
        entry = LDIFEntry(language: language)
    }

    mutating func read(_ chunk: UnsafeRawBufferPointer, into sink: some RecordSink) throws {
        var rest = chunk
        while lines.takeLine(of: &rest) { try endLine(into: sink) }
    }

    mutating func finish(into sink: some RecordSink) throws {
        // Every line of a whole file has an end (RFC 2849). Without it, nobody knows what the entry lacks.
        let isCut = !lines.isAtLineStart && !lines.text.isEmpty
        try endLine(into: sink)
        if isCut, entry.distinguishedName != nil {
            entry.removeAll()
            let reason = "expected a line end, found the end of the file, which may be cut off"
            try sink.reject(Rejection(place: "line \(entryLine)", reason: reason, isCut: true))
        }
        try endEntry(into: sink)
        if isCollecting { return }
        layout.lacksLineEnd = !lines.isAtLineStart
        sink.describe(layout, nil)
        for reason in EntryMark.Reason.allCases {
            let (one, many) = reason.words
            sink.note(leftOut[reason] ?? 0, one, many)
        }
        if people > 0, !tellsWhetherDisabled {
            sink.note(
                """
                no entry says whether its account is disabled; if the server knows, let the search ask for it, such as \
                for userAccountControl, nsAccountLock or pwdAccountLockedTime
                """)
        }
        let unread = "in other files (:<) not read: search without -t or -tt"
        sink.note(references, "value \(unread)", "values \(unread)")
        if let failure {
            throw RollcallError("the search ended with \"\(failure)\": the list is cut off, and nobody was removed")
        }
        try expect(people > 0, "expected entries of people, found none")
    }

    /// Reads the unfolded line, which is now complete.
    private mutating func endLine(into sink: some RecordSink) throws {
        try expect(!lines.isTooLong, "line \(lines.firstLine): expected at most 48 MiB, found more")
        // Joined files have a byte order mark each.
        let bytes = lines.text.bytes.removingPrefix("\u{FEFF}") ?? lines.text.bytes
        if bytes.allSatisfy(\.isWhitespace) { return try endEntry(into: sink) }
        if bytes.first == UInt8(ascii: "#") { return }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
            let place = "line \(lines.firstLine)"
            return try sink.reject(Rejection(place: place, reason: "expected an attribute and a colon"))
        }
        let name = String(decoding: bytes[..<colon], as: UTF8.self)
        let written = UnsafeRawBufferPointer(rebasing: bytes[(colon + 1)...])
        if written.first == UInt8(ascii: "<") {
            references += 1
            entry.noteReference(name)
            return
        }
        let encoded = written.removingPrefix(":")
        let value = UnsafeRawBufferPointer(rebasing: (encoded ?? written).drop { $0 == 0x20 })
        if Self.beginsAnew(name, value) { try endEntry(into: sink) }
        if entry.isEmpty { entryLine = lines.firstLine }
        let isChange = name.lowercased() == "changetype" && !value.equals(ignoringCase: "add")
        try expect(!isChange, "line \(lines.firstLine): expected entries, found changes to entries (changetype)")
        if encoded == nil {
            entry.append(name, Array(value))
        } else {
            entry.append(name, [UInt8](Data(base64Encoded: Data(value), options: .ignoreUnknownCharacters) ?? Data()))
        }
    }

    /// Whether a line can only follow a whole entry, with an empty line before it or not: the name of the next one, or
    /// what ldapsearch says of the search.
    private static func beginsAnew(_ name: String, _ value: UnsafeRawBufferPointer) -> Bool {
        switch name.lowercased() {
        case "dn": true
        case "search", "result": value.first?.isDigit == true
        default: false
        }
    }

    private mutating func endEntry(into sink: some RecordSink) throws {
        defer { entry.removeAll() }
        guard entry.distinguishedName != nil else {
            // Nothing, or the end of a search, as the program that searched prints it.
            if let result = entry.text("result"), !result.hasPrefix("0") { failure = result }
            return
        }
        if isCollecting { return entries.note(entry) }
        tellsWhetherDisabled = tellsWhetherDisabled || entry.tellsWhetherDisabled
        if let reason = entry.reasonToLeaveOut { return leftOut[reason, default: 0] += 1 }
        people += 1
        if entry.lacksName, entry.name == nil {
            let reason = "expected a name, found one in another file: search without -tt"
            return try sink.reject(Rejection(place: "line \(entryLine)", reason: reason))
        }
        json.removeAll()
        let photo = try photos.flatMap { photos in try entry.photo.map(photos.keep) }
        entry.append(to: json, photo: photo, among: entries)
        if json.count > RecordLimits.recordBytes { return try sink.reject(.tooLarge("line \(entryLine)")) }
        try sink.take(.object(json.bytes, uid: entry.identity(among: entries)), at: "line \(entryLine)")
    }
}
