import People

extension UserBatch {
    /// A batch of one user.
    static func make(_ id: Int64, _ login: String, isHidden: Bool) -> UserBatch {
        let batch = UserBatch()
        var entry = UserBatch.Entry(
            id: id, reputation: noReputation, login: batch.buffer.keep(login), type: batch.buffer.keep(User.defaultType)
        )
        entry.isHidden = isHidden
        batch.append(entry)
        return batch
    }
}
