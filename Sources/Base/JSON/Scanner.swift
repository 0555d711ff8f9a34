/// Reads and validates a JSON text. It counts nesting levels instead of recursing, so no text can exhaust the stack.
struct Scanner {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The byte at the position, or 0, which no rule of JSON accepts, at the end.
    @inline(__always) var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

    @inline(__always) mutating func skipWhitespace() {
        while position < bytes.count, bytes[position].isWhitespace { position += 1 }
    }

    @inline(__always) mutating func takeIfNext(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    @inline(__always) mutating func take(_ byte: UInt8, or expected: StaticString) throws(JSONError) {
        if !takeIfNext(byte) { throw unexpected(expected) }
    }

    /// Checks that only white space is left.
    mutating func end() throws(JSONError) {
        skipWhitespace()
        if position < bytes.count { throw unexpected("the end of the text") }
    }

    /// Reads a key, its colon and the white space after it.
    mutating func key() throws(JSONError) -> JSONString {
        try take(UInt8(ascii: "\""), or: "a key in quotes")
        let start = position
        let hasEscapes = try skipString()
        let raw = UnsafeRawBufferPointer(rebasing: bytes[start..<(position - 1)])
        skipWhitespace()
        try take(UInt8(ascii: ":"), or: "\":\"")
        skipWhitespace()
        return JSONString(raw: raw, hasEscapes: hasEscapes)
    }

    /// Reads a value.
    mutating func value() throws(JSONError) -> JSONValue {
        let start = position
        var hasEscapes = false
        let kind: JSONValue.Kind
        switch next {
        case UInt8(ascii: "\""):
            kind = .string
            position += 1
            hasEscapes = try skipString()
        case UInt8(ascii: "{"):
            kind = .object
            try skipContainer()
        case UInt8(ascii: "["):
            kind = .array
            try skipContainer()
        default: kind = try skipLiteral()
        }
        let raw = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
        return JSONValue(kind: kind, raw: raw, hasEscapes: hasEscapes)
    }

    /// Skips an object or an array.
    private mutating func skipContainer() throws(JSONError) {
        var levels = Levels()
        repeat {
            if try skipStart(&levels) { continue }
            try skipToNextValue(&levels)
        } while levels.depth > 0
    }

    /// Skips a scalar, or the start of a container. Returns whether the container's first value comes next.
    private mutating func skipStart(_ levels: inout Levels) throws(JSONError) -> Bool {
        switch next {
        case UInt8(ascii: "{"):
            try open(&levels, isObject: true)
            if next == UInt8(ascii: "}") { return false }
            _ = try key()
            return true
        case UInt8(ascii: "["):
            try open(&levels, isObject: false)
            return next != UInt8(ascii: "]")
        case UInt8(ascii: "\""):
            position += 1
            _ = try skipString()
        default: _ = try skipLiteral()
        }
        return false
    }

    /// Skips an opening bracket and the white space after it.
    @inline(__always) private mutating func open(_ levels: inout Levels, isObject: Bool) throws(JSONError) {
        guard levels.depth < JSON.maxDepth else {
            let message = "expected arrays and objects at most \(JSON.maxDepth) deep, found more"
            throw JSONError(offset: position, message: message)
        }
        levels.push(isObject: isObject)
        position += 1
        skipWhitespace()
    }

    /// Skips closing brackets and the comma after a value, up to the start of the next value or the outermost end.
    private mutating func skipToNextValue(_ levels: inout Levels) throws(JSONError) {
        while levels.depth > 0 {
            skipWhitespace()
            if takeIfNext(UInt8(ascii: ",")) {
                skipWhitespace()
                if levels.isObject { _ = try key() }
                return
            }
            if levels.isObject {
                try take(UInt8(ascii: "}"), or: "\",\" or \"}\"")
            } else {
                try take(UInt8(ascii: "]"), or: "\",\" or \"]\"")
            }
            levels.pop()
        }
    }

    /// The open containers: one bit each, set for an object.
    private struct Levels {
        private var objects: UInt64 = 0
        private(set) var depth = 0

        var isObject: Bool { objects & 1 == 1 }

        mutating func push(isObject: Bool) {
            depth += 1
            objects = objects << 1 | (isObject ? 1 : 0)
        }

        mutating func pop() {
            depth -= 1
            objects >>= 1
        }
    }

    func unexpected(_ expected: StaticString) -> JSONError {
        let found: String
        switch next {
        case _ where position >= bytes.count: found = "the end"
        case 0x21...0x7E: found = "\"\(Character(Unicode.Scalar(next)))\""
        default: found = "byte 0x\(String(next, radix: 16, uppercase: true))"
        }
        return JSONError(offset: position, message: "expected \(expected), found \(found)")
    }
}

extension UInt8 {
    /// RFC 8259 §2: space, tab, line feed, carriage return.
    @inlinable @inline(__always)
    public var isWhitespace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

extension Scanner {
    /// Skips a string from behind its opening quote to behind the closing one. Returns whether it has escapes.
    mutating func skipString() throws(JSONError) -> Bool {
        let start = position
        var hasEscapes = false
        while true {
            skipPlainBytes()
            guard position < bytes.count else {
                throw JSONError(offset: start - 1, message: "expected the closing quote of a string, found the end")
            }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return hasEscapes
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try skipEscape()
            case 0..<0x20: throw unexpected("a control character escaped")
            case 0x80...: try skipMultibyte()
            default: position += 1
            }
        }
    }

