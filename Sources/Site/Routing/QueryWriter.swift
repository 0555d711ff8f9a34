import Base
import People

/// Appends `?name=value&name=value` to a URL, percent-encoded.
struct QueryWriter {
    private let buffer: ByteBuffer
    private var separator = UInt8(ascii: "?")

    /// - Parameter buffer: the URL so far, without a query.
    init(_ buffer: ByteBuffer) { self.buffer = buffer }

    /// Adds a value that needs no percent-encoding.
    mutating func add(_ name: StaticString, _ writeValue: (ByteBuffer) -> Void) {
        buffer.append(separator)
        separator = UInt8(ascii: "&")
        buffer.append(name)
        buffer.append("=")
        writeValue(buffer)
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

    mutating func add(_ name: StaticString, _ number: Int) {
        add(name) { $0.append(decimal: number) }
    }

    /// Adds a parameter, unless it has no value.
    mutating func add(_ name: StaticString, ifAny value: String?) {
        if let value { add(name, value) }
    }

    /// Adds the id of a person, unless the login says enough.
    mutating func add(id: Int64?) {
        if let id { add("id") { $0.append(decimal: id) } }
    }

    /// Adds a parameter for each value of the filter.
    mutating func add(_ chosen: ChosenFilter) {
        for text in chosen.texts { add(chosen.filter.parameterName, text) }
    }

    /// Adds the language that the reader's link asked for, if it did.
    mutating func add(language: LanguageCode?) { add("lang", ifAny: language?.rawValue) }

    /// Adds the directory, if the URL must name it.
    mutating func add(_ linked: LinkedDirectory?) { add("directory", ifAny: linked?.parameter) }
}
