import Base
import People

/// Takes the parameters of a URL one by one.
protocol QueryOutput {
    mutating func add(_ name: String, _ value: String)
    mutating func add(_ name: StaticString, _ value: String)
    /// Adds a value that needs no percent-encoding.
    mutating func add(_ name: StaticString, _ writeValue: (ByteBuffer) -> Void)
}

extension QueryOutput {
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
    mutating func add(language: LanguageCode?) {
        add("lang", ifAny: language?.rawValue)
    }

    mutating func add(_ name: StaticString, _ number: Int) {
        add(name) { $0.append(decimal: number) }
    }
}

/// Appends `?name=value&name=value` to a URL, percent-encoded.
struct QueryWriter: QueryOutput {
    private let buffer: ByteBuffer
    private var separator = UInt8(ascii: "?")

    /// - Parameter buffer: the URL so far, without a query.
    init(_ buffer: ByteBuffer) { self.buffer = buffer }

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
}

/// The parameters as a list, for the hidden fields of a form.
struct QueryList: QueryOutput {
    private(set) var parameters: [(name: String, value: String)] = []

    mutating func add(_ name: String, _ value: String) { parameters.append((name, value)) }

    mutating func add(_ name: StaticString, _ value: String) { parameters.append(("\(name)", value)) }

    mutating func add(_ name: StaticString, _ writeValue: (ByteBuffer) -> Void) {
        let value = ByteBuffer(capacity: 64)
        writeValue(value)
        parameters.append(("\(name)", String(value)))
    }
}
