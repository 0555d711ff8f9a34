/// An error about a folder, or a file in it, that cannot be used: which one, and why.
public struct AssetsError: Error, Equatable, CustomStringConvertible {
    public let description: String
}
