import Bytes
import Directories

extension ByteBuffer {
    /// Appends the address of a user's picture for a page, or nothing for a user without one: pages have initials.
    ///
    /// - Parameter base: the part before paths on this server.
    func append(pictureOf user: UserView, below base: String) {
        if !user.facePath.isEmpty { append(utf8: base) }
        append(user.facePath.isEmpty ? user.avatarURL : user.facePath)
    }

    /// Appends the address of a user's picture as a JSON string: that of their initials for a user without one.
    ///
    /// - Parameter base: the part before paths on this server.
    func append(jsonPictureOf row: UserRow, _ text: UnsafeRawBufferPointer, below base: String) {
        let picture = text[row.avatarURL]
        if !picture.isEmpty, !DrawnPicture.isFace(picture) { return append(jsonString: picture) }
        append("\"")
        append(utf8: base)
        if picture.isEmpty {
            append(initialsPathOf: row, text)
        } else {
            append(picture)
        }
        append("\"")
    }

    /// Appends the path of the picture with a user's initials.
    private func append(initialsPathOf row: UserRow, _ text: UnsafeRawBufferPointer) {
        append(DrawnPicture.initialsPrefix)
        append(decimal: UserView.hue(of: row.id))
        append("/")
        let letters = ByteBuffer(capacity: 64)
        letters.append(
            initialsOf: text[row.name.isEmpty ? row.login : row.name], of: AccountKind(type: text[row.type]))
        append(percentEncoding: letters.bytes)
        append(DrawnPicture.suffix)
    }
}
