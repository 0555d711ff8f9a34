import Base
import People

/// Reads the cards of a vCard file, versions 3.0 (RFC 2426) and 4.0 (RFC 6350), as address books export them.
struct VCardReader: RecordReader {
    /// 8 MiB: a photo of more than 4 MiB in base64. Only its beginning is kept.
    private static let maxPhotoBytes = 8 << 20
    private static let keptPhotoBytes = 4096

    private var record = VCardRecord()
    private let json = ByteBuffer(capacity: 4096)
    /// The line that is being read, with the folds so far removed.
    private let text = ByteBuffer(capacity: 4096)
    /// The number of bytes of that line, including those of a photo that are not kept.
    private var lineBytes = 0
    private var isPhoto = false
    /// Whether the name of the property is complete, so that `isPhoto` is known.
    private var hasName = false
    /// The number of bytes of the card, without photos.
    private var cardBytes = 0
    private var isTooLong = false
    private var isUTF8 = true
    private var isInCard = false
    private var isAtLineStart = true
    private var line = 1
    /// The lines at which the text and the card begin.
    private var textLine = 1
    private var cardLine = 1
    private var hasCards = false
    private var otherKinds = 0

    mutating func read(_ chunk: UnsafeRawBufferPointer, into sink: some RecordSink) throws {
        var index = 0
        while index < chunk.count {
            if isAtLineStart {
                isAtLineStart = false
                // A line that begins with white space continues the previous one (RFC 6350 §3.2).
                if chunk[index] == 0x20 || chunk[index] == 0x09 {
                    index += 1
                    continue
                }
                try endLine(into: sink)
                textLine = line
            }
            let end = chunk[index...].firstIndex { $0 == 0x0A } ?? chunk.count
            append(UnsafeRawBufferPointer(rebasing: chunk[index..<end]))
            index = end
            if index < chunk.count {
                index += 1
                line += 1
                isAtLineStart = true
            }
        }
    }

    mutating func finish(into sink: some RecordSink) throws {
        try endLine(into: sink)
        if isInCard {
            try sink.reject(
                Rejection(
                    place: "line \(cardLine)", reason: "expected END:VCARD, found the end of the file", isCut: true))
        }
        if otherKinds > 0 {
            sink.note("\(otherKinds) \(otherKinds == 1 ? "card" : "cards") of groups or organizations left out")
        }
        guard hasCards else { throw ImportError("expected a card that begins with BEGIN:VCARD, found none") }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var bytes = bytes
        if bytes.last == 0x0D { bytes = UnsafeRawBufferPointer(rebasing: bytes.dropLast()) }
        lineBytes += bytes.count
        if !hasName {
            let kept = min(bytes.count, max(0, Self.maxNameBytes - text.count))
            text.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(kept)))
            bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(kept))
            hasName = text.count >= Self.maxNameBytes || text.bytes.contains(where: Self.endsName)
            if hasName { isPhoto = Self.isPhoto(text.bytes) }
        }
        let limit = isPhoto ? Self.keptPhotoBytes : RecordLimits.recordBytes - cardBytes
        if text.count + bytes.count <= limit {
            text.append(bytes)
        } else if isPhoto {
            text.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(max(0, limit - text.count))))
            if lineBytes > Self.maxPhotoBytes { isTooLong = true }
        } else {
            isTooLong = true
        }
    }

    /// Whether a line holds binary data, such as a picture or sound, which may be long.
    private static func isPhoto(_ line: UnsafeRawBufferPointer) -> Bool {
        let name = line.prefix { !endsName($0) }
        let plain = name.lastIndex(of: UInt8(ascii: ".")).map { name[($0 + 1)...] } ?? name
        return ["PHOTO", "LOGO", "SOUND", "KEY"].contains(String(decoding: plain, as: UTF8.self).uppercased())
    }

    /// No name of a property is as long.
    private static let maxNameBytes = 64

    private static func endsName(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") }

    /// Reads the unfolded line, which is now complete.
    private mutating func endLine(into sink: some RecordSink) throws {
        defer {
            text.removeAll()
            lineBytes = 0
            (isPhoto, hasName) = (false, false)
        }
        if text.isEmpty || text.bytes.allSatisfy(\.isBlank) { return }
        if !isPhoto { cardBytes += text.count }
        let line = String(text)
        guard let property = VCardProperty(line) else { return }
        switch (property.name, property.text.uppercased()) {
        case ("BEGIN", "VCARD"):
            if isInCard {
                try sink.reject(
                    Rejection(place: "line \(cardLine)", reason: "expected END:VCARD, found another BEGIN:VCARD"))
            }
            beginCard()
        case ("END", "VCARD") where isInCard: try endCard(into: sink)
        case ("VERSION", "2.1") where isInCard:
            throw ImportError(
                "line \(cardLine): expected a card of vCard 3.0 or 4.0, found 2.1; export the contacts again as 3.0 or 4.0"
            )
        default:
            if isInCard, !isTooLong {
                if !text.bytes.isUTF8 { isUTF8 = false }
                record.append(property)
            }
        }
    }

    private mutating func beginCard() {
        record.removeAll()
        (isInCard, isTooLong, isUTF8, hasCards) = (true, false, true, true)
        cardBytes = 0
        cardLine = textLine
    }

    private mutating func endCard(into sink: some RecordSink) throws {
        isInCard = false
        let place = "line \(cardLine)"
        if isTooLong {
            return try sink.reject(Rejection(place: place, reason: "expected a card of at most 1 MiB, found more"))
        }
        if record.otherKind != nil {
            otherKinds += 1
            return
        }
        if !isUTF8 {
            return try sink.reject(Rejection(place: place, reason: "expected UTF-8, found other bytes"))
        }
        json.removeAll()
        record.append(to: json)
        let loss = record.inlinePhoto.map { ImportLosses.Loss($0, "PHOTO") }
        try sink.take(.object(json.bytes, uid: record.uid, loss: loss), at: place)
    }
}
