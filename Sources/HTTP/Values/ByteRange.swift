import Bytes

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
        guard value.starts(withAnyCase: "bytes=") else { return }
        let set = UnsafeRawBufferPointer(rebasing: value[6...]).trimmed
        guard let dash = set.firstIndex(of: UInt8(ascii: "-")) else { return }
        let first = UnsafeRawBufferPointer(rebasing: set[..<dash])
        let last = UnsafeRawBufferPointer(rebasing: set[(dash + 1)...])
        guard first.allSatisfy(\.isDigit), last.allSatisfy(\.isDigit) else { return }
        // A number that does not fit into `Int` is past any end.
        switch (first.isEmpty, last.isEmpty) {
        case (true, true): return
        case (true, false): self = Self.suffix(last.decimal ?? .max, of: length)
        case (false, true): self = Self.part(from: first.decimal ?? .max, through: .max, of: length)
        case (false, false):
            let (start, end) = (first.decimal ?? .max, last.decimal ?? .max)
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
