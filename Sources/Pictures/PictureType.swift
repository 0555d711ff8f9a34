/// A format of pictures that browsers show, recognized by its first bytes.
public enum PictureType: String, Sendable {
    case jpeg, png, webp

    /// The number of bytes that tell the type.
    public static let markBytes = 12

    /// Returns the type of the picture that begins with `start`; `nil` if it is not a picture.
    public init?(of start: some Collection<UInt8>) {
        if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if start.starts(with: "RIFF".utf8), start.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }
}
