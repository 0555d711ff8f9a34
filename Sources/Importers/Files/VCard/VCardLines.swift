import Base

/// Takes the lines of a vCard file apart, and joins those that were folded.
struct VCardLines {
    /// The line that is being read, with the folds so far removed. After ``takeLine(of:)``, the complete one.
    let text = ByteBuffer(capacity: 4096)
    /// The number of the line at which ``text`` begins.
    private(set) var firstLine = 1
    /// Whether the end of the line is missing, because it is longer than a card may be.
    private(set) var isTooLong = false
    private var line = 1
    private var isComplete = false
    private var isAtLineStart = true
    /// Whether the last byte was a carriage return, so that a line feed belongs to it.
    private var isAfterReturn = false

    /// 48 MiB: a photo of 32 MiB in base64.
    static let maxDataBytes = 48 << 20

    /// Reads bytes from the beginning of `chunk`, and removes them from it. Returns `false` when all are read and no
    /// line is complete.
    mutating func takeLine(of chunk: inout UnsafeRawBufferPointer) -> Bool {
        if isComplete { begin() }
        while let first = chunk.first {
            let isSecondOfLineEnd = isAfterReturn && first == 0x0A
            isAfterReturn = false
            if isSecondOfLineEnd {
                chunk = UnsafeRawBufferPointer(rebasing: chunk.dropFirst())
                continue
            }
            // An empty line neither continues nor ends anything.
            if isAtLineStart, first != 0x0A, first != 0x0D {
                // White space continues the previous line (RFC 6350 §3.2).
                let isSpace = first == 0x20 || first == 0x09
                guard isSpace || text.isEmpty else {
                    isComplete = true
                    return true
                }
                isAtLineStart = false
                if text.isEmpty { firstLine = line }
                if isSpace { chunk = UnsafeRawBufferPointer(rebasing: chunk.dropFirst()) }
            }
            takeRest(of: &chunk)
        }
        return false
    }

    /// Completes the last line of the file. Returns `false` if there is none.
    mutating func takeLast() -> Bool {
        if isComplete { begin() }
        isComplete = true
        return !text.isEmpty
    }

    private mutating func begin() {
        text.removeAll()
        (isComplete, isTooLong) = (false, false)
    }

    /// Reads the bytes up to the next line end: a line feed, a carriage return (old Macs), or both.
    private mutating func takeRest(of chunk: inout UnsafeRawBufferPointer) {
        let end = chunk.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? chunk.count
        append(UnsafeRawBufferPointer(rebasing: chunk[..<end]))
        if end < chunk.count {
            line += 1
            isAtLineStart = true
            isAfterReturn = chunk[end] == 0x0D
            // The line goes on, whatever its next byte is.
            if text.bytes.last == UInt8(ascii: "="), VCardProperty.isQuotedPrintable(text.bytes) {
                text.truncate(to: text.count - 1)
                isAtLineStart = false
            }
        }
        chunk = UnsafeRawBufferPointer(rebasing: chunk.dropFirst(end + 1))
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        let count = text.count + bytes.count
        guard count <= RecordLimits.recordBytes || count <= Self.maxDataBytes && Self.hasData(text.bytes) else {
            isTooLong = true
            return
        }
        text.append(bytes)
    }

    /// Whether a line has data, such as a picture or sound, which may be long.
    static func hasData(_ line: UnsafeRawBufferPointer) -> Bool {
        let name = line.prefix(64).prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ":") }
        let plain = name.lastIndex(of: UInt8(ascii: ".")).map { name[($0 + 1)...] } ?? name
        return ["PHOTO", "LOGO", "SOUND", "KEY"].contains(String(decoding: plain, as: UTF8.self).uppercased())
    }
}
