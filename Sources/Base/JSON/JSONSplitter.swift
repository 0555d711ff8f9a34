/// Finds the elements of a huge array while it arrives in chunks, and keeps at most one element in memory.
///
/// The array is the whole text, or a member of the object that the text is, or of an object inside that one: the first
/// member that has one of the given names, as the objects around it do, and whose value is an array. Names may differ
/// in the case of ASCII letters. An object without such a member counts as the only element of its text. Only the
/// brackets, commas and strings around the elements are checked here, not the elements themselves.
public struct JSONSplitter {
    public enum Part {
        case element(UnsafeRawBufferPointer)
        /// An element that is longer than the limit.
        case tooLong
    }

    private let members: [StaticString]
    private let maxElementBytes: Int
    /// The number of objects in which the array is looked for.
    private static let maxDepth = 3
    private var state = State.start
    private var lexer = Lexer()
    /// The number of bytes before the current chunk.
    private var offset = 0
    /// The start of an element that ends in a later chunk.
    private let carried = ByteBuffer(capacity: 256)
    private var isTooLong = false
    private let key = ByteBuffer(capacity: 64)
    /// The number of objects around the current position, outside of elements, keys and values.
    private var depth = 0
    private var array = ArrayPlace.text

    public init(members: [StaticString], maxElementBytes: Int) {
        self.members = members
        self.maxElementBytes = maxElementBytes
    }

    /// The place of the array: the text itself, or an object in which it is still sought, or was found.
    private enum ArrayPlace { case text, sought, found }

    private enum State {
        case start
        /// In the array: before an element or the end; before an element; in an element; after one.
        case firstElement, element, inElement, afterElement
        /// In the object around the array.
        case firstKey, key, inKey, colon, value, inValue, afterValue
        case end
    }
}

extension JSONSplitter {
    /// Reads the next chunk. The argument of `body` is valid only while it runs.
    public mutating func split(_ chunk: UnsafeRawBufferPointer, _ body: (Part) throws -> Void) throws {
        var index = 0
        var start = 0  // Of the current element, or of the object's bytes that are not in `carried` yet.
        while index < chunk.count {
            switch state {
            case .inElement:
                index = lexer.skip(chunk, from: index)
                guard lexer.isDone else { break }
                try finishElement(UnsafeRawBufferPointer(rebasing: chunk[start..<index]), body)
                state = .afterElement
            case .inValue:
                index = lexer.skip(chunk, from: index)
                if lexer.isDone { state = .afterValue }
            case .inKey: takeKey(chunk, &index)
            default:
                let byte = chunk[index]
                if !byte.isWhitespace {
                    try takeStructure(byte, at: index)
                    // An object may turn out to be the only element; the white space before it does not belong to it.
                    if state == .inElement || state == .firstKey && depth == 1 { start = index }
                    // The lexer must read the first byte, too.
                    if state == .inElement || state == .inValue || state == .inKey { continue }
                }
                index += 1
            }
        }
        keep(chunk, from: start)
        offset += chunk.count
    }

    /// Ends the text. Throws if it is incomplete.
    public mutating func finish(_ body: (Part) throws -> Void) throws {
        guard state == .end else {
            throw JSONError(offset: offset, message: "expected \(expected), found the end")
        }
        if array == .sought { try finishElement(UnsafeRawBufferPointer(start: nil, count: 0), body) }
    }

    /// Keeps the bytes that a later chunk completes: an element that has begun, or the object while it may be the only
    /// element.
    private mutating func keep(_ chunk: UnsafeRawBufferPointer, from start: Int) {
        guard state == .inElement || array == .sought, !isTooLong else { return }
        if carried.count + chunk.count - start > maxElementBytes {
            isTooLong = true
            carried.removeAll()
        } else {
            carried.append(UnsafeRawBufferPointer(rebasing: chunk[start...]))
        }
    }

    private mutating func finishElement(_ rest: UnsafeRawBufferPointer, _ body: (Part) throws -> Void) throws {
        defer {
            carried.removeAll()
            isTooLong = false
        }
        if isTooLong || carried.count + rest.count > maxElementBytes { return try body(.tooLong) }
        if carried.isEmpty { return try body(.element(rest)) }
        carried.append(rest)
        try body(.element(carried.bytes))
    }

    /// Reads one byte outside of elements, keys and values.
    private mutating func takeStructure(_ byte: UInt8, at index: Int) throws {
        switch (state, byte) {
        case (.start, UInt8(ascii: "[")): state = .firstElement
        case (.start, UInt8(ascii: "{")):
            array = .sought
            depth = 1
            state = .firstKey
        case (.firstElement, UInt8(ascii: "]")), (.afterElement, UInt8(ascii: "]")):
            state = array == .text ? .end : .afterValue
        case (.afterElement, UInt8(ascii: ",")): state = .element
        case (.firstElement, _) where byte.startsJSONValue, (.element, _) where byte.startsJSONValue:
            lexer = Lexer()
            state = .inElement
        case (.firstKey, UInt8(ascii: "}")), (.afterValue, UInt8(ascii: "}")):
            depth -= 1
            state = depth > 0 ? .afterValue : .end
        case (.firstKey, UInt8(ascii: "\"")), (.key, UInt8(ascii: "\"")):
            key.removeAll()
            lexer = Lexer()
            state = .inKey
        case (.colon, UInt8(ascii: ":")): state = .value
        case (.value, UInt8(ascii: "[")) where array == .sought && isKeyOfArray:
            array = .found
            carried.removeAll()
            isTooLong = false
            state = .firstElement
        case (.value, UInt8(ascii: "{")) where array == .sought && depth < Self.maxDepth && isKeyOfArray:
            depth += 1
            state = .firstKey
        case (.value, _) where byte.startsJSONValue:
            lexer = Lexer()
            state = .inValue
        case (.afterValue, UInt8(ascii: ",")): state = .key
        default:
            let found =
                (0x21...0x7E).contains(byte)
                ? "\"\(Character(Unicode.Scalar(byte)))\"" : "byte 0x\(String(byte, radix: 16))"
            throw JSONError(offset: offset + index, message: "expected \(expected), found \(found)")
        }
    }

    /// Reads a part of a key. Bytes beyond the length of any wanted name are not kept.
    private mutating func takeKey(_ chunk: UnsafeRawBufferPointer, _ index: inout Int) {
        let start = index
        index = lexer.skip(chunk, from: index)
        if key.count <= 64 { key.append(UnsafeRawBufferPointer(rebasing: chunk[start..<min(index, start + 65)])) }
        if lexer.isDone { state = .colon }
    }

    private var isKeyOfArray: Bool {
        guard key.count >= 2 else { return false }
        let name = UnsafeRawBufferPointer(rebasing: key.bytes[1..<(key.count - 1)])
        return members.contains { name.equals(ignoringCase: $0) }
    }

    private var expected: String {
        switch state {
        case .start: "an array or an object"
        case .firstElement: "a value or \"]\""
        case .element, .value: "a value"
        case .inElement, .inValue: "the rest of a value"
        case .afterElement: "\",\" or \"]\""
        case .firstKey: "a key in quotes or \"}\""
        case .key: "a key in quotes"
        case .inKey: "the closing quote of a key"
        case .colon: "\":\""
        case .afterValue: "\",\" or \"}\""
        case .end: "the end of the text"
        }
    }
}
