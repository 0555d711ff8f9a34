import Bytes

/// JSON (RFC 8259) read where it lies: values are stretches of the bytes they came in, and nothing is copied until asked.
///
/// Everything handed to a `body` has been checked, UTF-8 included, and is valid only while `body` runs.
public enum JSON {
    /// How deep arrays and objects may be nested in what is read.
    public static let maxDepth = 64

    /// Checks that `text` is one JSON value, with white space around it or not.
    public static func value(_ text: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue {
        var scanner = Scanner(text)
        scanner.skipWhitespace()
        let value = try scanner.value()
        try scanner.end()
        return value
    }

    /// Hands over the members of the object that `text` is, in order, doubles included.
    ///
    /// Errors are found on the way: members before the bad place have been handed over already.
    public static func forEachMember(
        of text: UnsafeRawBufferPointer, _ body: (_ key: JSONString, _ value: JSONValue) throws -> Void
    ) throws {
        var scanner = Scanner(text)
        scanner.skipWhitespace()
        try scanner.take(UInt8(ascii: "{"), or: "an object")
        scanner.skipWhitespace()
        if scanner.takeIfNext(UInt8(ascii: "}")) { return try scanner.end() }
        while true {
            let key = try scanner.key()
            try body(key, try scanner.value())
            scanner.skipWhitespace()
            if scanner.takeIfNext(UInt8(ascii: "}")) { return try scanner.end() }
            try scanner.take(UInt8(ascii: ","), or: "\",\" or \"}\"")
            scanner.skipWhitespace()
        }
    }

    /// Hands over the elements of the array that `text` is, in order.
    public static func forEachElement(
        of text: UnsafeRawBufferPointer, _ body: (_ element: JSONValue) throws -> Void
    ) throws {
        var scanner = Scanner(text)
        scanner.skipWhitespace()
        try scanner.take(UInt8(ascii: "["), or: "an array")
        scanner.skipWhitespace()
        if scanner.takeIfNext(UInt8(ascii: "]")) { return try scanner.end() }
        while true {
            try body(try scanner.value())
            scanner.skipWhitespace()
            if scanner.takeIfNext(UInt8(ascii: "]")) { return try scanner.end() }
            try scanner.take(UInt8(ascii: ","), or: "\",\" or \"]\"")
            scanner.skipWhitespace()
        }
    }
}

/// What is wrong with a JSON text, and where.
public struct JSONError: Error, Equatable, CustomStringConvertible {
    /// Counted in bytes from the start of the text that was read.
    public var offset: Int
    public var message: String

    public init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }

    public var description: String { "\(message) at byte \(offset + 1)" }
}
