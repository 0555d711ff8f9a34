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

    /// Returns where the part of `path` is that the pattern leaves open, which is empty for ``path(_:)``, or `nil` if
    /// the pattern does not match.
    func match(_ path: Bytes) -> ByteSlice? {
        switch self {
        case .path(let whole): path.equals(whole) ? .empty : nil
        case .segment(let prefix): rest(of: path, prefix) { !$0.isEmpty && !$0.contains(UInt8(ascii: "/")) }
        case .number(let prefix): rest(of: path, prefix) { !$0.isEmpty && $0.allSatisfy { $0 &- 48 < 10 } }
        case .text(let prefix, let suffix): text(in: path, prefix, suffix)
        case .tree(let root): rest(of: path, root) { $0.isEmpty || $0.first == UInt8(ascii: "/") }
        case .prefix(let prefix): rest(of: path, prefix) { _ in true }
        }
    }

    /// Where the part of `path` behind `prefix` is, if it is wanted.
    @inline(__always)
    private func rest(of path: Bytes, _ prefix: StaticString, _ isWanted: (Bytes) -> Bool) -> ByteSlice? {
        guard path.starts(with: prefix) else { return nil }
        let start = prefix.utf8CodeUnitCount
        return isWanted(path[start...]) ? ByteSlice(offset: start, count: path.count - start) : nil
    }

    private func text(in path: Bytes, _ prefix: StaticString, _ suffix: StaticString) -> ByteSlice? {
        let start = prefix.utf8CodeUnitCount
        guard path.starts(with: prefix), path[start...].ends(with: suffix) else { return nil }
        return ByteSlice(offset: start, count: path.count - start - suffix.utf8CodeUnitCount)
    }
}
