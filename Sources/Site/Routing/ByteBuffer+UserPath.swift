import Base
import People

extension ByteBuffer {
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
