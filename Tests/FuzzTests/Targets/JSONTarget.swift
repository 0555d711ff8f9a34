import Base
import Foundation

extension FuzzTarget {
    /// JSON (RFC 8259): the input is a text. Foundation must read the same value.
    static let json = FuzzTarget(
        name: "json",
        words: [
            "{", "}", "[", "]", ",", ":", "\"", "\\\"", "\\u0041", "\\ud83d\\ude00", "\\ud800", "\\n", "true", "false",
            "null", "0", "-0", "1.5", "1e5", "-1E-5", "9223372036854775807", "-9223372036854775808",
            "1.000000000000000000000", "{\"a\":1}", "\"items\":[", " \t\r\n", "\u{2028}", "<&>", "[[[[[[[[[[[[[[[[",
            "]]]]]]]]]]]]]]]]",
        ]
    ) { bytes in
        try checkSplitting(bytes)
        try checkWriting(bytes)
        let foundation = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        guard let value = try? JSON.value(bytes) else { return try checkRefused(bytes, foundation) }
        // Foundation rejects an unpaired surrogate, which the grammar allows, and numbers out of its range.
        let text = bytes.text.lowercased()
        guard let foundation else {
            return try hold(text.contains("\\ud") || text.contains { $0.isNumber }, "Foundation rejects valid JSON")
        }
        if !text.contains("\\ud") { try compare(value, foundation) }
        let compact = ByteBuffer()
        compact.append(compactJSON: value.raw)
        let again = try JSONSerialization.jsonObject(with: Data(compact.bytes), options: .fragmentsAllowed)
        try hold((again as? NSObject) == (foundation as? NSObject), "without white space it has another value")
    }
}

/// Text that Foundation accepts is JSON, unless it is nested more deeply than this parser allows, is in a Unicode
/// encoding that JSON no longer allows, or has a comma after the last member or element.
private func checkRefused(_ bytes: UnsafeRawBufferPointer, _ foundation: Any?) throws {
    guard foundation != nil, String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else { return }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) || bytes.count(where: { $0 == 0x5B || $0 == 0x7B }) > JSON.maxDepth {
        return
    }
    if bytes.text.firstRange(of: /,\s*[\]}]/) != nil { return }
    throw BrokenRule(description: "Foundation accepts rejected text")
}

private func compare(_ value: JSONValue, _ foundation: Any) throws {
    switch value.kind {
    case .string:
        // Compares bytes, because Swift's own equality also accepts canonically equivalent text.
        let text = value.string.map { Array($0.text.utf8) }
        try hold(text == (foundation as? String).map { Array($0.utf8) }, "another text")
    case .null: try hold(foundation is NSNull, "null is \(foundation)")
    case .bool: try hold(value.bool == foundation as? Bool, "another truth")
    case .number:
        guard let number = foundation as? NSNumber else { throw BrokenRule(description: "a number is \(foundation)") }
        if let whole = value.int64, whole.magnitude < 1 << 53 {
            try hold(number.doubleValue == Double(whole), "\(whole) is \(number)")
        }
    case .array:
        var index = 0
        let elements = foundation as? [Any] ?? []
        try JSON.forEachElement(of: value.raw) { element in
            try hold(index < elements.count, "more elements than \(elements.count)")
            try compare(element, elements[index])
            index += 1
        }
        try hold(index == elements.count, "\(index) elements, not \(elements.count)")
    case .object:
        var members: [String: JSONValue] = [:]
        var hasDoubles = false
        try JSON.forEachMember(of: value.raw) {
            hasDoubles = members.updateValue($1, forKey: $0.text) != nil || hasDoubles
        }
        guard let object = foundation as? [String: Any] else {
            throw BrokenRule(description: "an object is \(foundation)")
        }
        try hold(object.count == members.count, "\(members.count) members, not \(object.count)")
        if hasDoubles { return }
        for (key, member) in members {
            guard let other = object[key] else { throw BrokenRule(description: "\(key) is missing") }
            try compare(member, other)
        }
    }
}

/// Any text survives a round trip, and its JSON is safe inside HTML.
private func checkWriting(_ bytes: UnsafeRawBufferPointer) throws {
    let text = bytes.text
    let buffer = ByteBuffer()
    buffer.append(jsonString: text)
    try hold(!buffer.bytes.contains { $0 == 0x3C || $0 == 0x3E || $0 == 0x26 || $0 < 0x20 }, "markup in a string")
    let read = try JSON.value(buffer.bytes).string?.text
    try hold(read.map { Array($0.utf8) } == Array(text.utf8), "a string does not round-trip")
}

/// However it is split, an array has the same elements as the whole text.
private func checkSplitting(_ bytes: UnsafeRawBufferPointer) throws {
    let whole = elements(of: [bytes])
    for split in splits(of: bytes) { try hold(elements(of: split) == whole, "other elements in \(split.count) pieces") }
    guard let value = try? JSON.value(bytes), value.kind == .array else { return }
    var expected: [[UInt8]] = []
    try JSON.forEachElement(of: bytes) { expected.append(Array($0.raw)) }
    let isLong = expected.contains { $0.count > maxElementBytes }
    try hold(isLong || whole == expected.map { Optional($0) }, "other elements than in the whole text")
}

private let maxElementBytes = 100

/// The elements; `nil` for one that is too long, and an empty one for an error.
private func elements(of pieces: [UnsafeRawBufferPointer]) -> [[UInt8]?] {
    var splitter = JSONSplitter(members: ["items", "a"], maxElementBytes: maxElementBytes)
    var elements: [[UInt8]?] = []
    let take = { (part: JSONSplitter.Part) in
        switch part {
        case .element(let bytes): elements.append(Array(bytes))
        case .tooLong: elements.append(nil)
        }
    }
    do {
        for piece in pieces { try splitter.split(piece, take) }
        try splitter.finish(take)
    } catch { elements.append(Array("\(error)".utf8)) }
    return elements
}
