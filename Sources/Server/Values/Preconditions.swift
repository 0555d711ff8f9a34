import Base

/// The outcome of a request's preconditions (RFC 9110 §13.2).
public enum Precondition: Equatable, Sendable {
    /// Respond as if the request had no preconditions.
    case met
    /// 304: the client already has this representation.
    case notModified
    /// 412: a precondition does not hold.
    case failed
}

extension Request {
    /// Evaluates all conditions against the representation that a `GET` would return now, in the order of RFC 9110
    /// §13.2.2. A date counts only if the field with tags is absent (§13.1.3, §13.1.4).
    ///
    /// - Parameter lastModified: `nil` if the resource has no date. Then conditions with dates are ignored.
    public func precondition(tag: [UInt8], lastModified: HTTPDate? = nil) -> Precondition {
        if let matches = listing(tag, in: "if-match", by: .strong) {
            if !matches { return .failed }
        } else if let lastModified, let limit = date(of: "if-unmodified-since"), lastModified > limit {
            return .failed
        }
        if let matches = listing(tag, in: "if-none-match", by: .weak) { return matches ? .notModified : .met }
        if let lastModified, let since = date(of: "if-modified-since"), lastModified <= since { return .notModified }
        return .met
    }

    /// Whether any line of field `name` lists `tag`; `nil` without such a line.
    private func listing(_ tag: [UInt8], in name: StaticString, by comparison: EntityTag.Comparison) -> Bool? {
        var result: Bool?
        tag.withUnsafeBytes { tag in
            forEachValue(of: name) { list in
                result = result == true || list.withUnsafeBytes { EntityTag.list($0, contains: tag, by: comparison) }
            }
        }
        return result
    }

    /// The date in the only line of field `name`. A date next to another one is ignored (RFC 9110 §13.1.3, §13.1.4).
    private func date(of name: StaticString) -> HTTPDate? {
        onlyValue(of: name)?.withUnsafeBytes { HTTPDate($0) }
    }

    /// Whether 304 is the response for a resource that is not read yet: its tag would be `tag`, if it exists.
    ///
    /// `If-None-Match: *` asks whether the resource exists, and `If-Match` may fail, so both leave this undecided.
    public func isNotModified(presuming tag: [UInt8]) -> Bool {
        guard !has("if-match"), let list = value(of: "if-none-match"), !list.equals("*") else {
            return false
        }
        return precondition(tag: tag) == .notModified
    }

    /// Returns the part of a representation of `length` bytes that `Range` names (RFC 9110 §14.2), if `If-Range`
    /// allows it (§13.1.5).
    public func range(ofLength length: Int, tag: [UInt8], lastModified: HTTPDate? = nil) -> ByteRange {
        guard method == .get, let value = onlyValue(of: "range") else { return .whole }
        if has("if-range") {
            guard let condition = onlyValue(of: "if-range") else { return .whole }
            let holds =
                condition.withUnsafeBytes { condition in
                    tag.withUnsafeBytes { EntityTag.equal(condition, $0, by: .strong) }
                        || (lastModified.map { HTTPDate(condition) == $0 } ?? false)
                }
            guard holds else { return .whole }
        }
        return value.withUnsafeBytes { ByteRange($0, length: length) }
    }
}

/// The part of a representation that a `Range` field asks for, given the length of the representation (RFC 9110
/// §14.1.2).
public enum ByteRange: Equatable, Sendable {
    /// All of it: the request has no range, or one that the server ignores, such as several ranges at once or another
    /// unit.
    case whole
    case part(Range<Int>)
    /// The range starts after the end: 416.
    case notSatisfiable

    public init(_ value: UnsafeRawBufferPointer, length: Int) {
        self = .whole
        guard value.starts(ignoringCase: "bytes=") else { return }
        let set = UnsafeRawBufferPointer(rebasing: value[6...]).trimmed
        guard let dash = set.firstIndex(of: UInt8(ascii: "-")) else { return }
        let first = UnsafeRawBufferPointer(rebasing: set[..<dash])
        let last = UnsafeRawBufferPointer(rebasing: set[(dash + 1)...])
        guard first.allSatisfy(\.isDigit), last.allSatisfy(\.isDigit) else { return }
        // A number that does not fit into `Int` is past any end.
        switch (first.isEmpty, last.isEmpty) {
        case (true, true): return
        case (true, false): self = Self.suffix(Int(decimalDigits: last) ?? .max, of: length)
        case (false, _):
            let start = Int(decimalDigits: first) ?? .max
            let end = Int(decimalDigits: last) ?? .max
            if start <= end { self = Self.part(from: start, through: end, of: length) }
        }
    }

    private static func suffix(_ count: Int, of length: Int) -> Self {
        count == 0 || length == 0 ? .notSatisfiable : .part(max(0, length - count)..<length)
    }

    private static func part(from first: Int, through last: Int, of length: Int) -> Self {
        first >= length ? .notSatisfiable : .part(first..<(min(last, length - 1) + 1))
    }
}
