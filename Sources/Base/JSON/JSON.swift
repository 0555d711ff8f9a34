/// Reads JSON (RFC 8259) in place: values are slices of the received bytes, and nothing is copied unless requested.
///
/// Everything passed to a `body` has been validated, including UTF-8, and is valid only while `body` runs.
public enum JSON {
    /// The maximum nesting depth of arrays and objects.
    public static let maxDepth = 64

    /// Returns the value of `text`, which must be one JSON value, possibly with white space around it.
    public static func value(_ text: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue {
        var scanner = Scanner(text)
        scanner.skipWhitespace()
        let value = try scanner.value()
        try scanner.end()
        return value
    }

    /// Calls `body` with the members of the object `text`, in order, including duplicates.
    ///
    /// Errors are found on the way: `body` has already been called with the members before the error.
    public static func forEachMember(
        of text: UnsafeRawBufferPointer, _ body: (_ key: JSONString, _ value: JSONValue) throws -> Void
    ) throws {
        try forEachPart(of: text, between: "{", "}", or: "an object", "\",\" or \"}\"") { scanner in
            let key = try scanner.key()
            try body(key, try scanner.value())
        }
    }

    /// Calls `body` with the elements of the array `text`, in order.
    public static func forEachElement(
        of text: UnsafeRawBufferPointer, _ body: (_ element: JSONValue) throws -> Void
    ) throws {
        try forEachPart(of: text, between: "[", "]", or: "an array", "\",\" or \"]\"") { try body($0.value()) }
    }

    /// Calls `take` where each part between the brackets of the value `text` begins; it moves the scanner behind it.
    @inline(__always) private static func forEachPart(
        of text: UnsafeRawBufferPointer, between open: Unicode.Scalar, _ close: Unicode.Scalar,
        or value: StaticString, _ next: StaticString, _ take: (inout Scanner) throws -> Void
    ) throws {
        var scanner = Scanner(text)
        scanner.skipWhitespace()
        try scanner.take(UInt8(ascii: open), or: value)
        scanner.skipWhitespace()
        var isOver = scanner.takeIfNext(UInt8(ascii: close))
        while !isOver {
            try take(&scanner)
            scanner.skipWhitespace()
            isOver = scanner.takeIfNext(UInt8(ascii: close))
            if !isOver {
                try scanner.take(UInt8(ascii: ","), or: next)
                scanner.skipWhitespace()
            }
        }
        try scanner.end()
    }
}

/// An error in a JSON text, with its position.
public struct JSONError: Error, Equatable, CustomStringConvertible {
    /// The offset in bytes from the start of the text.
    public var offset: Int
    public var message: String

    public var description: String { "\(message) at byte \(offset + 1)" }
}

/// A value in a JSON text. It is valid as long as the bytes it was read from.
public struct JSONValue {
    public enum Kind: Sendable { case string, number, object, array, bool, null }

    public let kind: Kind
    /// The value as written in the text, including a string's quotes.
    public let raw: UnsafeRawBufferPointer
    @usableFromInline let hasEscapes: Bool

    /// The string, or `nil` if the value is not a string.
    @inlinable public var string: JSONString? {
        guard kind == .string else { return nil }
        return JSONString(raw: UnsafeRawBufferPointer(rebasing: raw[1..<(raw.count - 1)]), hasEscapes: hasEscapes)
    }

    @inlinable public var isNull: Bool { kind == .null }

    /// The Boolean, or `nil` if the value is neither `true` nor `false`.
    @inlinable public var bool: Bool? { kind == .bool ? raw.count == 4 : nil }

    /// The number, if it is an integer of 64 bits, in any notation: `7`, `7.0`, `70e-1`. It is never rounded.
    public var int64: Int64? {
        guard kind == .number else { return nil }
        return Int64(json: raw)
    }
}

/// A string in a JSON text, or a member's key. It is valid as long as the bytes it was read from.
public struct JSONString {
    /// The bytes between the quotes.
    public let raw: UnsafeRawBufferPointer
    /// Whether ``raw`` contains escapes.
    public let hasEscapes: Bool

    /// Creates a string from the bytes between the quotes, which must have been validated.
    @inlinable public init(raw: UnsafeRawBufferPointer, hasEscapes: Bool) {
        self.raw = raw
        self.hasEscapes = hasEscapes
    }

    /// Returns whether the string is exactly `text`.
    @inlinable public func equals(_ text: StaticString) -> Bool {
        hasEscapes ? unescaped().withUnsafeBytes { $0.equals(text) } : raw.equals(text)
    }

    /// The decoded text. An unpaired surrogate becomes U+FFFD.
    public var text: String {
        guard hasEscapes else { return String(decoding: raw, as: UTF8.self) }
        return String(decoding: unescaped(), as: UTF8.self)
    }

