/// Finds the end of one JSON value that arrives in chunks, by its brackets and quotes alone.
struct Lexer {
    private(set) var isDone = false
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var isScalar = false

    /// Continues at `index`. Returns the offset where the value, or the chunk, ends.
    mutating func skip(_ chunk: UnsafeRawBufferPointer, from index: Int) -> Int {
        var index = index
        while index < chunk.count, !isDone {
            if isInString {
                skipString(chunk, &index)
            } else if isScalar {
                if chunk[index].endsJSONScalar { isDone = true } else { index += 1 }
            } else {
                take(chunk[index])
                index += 1
            }
        }
        return index
    }

    @inline(__always) private mutating func take(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            isDone = depth <= 0
        default: isScalar = depth == 0
        }
    }

    @inline(__always) private mutating func skipString(_ chunk: UnsafeRawBufferPointer, _ index: inout Int) {
        while index < chunk.count {
            let byte = chunk[index]
            index += 1
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
                isDone = depth == 0
                return
            }
        }
    }
}

extension UInt8 {
    /// Whether a value may begin with this byte. The reader of the value checks `true`, `false` and `null`.
    var startsJSONValue: Bool {
        switch self {
        case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: ":"): false
        default: true
        }
    }

    fileprivate var endsJSONScalar: Bool {
        switch self {
        case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","): true
        default: isJSONWhitespace
        }
    }
}
