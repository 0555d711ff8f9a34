import Base
import People
import Publishing

extension UserBatch {
    /// A batch of one user.
    static func make(_ id: Int64, _ login: String, isHidden: Bool) -> UserBatch {
        let batch = UserBatch()
        var entry = UserToWrite(User(id: id, login: login).columns.map(batch.buffer.keep))
        entry.isHidden = isHidden
        batch.append(entry)
        return batch
    }
}
