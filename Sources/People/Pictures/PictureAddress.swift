import Base

/// The path of a stored picture below the home page: `/pictures/{key}.webp`, `.jpg` or `-512.jpg`.
///
/// The content of an address never changes.
public struct PictureAddress: Hashable, Sendable {
    public var key: PictureKey
    public var size: PictureSize

    public init(_ key: PictureKey, _ size: PictureSize) {
        self.key = key
        self.size = size
    }

    public static let prefix: StaticString = "/pictures/"

    /// Reads the part of a path after ``prefix``. Returns `nil` for anything that is not the address of a picture.
    public init?(afterPrefix text: Bytes) {
        guard text.count > PictureKey.digits, let key = PictureKey(text[..<PictureKey.digits]) else { return nil }
        let suffix = text[PictureKey.digits...]
        guard let size = PictureSize.allCases.first(where: { suffix.equals($0.suffix) }) else { return nil }
        self.init(key, size)
    }
}

extension PictureAddress: CustomStringConvertible {
    /// The path, relative to the home page.
    public var description: String { String(writing: { $0.append(self) }) }
}

extension ByteBuffer {
    /// Appends the path of a picture, relative to the home page.
    public func append(_ address: PictureAddress) {
        append(PictureAddress.prefix)
        append(address.key)
        append(address.size.suffix)
    }
}
