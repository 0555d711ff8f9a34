/// Finds the end of one JSON value that arrives in chunks, by its brackets and quotes alone.
struct Lexer {
    private enum State {
        /// Before the value, or between the parts of an object or array.
        case between
        case string, escape, scalar
        case done
    }

    private var state = State.between
    private var depth = 0

    var isDone: Bool { state == .done }

    /// Continues at `index`. Returns the offset where the value, or the chunk, ends.
    mutating func skip(_ chunk: UnsafeRawBufferPointer, from index: Int) -> Int {
        var index = index
        while index < chunk.count, state != .done {
            switch state {
            case .string, .escape: skipString(chunk, &index)
            case .scalar where chunk[index].endsJSONScalar: state = .done
            case .between:
                take(chunk[index])
                index += 1
            case .scalar, .done: index += 1
            }
        }
        return index
    }

    @inline(__always) private mutating func take(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): state = .string
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if depth <= 0 { state = .done }
        default: if depth == 0 { state = .scalar }
        }
    }

    @inline(__always) private mutating func skipString(_ chunk: UnsafeRawBufferPointer, _ index: inout Int) {
        while index < chunk.count {
            let byte = chunk[index]
            index += 1
            if state == .escape {
                state = .string
            } else if byte == UInt8(ascii: "\\") {
                state = .escape
            } else if byte == UInt8(ascii: "\"") {
                state = depth == 0 ? .done : .between
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
        default: isWhitespace
        }
    }
}
