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
    /// This prefix, any text, and this suffix, which may be empty.
    case text(after: StaticString, before: StaticString)
    /// This path and every path below it.
    case tree(StaticString)

    /// Returns where the part of `path` is that the pattern leaves open, which is empty for ``path(_:)``, or `nil` if
    /// the pattern does not match.
    func match(_ path: Bytes) -> ByteSlice? {
        switch self {
        case .path(let whole): path.equals(whole) ? .empty : nil
        case .segment(let prefix): rest(of: path, prefix) { !$0.isEmpty && !$0.contains(UInt8(ascii: "/")) }
        case .number(let prefix): rest(of: path, prefix) { !$0.isEmpty && $0.allSatisfy { $0 &- 48 < 10 } }
        case .text(let prefix, let suffix): rest(of: path, prefix, before: suffix) { _ in true }
        case .tree(let root): rest(of: path, root) { $0.isEmpty || $0.first == UInt8(ascii: "/") }
        }
    }

    /// Where the part of `path` between `prefix` and `suffix` is, if it is wanted.
    @inline(__always)
    private func rest(
        of path: Bytes, _ prefix: StaticString, before suffix: StaticString = "", _ isWanted: (Bytes) -> Bool
    ) -> ByteSlice? {
        let rest = path.removingPrefix(prefix)?.removingSuffix(suffix)
        guard let rest, isWanted(rest) else { return nil }
        return ByteSlice(offset: prefix.utf8CodeUnitCount, count: rest.count)
    }
}
