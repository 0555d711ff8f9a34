import Base

// What modules without unsafe code call with bytes that are lent to them.

extension DrawnPicture {
    /// See ``isInitials(_:)``.
    public static func isInitials(_ address: Bytes) -> Bool { address.withUnsafeBytes { isInitials($0) } }
}

extension PictureAddress {
    /// See ``init(afterPrefix:)``.
    public init?(afterPrefix text: Bytes) {
        guard let address = text.withUnsafeBytes({ Self(afterPrefix: $0) }) else { return nil }
        self = address
    }
}

extension LooseForm {
    /// Returns the part of the loose form of `text` that orders compare.
    public static func sortText(_ text: String) -> [UInt8] {
        let buffer = ByteBuffer(capacity: text.utf8.count * 4 + 8)
        let slice = buffer.append(loose: text)
        return Array(buffer.bytes[slice].sortText)
    }
}
