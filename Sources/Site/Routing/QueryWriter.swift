import Bytes
import Directories

/// Appends `?name=value&name=value` to a URL, percent-encoded.
struct QueryWriter {
    private let buffer: ByteBuffer
    private var separator: UInt8

    /// - Parameter isBegun: whether the URL in the buffer has a query already.
    init(_ buffer: ByteBuffer, isBegun: Bool = false) {
        self.buffer = buffer
        separator = UInt8(ascii: isBegun ? "&" : "?")
    }

    mutating func add(_ name: StaticString, _ writeValue: (ByteBuffer) -> Void) {
        buffer.append(separator)
        separator = UInt8(ascii: "&")
        buffer.append(name)
        buffer.append("=")
        writeValue(buffer)
    }

    /// Adds a parameter for each value of the filter.
    mutating func add(_ filter: FieldFilter) {
        for text in filter.texts { add(filter.facet.parameterName, text) }
    }

    mutating func add(_ name: String, _ value: String) {
        buffer.append(separator)
        separator = UInt8(ascii: "&")
        buffer.append(percentEncoding: name)
        buffer.append("=")
        buffer.append(percentEncoding: value)
    }

    mutating func add(_ name: StaticString, _ value: String) {
        add(name) { $0.append(percentEncoding: value) }
    }

    /// Adds the language that the reader's link asked for, if it did.
    mutating func add(language: LanguageCode?) {
        if let language { add("lang", language.rawValue) }
    }

    mutating func add(_ name: StaticString, _ number: Int) {
        add(name) { $0.append(decimal: number) }
    }
}
