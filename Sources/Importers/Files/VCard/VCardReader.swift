import Base

/// Reads the cards of a vCard file, versions 2.1 (Versit, 1996), 3.0 (RFC 2426) and 4.0 (RFC 6350), as address books
/// export them.
struct VCardReader: RecordReader {
    private var record: VCardRecord
    /// Keeps photos; without it, they are left out.
    private let photos: SpooledPhotos?
    private let json = ByteBuffer(capacity: 4096)
    private var lines = FoldedLines(areOfCards: true)
    /// A property with data, whose next lines may go on without a space before them.
    private let data = ByteBuffer(capacity: 4096)
    /// The number of bytes of the card, without data.
    private var cardBytes = 0
    /// Why the card cannot be read.
    private var fault: String?
    private static let tooLong = "expected a card of at most 1 MiB, found more"
    private var isInCard = false
    /// Whether the last property was an `AGENT`, whose value is a card of somebody else (vCard 2.1 §2.4.1); and how
    /// deep in such cards the next line is.
    private var isAgent = false
    private var depth = 0
    private var cardLine = 1
    private var hasCards = false
    private var leftOut: [VCardRecord.Kind: Int] = [:]
    private var photosLeftOut = 0

    /// The noun by which the report counts cards that are left out.
    private static let nouns: [(kind: VCardRecord.Kind, one: String, several: String)] = [
        (.group, "card of groups or organizations left out", "cards of groups or organizations left out"),
        (.nameless, "card without a name left out", "cards without a name left out"),
        (.confidential, "private card left out", "private cards left out"),
    ]

    /// - Parameter language: That of the directory, for properties in several languages.
    init(photos: SpooledPhotos? = nil, language: String = "und") {
        self.photos = photos
        record = VCardRecord(language: language)
    }

    mutating func read(_ chunk: UnsafeRawBufferPointer, into sink: some RecordSink) throws {
        var rest = chunk
        while lines.takeLine(of: &rest) { try endLine(into: sink) }
    }

    mutating func finish(into sink: some RecordSink) throws {
        try endLine(into: sink)
        if isInCard { try reject("expected END:VCARD, found the end of the file", isCut: true, sink) }
        for (kind, one, several) in Self.nouns { sink.note(leftOut[kind] ?? 0, one, several) }
        sink.note(photosLeftOut, "photo in the file is left out", "photos in the file are left out")
        try expect(hasCards, "expected a card that begins with BEGIN:VCARD, found none")
    }

    /// Reads the unfolded line, which is now complete.
    private mutating func endLine(into sink: some RecordSink) throws {
        let text = lines.text.bytes
        // Old phones write base64 into lines of its own, without a space before each.
        if !data.isEmpty, text.allSatisfy(\.isBase64) { return keep(text) }
        try take(data.bytes, into: sink)
        data.removeAll()
        if VCardProperty.hasData(text) { return keep(text) }
        cardBytes += text.count
        if cardBytes > RecordLimits.recordBytes { fault = Self.tooLong }
        try take(text, into: sink)
    }

    /// Keeps a line with data, or one with more of it.
    private mutating func keep(_ text: UnsafeRawBufferPointer) {
        if lines.isTooLong || data.count + text.count > FoldedLines.maxBytes {
            fault = Self.tooLong
        } else {
            data.append(text)
        }
    }

    private mutating func take(_ line: UnsafeRawBufferPointer, into sink: some RecordSink) throws {
        guard let property = VCardProperty(line) else { return }
        defer { isAgent = property.name == "AGENT" }
        switch property.name {
        case "BEGIN" where isInCard && isAgent: depth += 1
        case "BEGIN" where depth == 0: try beginCard(into: sink)
        case "END" where depth > 0: depth -= 1
        case "END" where isInCard && property.text.uppercased().hasPrefix("VCARD"):
            try endCard(into: sink)
            // Files without a line end, joined by `cat`: `END:VCARDBEGIN:VCARD`.
            if property.text.uppercased().hasSuffix("BEGIN:VCARD") { try beginCard(into: sink) }
        default:
            if !isInCard || depth > 0 || fault != nil { return }
            if !line.isUTF8 { fault = "expected UTF-8, found other bytes" }
            record.append(property)
        }
    }

    private mutating func beginCard(into sink: some RecordSink) throws {
        if isInCard { try reject("expected END:VCARD, found another BEGIN:VCARD", sink) }
        record.removeAll()
        (isInCard, fault, hasCards) = (true, nil, true)
        (depth, cardBytes, cardLine) = (0, 0, lines.firstLine)
    }

    private mutating func endCard(into sink: some RecordSink) throws {
        isInCard = false
        if let fault { return try reject(fault, sink) }
        let kind = record.kind
        guard kind == .person else { return leftOut[kind, default: 0] += 1 }
        let photo = record.photo
        if photo != nil, photos == nil { photosLeftOut += 1 }
        json.removeAll()
        record.append(to: json, photo: try photos.flatMap { photos in try photo.map(photos.keep) })
        try sink.take(.object(json.bytes, uid: record.uid), at: "line \(cardLine)")
    }

    private func reject(_ reason: String, isCut: Bool = false, _ sink: some RecordSink) throws {
        try sink.reject(Rejection(place: "line \(cardLine)", reason: reason, isCut: isCut))
    }
}

extension UInt8 {
    /// Whether this is a letter of base64 (RFC 4648 §4) or white space.
    var isBase64: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D: true
        default: isWhitespace
        }
    }
}
