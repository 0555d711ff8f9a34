import Bytes

/// What the conditions of a request come to (RFC 9110 §13.2).
public enum Precondition: Equatable, Sendable {
    /// Answer as if there were none.
    case met
    /// 304: the client has it already.
    case notModified
    /// 412.
    case failed
}

extension Request {
    /// Whether an `If-None-Match` line names `tag`, compared weakly (RFC 9110 §13.1.2); `nil` without such a line.
    public func ifNoneMatch(_ tag: UnsafeRawBufferPointer) -> Bool? {
        anyLine(of: "if-none-match") { EntityTag.list($0, contains: tag, by: .weak) }
    }

    public func ifNoneMatch(_ tag: [UInt8]) -> Bool? { tag.withUnsafeBytes { ifNoneMatch($0) } }

    /// All conditions, in the order of RFC 9110 §13.2.2, against what a `GET` would answer now.
    ///
    /// Dates are compared only where no tag condition stands, and only if the resource has one.
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

    /// The part of a representation of `length` bytes that is asked for (RFC 9110 §14.2), if `If-Range` allows it (§13.1.5).
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

    /// A date that does not stand alone is none (RFC 9110 §13.1.3, §13.1.4).
    private func date(of name: StaticString) -> HTTPDate? { onlyValue(of: name).flatMap { HTTPDate($0) } }

    /// The value of a field that is no list; `nil` where several lines claim to be it.
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
