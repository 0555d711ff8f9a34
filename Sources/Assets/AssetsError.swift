/// A folder or a file of one that cannot be used: which one, and why.
public struct AssetsError: Error, Equatable, CustomStringConvertible {
    public let description: String
}