    /// Skips eight bytes at a time while all of them are ASCII and none is a quote, a backslash or a control character.
    @inline(__always) private mutating func skipPlainBytes() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        while position + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            // The high bit of a byte is set if the byte is below 0x20, is a quote or backslash, or had its high bit set
            // already. A borrow can only corrupt bytes above the first such byte.
            let found =
                (word &- ones &* 0x20) | ((word ^ ones &* 0x22) &- ones) | ((word ^ ones &* 0x5C) &- ones) | word
            let marks = found & (ones &* 0x80)
            if marks != 0 {
                position += marks.trailingZeroBitCount >> 3
                return
            }
            position += 8
        }
    }

    private mutating func skipEscape() throws(JSONError) {
        position += 1
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard next.hexadecimalValue != nil else { throw unexpected("four hexadecimal digits") }
                position += 1
            }
        default: throw unexpected("one of \"\\/bfnrtu after a backslash")
        }
    }

    private mutating func skipMultibyte() throws(JSONError) {
        let length = bytes.utf8SequenceLength(at: position)
        if length == 0 { throw unexpected("UTF-8") }
        position += length
    }

    /// Skips a number, `true`, `false` or `null`, and returns its kind.
    mutating func skipLiteral() throws(JSONError) -> JSONValue.Kind {
        switch next {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try skipNumber()
            return .number
        case UInt8(ascii: "t") where takeIfNext("true"), UInt8(ascii: "f") where takeIfNext("false"): return .bool
        case UInt8(ascii: "n") where takeIfNext("null"): return .null
        default: throw unexpected("a value")
        }
    }

    private mutating func takeIfNext(_ word: StaticString) -> Bool {
        guard UnsafeRawBufferPointer(rebasing: bytes[position...]).starts(with: word) else { return false }
        position += word.utf8CodeUnitCount
        return true
    }

    /// RFC 8259 §6: no leading zeros, no leading plus, digits on both sides of the point.
    private mutating func skipNumber() throws(JSONError) {
        _ = takeIfNext(UInt8(ascii: "-"))
        if !takeIfNext(UInt8(ascii: "0")) { try skipDigits() }
        if takeIfNext(UInt8(ascii: ".")) { try skipDigits() }
        if next | 0x20 == UInt8(ascii: "e") {
            position += 1
            if !takeIfNext(UInt8(ascii: "+")) { _ = takeIfNext(UInt8(ascii: "-")) }
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(JSONError) {
        guard next.digit != nil else { throw unexpected("a digit") }
        while next.digit != nil { position += 1 }
    }
}