    /// Appends the decoded text as UTF-8.
    public func append(to buffer: ByteBuffer) {
        guard hasEscapes else { return buffer.append(raw) }
        var rest = raw
        while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
            buffer.append(UnsafeRawBufferPointer(rebasing: rest[..<backslash]))
            rest = UnsafeRawBufferPointer(rebasing: rest[(backslash + 1)...])
            let length = Self.appendEscape(rest, to: buffer)
            rest = UnsafeRawBufferPointer(rebasing: rest[length...])
        }
        buffer.append(rest)
    }

    @usableFromInline func unescaped() -> [UInt8] {
        let buffer = ByteBuffer(capacity: raw.count)
        append(to: buffer)
        return [UInt8](buffer)
    }

    /// Decodes the escape at the start of `bytes`, after its backslash. Returns the length of the escape in bytes.
    private static func appendEscape(_ bytes: UnsafeRawBufferPointer, to buffer: ByteBuffer) -> Int {
        switch bytes[0] {
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0C)
        case UInt8(ascii: "n"): buffer.append(0x0A)
        case UInt8(ascii: "r"): buffer.append(0x0D)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"): return appendUnicodeEscape(bytes, to: buffer)
        default: buffer.append(bytes[0])
        }
        return 1
    }

    private static func appendUnicodeEscape(_ bytes: UnsafeRawBufferPointer, to buffer: ByteBuffer) -> Int {
        let unit = codeUnit(bytes, at: 1)
        if let scalar = Unicode.Scalar(unit) {
            buffer.append(scalar: scalar)
            return 5
        }
        // RFC 8259 §7: a character beyond the Basic Multilingual Plane takes two escapes.
        if unit < 0xDC00, bytes.count >= 11, bytes[5] == UInt8(ascii: "\\"), bytes[6] == UInt8(ascii: "u") {
            let low = codeUnit(bytes, at: 7)
            if (0xDC00..<0xE000).contains(low),
                let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
            {
                buffer.append(scalar: scalar)
                return 11
            }
        }
        buffer.append(scalar: "\u{FFFD}")
        return 5
    }

    private static func codeUnit(_ bytes: UnsafeRawBufferPointer, at start: Int) -> UInt32 {
        bytes[start..<(start + 4)].reduce(0) { value, byte in
            value << 4 | UInt32(byte.hexadecimalValue ?? 0)
        }
    }
}

extension ByteBuffer {
    func append(scalar: Unicode.Scalar) {
        for byte in UTF8.encode(scalar).unsafelyUnwrapped { append(byte) }
    }
}

extension ByteBuffer {
    /// Appends the UTF-8 `text` as a JSON string, in quotes.
    ///
    /// Besides the characters that JSON requires to be escaped, it escapes `<`, `>`, `&` and the line separators U+2028
    /// and U+2029, so that the result can be inserted into HTML and scripts.
    public func append(jsonString text: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        var start = 0
        var index = 0
        while index < text.count {
            let length = text.lengthToEscape(at: index)
            if length == 0 {
                index += 1
                continue
            }
            append(UnsafeRawBufferPointer(rebasing: text[start..<index]))
            appendEscaped(length == 1 ? UInt16(text[index]) : 0x2000 | UInt16(text[index + 2] & 0x3F))
            index += length
            start = index
        }
        append(UnsafeRawBufferPointer(rebasing: text[start...]))
        append(UInt8(ascii: "\""))
    }

    /// Appends `text` as a JSON string, in quotes.
    public func append(jsonString text: String) { text.withBytes { append(jsonString: $0) } }

    /// Appends a member of an object, after the brace or comma before it: a key that is escaped already, and a value
    /// that is JSON.
    public func append(member key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, isFirst: Bool) {
        append(isFirst ? "{\"" : ",\"")
        append(key)
        append("\":")
        append(value)
    }

    /// Appends the JSON value `value` without the white space between its tokens. The value must have been validated.
    public func append(compactJSON value: UnsafeRawBufferPointer) {
        var isInString = false
        var start = 0
        var index = 0
        while index < value.count {
            let byte = value[index]
            if isInString {
                if byte == UInt8(ascii: "\\") { index += 1 } else if byte == UInt8(ascii: "\"") { isInString = false }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte.isWhitespace {
                append(UnsafeRawBufferPointer(rebasing: value[start..<index]))
                start = index + 1
            }
            index += 1
        }
        append(UnsafeRawBufferPointer(rebasing: value[start...]))
    }

    private func appendEscaped(_ unit: UInt16) {
        append(UInt8(ascii: "\\"))
        switch unit {
        case 0x22, 0x5C: append(UInt8(unit))
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        default:
            append(UInt8(ascii: "u"))
            append(hexadecimal: UInt64(unit), digits: 4)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the length in bytes of the character at `index` if it must be escaped, or 0.
    @inline(__always) fileprivate func lengthToEscape(at index: Int) -> Int {
        switch self[index] {
        case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
            1
        case 0xE2 where index + 2 < count && self[index + 1] == 0x80 && self[index + 2] & 0xFE == 0xA8: 3
        default: 0
        }
    }
}
