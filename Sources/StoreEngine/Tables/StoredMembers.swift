import Base
import People

extension ByteBuffer {
    /// Appends the JSON object `more` without the members whose names `isGone` returns `true` for: nothing if none are
    /// left, or if the object is damaged.
    func append(_ more: UnsafeRawBufferPointer, without isGone: (_ name: String) -> Bool) {
        let start = count
        do {
            try JSON.forEachMember(of: more) { key, value in
                if isGone(key.text) { return }
                append(member: key.raw, value.raw, isFirst: count == start)
            }
        } catch {
            truncate(to: start)
        }
        if count > start { append(UInt8(ascii: "}")) }
    }
}

extension UserColumns<UnsafeRawBufferPointer> {
    /// Removes the photo, if asked to, and the members of ``more`` for whose names `isGone` returns `true`. The rest of
    /// it is then in `buffer`.
    mutating func remove(photo: Bool, membersWhere isGone: (String) -> Bool, restIn buffer: ByteBuffer) {
        if photo { removePhoto() }
        if !more.isEmpty { buffer.append(more, without: isGone) }
        more = buffer.bytes
    }
}
