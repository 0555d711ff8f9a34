import Base
import Publishing

/// A value of a record: JSON, or a cell of a CSV file.
enum RecordValue {
    case json(JSONValue)
    /// Validated UTF-8.
    case cell(UnsafeRawBufferPointer)

    /// Whether the value is null or the empty string.
    var isAbsent: Bool {
        switch self {
        case .json(let value): value.isNull || (value.kind == .string && value.raw.count == 2)
        case .cell(let bytes): bytes.isEmpty
        }
    }

    /// The elements of an array; `nil` for any other value.
    var list: UnsafeRawBufferPointer? {
        guard case .json(let value) = self, value.kind == .array else { return nil }
        return value.raw
    }

    /// The JSON object that the value is, or that its text contains.
    var object: UnsafeRawBufferPointer? {
        let json: JSONValue? =
            switch self {
            case .json(let value): value
            case .cell(let bytes): try? JSON.value(bytes)
            }
        return json?.kind == .object ? json?.raw : nil
    }

    /// The bytes of a text that needs no decoding; `nil` for any other value.
    @inline(__always) var plainBytes: UnsafeRawBufferPointer? {
        switch self {
        case .cell(let bytes): return bytes
        case .json(let value):
            guard let string = value.string, !string.hasEscapes else { return nil }
            return string.raw
        }
    }

    /// Calls `body` with the text of a scalar value, which is empty for null.
    func withText<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let plainBytes { return body(plainBytes) }
        if isAbsent { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        let buffer = ByteBuffer()
        appendText(to: buffer)
        return body(buffer.bytes)
    }

    var isScalar: Bool {
        switch self {
        case .json(let value): value.kind != .array && value.kind != .object
        case .cell: true
        }
    }

    /// The integer that the value is, or that its text contains.
    var int64: Int64? {
        switch self {
        case .json(let value): value.int64 ?? value.string.flatMap { Int64(trimming: $0.raw) }
        case .cell(let bytes): Int64(trimming: bytes)
        }
    }

    /// Appends the value as JSON, without the members at any depth that are not stored, or, if `withoutAddresses` is
    /// set, have an address or a phone number. Returns `false`, and may append a part, if nothing else is in an object
    /// or array.
    func appendJSON(
        to buffer: ByteBuffer, withoutAddresses: Bool = false, leavingOut isLeftOut: (String) -> Bool
    ) -> Bool {
        switch self {
        case .cell(let bytes): buffer.append(jsonString: bytes)
        case .json(let value) where isScalar: buffer.append(value.raw)
        // Only objects have member names.
        case .json(let value) where value.raw.contains(UInt8(ascii: "{")):
            return buffer.append(value, withoutAddresses: withoutAddresses, leavingOut: isLeftOut)
        case .json(let value): buffer.append(compactJSON: value.raw)
        }
        return true
    }

    /// Appends the content of a string, or the text of any other value.
    func appendText(to buffer: ByteBuffer) {
        switch self {
        case .cell(let bytes): buffer.append(bytes)
        case .json(let value):
            if let string = value.string { string.append(to: buffer) } else { buffer.append(value.raw) }
        }
    }

    /// The content of a string, or the text of any other value; empty for null.
    var text: String { withText { String(decoding: $0, as: UTF8.self) } }

    /// The value for messages about a public column: at most forty characters, without control characters.
    var shown: String {
        let text = NormalizedText.cleaned(text)
        return text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
    }
}

extension Int64 {
    /// Reads decimal digits with an optional sign; white space around them is allowed.
    init?(trimming bytes: UnsafeRawBufferPointer) {
        guard bytes.count <= 32, let value = Int64(String(decoding: bytes, as: UTF8.self).trimmed) else { return nil }
        self = value
    }
}

extension ByteBuffer {
    /// Appends a value, known to be valid, without the members that have certain names, and without the objects and
    /// arrays that are empty then. Returns `false` if the value itself is one of these.
    fileprivate func append(
        _ value: JSONValue, withoutAddresses: Bool, leavingOut isLeftOut: (String) -> Bool
    ) -> Bool {
        var isEmpty = true
        var hasLost = false
        /// Appends an element, with `head` before it.
        func appendElement(_ element: JSONValue, after head: () -> Void = {}) {
            let end = count
            if !isEmpty { append(UInt8(ascii: ",")) }
            head()
            if append(element, withoutAddresses: withoutAddresses, leavingOut: isLeftOut) {
                isEmpty = false
            } else {
                truncate(to: end)
                hasLost = true
            }
        }
        switch value.kind {
        case .object:
            append(UInt8(ascii: "{"))
            try? JSON.forEachMember(of: value.raw) { key, value in
                if isLeftOut(key.text) {
                    hasLost = true
                    return
                }
                appendElement(value) {
                    append(UInt8(ascii: "\""))
                    append(key.raw)
                    append("\":")
                }
            }
            append(UInt8(ascii: "}"))
        case .array:
            append(UInt8(ascii: "["))
            try? JSON.forEachElement(of: value.raw) { appendElement($0) }
            append(UInt8(ascii: "]"))
        default:
            if withoutAddresses, let text = value.string, PersonalValue.hasAddress(text.raw) { return false }
            append(value.raw)
            return true
        }
        return !(isEmpty && hasLost)
    }
}
