import Base

extension UserBatch {
    /// Creates a batch of `users`, made from records of `shape`.
    public convenience init(_ users: some Sequence<User>, shape: RecordShape = .plain) {
        self.init()
        for user in users { append(user, shape: shape) }
    }

    /// Appends `user`, which was made from a record of `shape`.
    public func append(_ user: User, shape: RecordShape = .plain) {
        append(
            Entry(
                id: user.id, reputation: user.reputation ?? Self.noReputation, login: buffer.keep(user.login),
                name: buffer.keep(user.name), avatarURL: buffer.keep(user.avatarURL),
                htmlURL: buffer.keep(user.htmlURL), type: buffer.keep(user.type), more: buffer.keep(user.more),
                shape: shape, generated: user.generated))
    }

    /// Returns the user at `index`.
    public func user(_ index: Int) -> User {
        let record = records[index]
        let text = { (slice: ByteSlice) in String(decoding: self.buffer.bytes[slice], as: UTF8.self) }
        let optional = { (slice: ByteSlice) in slice.isEmpty ? nil : text(slice) }
        return User(
            id: record.id, login: text(record.login), name: optional(record.name),
            avatarURL: optional(record.avatarURL), htmlURL: optional(record.htmlURL), type: text(record.type),
            reputation: record.reputation == Self.noReputation ? nil : record.reputation, more: optional(record.more),
            generated: record.generated)
    }
}
