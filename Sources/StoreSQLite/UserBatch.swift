import Bytes
import Directories

/// Users as tables take them: sorted by id, once each, all text in one run of bytes.
///
/// Made before the transaction starts, so that others wait less for it.
struct UserBatch {
    struct Record {
        var id: Int64
        var reputation: Int64
        var login: Slice
        var name: Slice
        var avatarURL: Slice
        var htmlURL: Slice
        var type: Slice
        var more: Slice
        /// Folded login, a line feed, folded name.
        var text: Slice
        /// Both are parts of `text`.
        var loginKey: Slice
        var nameKey: Slice
    }

    let buffer: ByteBuffer
    var records: [Record] = []

    /// Throws if a user cannot be saved. The buffer is used again from batch to batch.
    init(_ users: [User], buffer: ByteBuffer) throws {
        self.buffer = buffer
        buffer.removeAll()
        records.reserveCapacity(users.count)
        for index in Self.lastOfEachID(users) { try append(users[index]) }
    }

    /// In the order of ids, so that tables are written from one end to the other.
    private static func lastOfEachID(_ users: [User]) -> [Int] {
        var indices = Array(users.indices)
        let isAscending = zip(users, users.dropFirst()).allSatisfy { $0.id < $1.id }
        if isAscending { return indices }
        indices.sort { (users[$0].id, $0) < (users[$1].id, $1) }
        return indices.indices.filter { $0 + 1 == indices.count || users[indices[$0]].id != users[indices[$0 + 1]].id }
            .map { indices[$0] }
    }

    private mutating func append(_ user: User) throws {
        guard user.id > 0 else {
            throw StoreError(.invalidUser, "user \"\(user.login)\": id \(user.id) is not positive")
        }
        guard !user.login.isEmpty else { throw StoreError(.invalidUser, "user \(user.id): the login is empty") }
        let login = buffer.append(folding: user.login)
        buffer.append(UInt8(ascii: "\n"))
        let name = user.name.map { buffer.append(folding: $0) } ?? .empty
        let text = Slice(offset: Int(login.offset), count: buffer.count - Int(login.offset))
        records.append(
            Record(
                id: user.id, reputation: user.reputation ?? Schema.noReputation, login: keep(user.login),
                name: keep(user.name), avatarURL: keep(user.avatarURL), htmlURL: keep(user.htmlURL),
                type: keep(user.type), more: keep(user.more), text: text, loginKey: cut(login),
                nameKey: cut(name.isEmpty ? login : name)))
    }

    private func keep(_ text: String?) -> Slice {
        guard let text, !text.isEmpty else { return .empty }
        let start = buffer.count
        buffer.append(utf8: text)
        return Slice(offset: start, count: buffer.count - start)
    }

    private func cut(_ text: Slice) -> Slice {
        Slice(offset: Int(text.offset), count: buffer.bytes[text].sortText.count)
    }
}
