import Base
import People
import Publishing

extension UserBatch {
    /// A batch of one user.
    static func make(_ id: Int64, _ login: String, isHidden: Bool) -> UserBatch {
        let batch = UserBatch()
        batch.append(User(id: id, login: login)) { $0.marks = isHidden ? .hidden : [] }
        return batch
    }

    /// Appends a user after a change of the record.
    func append(_ user: User, _ change: (inout UserToWrite) -> Void) {
        var entry = UserToWrite(user.columns.map(buffer.keep))
        change(&entry)
        append(entry)
    }
}
