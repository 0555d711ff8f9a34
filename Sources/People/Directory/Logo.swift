/// The picture at the top of a directory's pages: an SVG without scripts, a PNG or a JPEG of at most 256 KiB.
public struct Logo: Equatable, Sendable {
    /// The name of its file.
    public var name: String
    /// `image/svg+xml`, `image/png` or `image/jpeg`.
    public var type: String
    public var bytes: [UInt8]

    public init(name: String, type: String, bytes: [UInt8]) {
        self.name = name
        self.type = type
        self.bytes = bytes
    }
}
