import Bytes
import JSON

/// How a file lays out its records.
public enum ImportFormat: String, CaseIterable, Sendable {
    /// A JSON object a line.
    case ndjson
    /// One JSON text: an array of objects, such an array as a member of an object, or one object.
    case json
    /// A table with a header; cells separated by commas, semicolons or tabs, whichever the header has most of.
    case csv
    /// A table whose cells are separated by tabs.
    case tsv
}

extension ImportFormat {
    /// The members that hold the records in a JSON text that is an object: Stack Exchange's, Rick and Morty's,
    /// all-contributors', and what others call theirs.
    static let wrappers: [StaticString] = [
        "items", "results", "contributors", "users", "people", "members", "data", "records",
    ]

    /// The format of what begins with `start`.
    static func found(in start: UnsafeRawBufferPointer) -> ImportFormat {
        guard let first = start.first(where: { !$0.isBlank }) else { return .ndjson }
        if first == UInt8(ascii: "[") { return .json }
        guard first == UInt8(ascii: "{") else { return .csv }
        let text = start.drop(while: \.isBlank)
        let line = UnsafeRawBufferPointer(rebasing: text.prefix { $0 != 0x0A })
        if isOpenAtItsEnd(line) { return .json }
        // After a wrapper comes nothing; records may have such members, too.
        let hasMore = text.dropFirst(line.count).contains { !$0.isBlank }
        return !hasMore && isWrapper(line) ? .json : .ndjson
    }

    /// Whether the brackets in `line` close only on a later line: then it is the start of a text, not a record.
    private static func isOpenAtItsEnd(_ line: UnsafeRawBufferPointer) -> Bool {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for byte in line {
            if isInString {
                if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return depth > 0 && !isInString
    }

    /// Whether `line` is an object that only holds the records.
    private static func isWrapper(_ line: UnsafeRawBufferPointer) -> Bool {
        var splitter = JSONSplitter(members: wrappers, maxElementBytes: line.count)
        // A person with a login may have such members as well: an export with one person is one line.
        var isPerson = false
        try? JSON.forEachMember(of: line) { key, _ in isPerson = isPerson || key.equals("login") }
        if isPerson { return false }
        var isWrapper = false
        try? splitter.split(line) { part in
            if case .element(let bytes) = part, bytes.first == UInt8(ascii: "{") { isWrapper = true }
        }
        return isWrapper
    }
}

extension UInt8 {
    var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
