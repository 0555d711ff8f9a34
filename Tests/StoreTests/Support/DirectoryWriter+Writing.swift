import People
import Publishing

extension DirectoryWriter {
    /// Writes one batch in a transaction of its own.
    func write(_ batch: UserBatch, checkpoint: Checkpoint? = nil) throws -> WriteCounts {
        if batch.isEmpty, checkpoint == nil { return WriteCounts(repeated: batch.repeated) }
        try begin()
        do {
            let counts = try append(batch, checkpoint: checkpoint)
            try commit()
            return counts
        } catch {
            rollback()
            throw error
        }
    }

    /// Writes a few users.
    func write(_ users: [User]) throws -> WriteCounts { try write(UserBatch(users)) }
}
