import Bytes

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
    /// Returns whether an `If-None-Match` line lists `tag`, by weak comparison (RFC 9110 §13.1.2), or `nil` without
    /// such a line.
    public func ifNoneMatch(_ tag: UnsafeRawBufferPointer) -> Bool? {
        anyLine(of: "if-none-match") { EntityTag.list($0, contains: tag, by: .weak) }
    }

    public func ifNoneMatch(_ tag: [UInt8]) -> Bool? { tag.withUnsafeBytes { ifNoneMatch($0) } }

    /// Evaluates all preconditions, in the order of RFC 9110 §13.2.2, against the representation that a `GET` would
    /// return now.
    ///
    /// Dates are compared only without a tag condition of that kind, and only if the resource has a date.
    public func precondition(tag: [UInt8], lastModified: HTTPDate? = nil) -> Precondition {
        tag.withUnsafeBytes { precondition(tag: $0, lastModified: lastModified) }
    }

    private func precondition(tag: UnsafeRawBufferPointer, lastModified: HTTPDate?) -> Precondition {
        if let matches = anyLine(of: "if-match", { EntityTag.list($0, contains: tag, by: .strong) }) {
            if !matches { return .failed }
        } else if let lastModified, let limit = date(of: "if-unmodified-since"), lastModified > limit {
            return .failed
        }
        if let matches = ifNoneMatch(tag) { return matches ? .notModified : .met }
        if let lastModified, let since = date(of: "if-modified-since"), lastModified <= since { return .notModified }
        return .met
    }

    /// Returns the part of a representation of `length` bytes that the request asks for (RFC 9110 §14.2). `If-Range`
    /// must allow it (§13.1.5).
    public func range(ofLength length: Int, tag: [UInt8], lastModified: HTTPDate? = nil) -> ByteRange {
        guard method == .get, let value = onlyValue(of: "range") else { return .whole }
        if self.value(of: "if-range") != nil {
            guard let condition = onlyValue(of: "if-range") else { return .whole }
            let holds =
                tag.withUnsafeBytes { EntityTag.equal(condition, $0, by: .strong) }
                || (lastModified.map { HTTPDate(condition) == $0 } ?? false)
            guard holds else { return .whole }
        }
        return ByteRange(value, length: length)
    }

    private func anyLine(of name: StaticString, _ test: (UnsafeRawBufferPointer) -> Bool) -> Bool? {
        var result: Bool?
        forEachValue(of: name) { result = result == true || test($0) }
        return result
    }

    /// Returns the date in field `name`, or `nil` if it has more than one line or is not valid (RFC 9110 §13.1.3,
    /// §13.1.4).
    private func date(of name: StaticString) -> HTTPDate? { onlyValue(of: name).flatMap { HTTPDate($0) } }

    /// Returns the value of a field that is not a list, or `nil` if the request has no line of it or several.
    private func onlyValue(of name: StaticString) -> UnsafeRawBufferPointer? {
        var only: UnsafeRawBufferPointer?
        var lines = 0
        forEachValue(of: name) { value in
            only = value
            lines += 1
        }
        return lines == 1 ? only : nil
    }
}
