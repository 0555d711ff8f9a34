/// Why a file is not made into a picture.
public struct PictureRefusal: Error, Equatable, CustomStringConvertible {
    /// One sentence, in the form "expected …, found …" where it applies.
    public var reason: String

    public init(_ reason: String) { self.reason = reason }

    public var description: String { reason }
}
