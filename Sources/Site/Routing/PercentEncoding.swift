import Bytes
import Directories

extension ByteBuffer {
    /// Appends `text` with all but the unreserved characters (RFC 3986 §2.3) percent-encoded: safe in paths and
    /// queries.
    func append(percentEncoding text: some StringProtocol) {
        var text = String(text)
        text.withUTF8 { append(percentEncoding: UnsafeRawBufferPointer($0)) }
    }

    func append(percentEncoding bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            switch byte {
            case 65...90, 97...122, 48...57, 45, 46, 95, 126: append(byte)
            default:
                append(UInt8(ascii: "%"))
                append(Self.hexDigits[Int(byte >> 4)])
                append(Self.hexDigits[Int(byte & 15)])
            }
        }
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    /// Appends the path of a user's page.
    func append(userPathOf login: UnsafeRawBufferPointer, below basePath: String, directory: Directory, isDefault: Bool)
    {
        append(utf8: basePath)
        append("/users/")
        append(percentEncoding: login)
        if !isDefault {
            append("?directory=")
            append(utf8: directory.slug.text)
        }
    }
}
