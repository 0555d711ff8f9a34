import Base

/// Takes the lines of a vCard file or of LDIF apart, and joins those that were folded: white space at the beginning of
/// a line continues the one before (RFC 6350 §3.2, RFC 2849). Carriage returns before a line feed belong to it.
struct FoldedLines {
    /// 48 MiB: a photo of 32 MiB in base64.
    static let maxBytes = 48 << 20

    /// The line that is being read, with the folds so far removed. After ``takeLine(of:)``, and at the end of the file,
    /// the complete one.
    let text = ByteBuffer(capacity: 4096)
    /// The number of the line at which ``text`` begins.
    private(set) var firstLine = 1
    /// Whether the end of the line is missing, because it has more than ``maxBytes``.
    private(set) var isTooLong = false
    /// Whether the last byte was a line end.
    private(set) var isAtLineStart = true
    private var line = 1
    private var isComplete = false

    /// Reads bytes from the beginning of `chunk`, and removes them from it. Returns `false` when all are read and no
    /// line is complete.
    mutating func takeLine(of chunk: inout UnsafeRawBufferPointer) -> Bool {
        if isComplete {
            text.removeAll()
            (firstLine, isTooLong, isComplete) = (line, false, false)
        }
        while let first = chunk.first {
            guard isAtLineStart else {
                takeRest(of: &chunk)
                continue
            }
            isAtLineStart = false
            isComplete = first != 0x20 && first != 0x09
            if isComplete { return true }
            chunk = UnsafeRawBufferPointer(rebasing: chunk.dropFirst())
        }
        return false
    }

    /// Reads the bytes up to the next line end.
    private mutating func takeRest(of chunk: inout UnsafeRawBufferPointer) {
        let end = chunk.offset(of: 0x0A)
        let rest = UnsafeRawBufferPointer(rebasing: chunk.prefix(end ?? chunk.count))
        chunk = UnsafeRawBufferPointer(rebasing: chunk.dropFirst(rest.count + 1))
        isTooLong = isTooLong || text.count + rest.count > Self.maxBytes
        if !isTooLong { text.append(rest) }
        if end == nil { return }
        line += 1
        while text.bytes.last == 0x0D { text.truncate(to: text.count - 1) }
        // The line goes on, whatever its next byte is.
        let goesOn = VCardProperty.hasSoftBreak(text.bytes)
        if goesOn { text.truncate(to: text.count - 1) }
        isAtLineStart = !goesOn
    }
}
