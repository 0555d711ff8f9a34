import Base

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

    /// Calls `body` with the elements of the array `text`, in order.
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

/// An error in a JSON text, with its position.
public struct JSONError: Error, Equatable, CustomStringConvertible {
    /// The offset in bytes from the start of the text.
    public var offset: Int
    public var message: String

    public init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }

    public var description: String { "\(message) at byte \(offset + 1)" }
}
