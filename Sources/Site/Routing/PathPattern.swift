import Base

/// The paths, relative to the base path, that one row of the ``RouteTable`` serves.
///
/// A pattern is compared with the bytes of a path. Finding a route allocates nothing.
enum PathPattern: Sendable {
    /// Exactly this path.
    case path(StaticString)
    /// This prefix and one path segment that is not empty.
    case segment(after: StaticString)
    /// This prefix and a number: digits only.
    case number(after: StaticString)
    /// This prefix, any text, and this suffix.
    case text(after: StaticString, before: StaticString)
    /// This path and every path below it.
    case tree(StaticString)
    /// Every path with this prefix.
    case prefix(StaticString)

    /// Returns the part of `path` that the pattern leaves open, which is empty for ``path(_:)``, or `nil` if the
    /// pattern does not match.
    func match(_ path: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        switch self {
        case .path(let whole):
            path.equals(whole) ? path.removingPrefix(whole) : nil
        case .segment(let prefix):
            path.removingPrefix(prefix).flatMap { $0.isEmpty || $0.contains(UInt8(ascii: "/")) ? nil : $0 }
        case .number(let prefix):
            path.removingPrefix(prefix).flatMap { $0.isEmpty || !$0.allSatisfy { $0 &- 48 < 10 } ? nil : $0 }
        case .text(let prefix, let suffix):
            path.removingPrefix(prefix)?.removingSuffix(suffix)
        case .tree(let root):
            path.removingPrefix(root).flatMap { $0.isEmpty || $0.first == UInt8(ascii: "/") ? $0 : nil }
        case .prefix(let prefix):
            path.removingPrefix(prefix)
        }
    }
}
