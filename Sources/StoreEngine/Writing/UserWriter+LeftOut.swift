import People

extension UserWriter {
    /// Removes from a batch the users who stay as they are, and notes those whom the directory has, so that pruning
    /// does not remove them.
    func leaveOut(_ batch: UserBatch) throws {
        let people = try tables.people ?? PeopleFinder(tables)
        tables.people = people
        try people.note(batch)
        let bytes = batch.buffer.bytes
        _ = try batch.remove { user in
            guard user.isLeftOut else { return false }
            let hash = user.identity.isEmpty ? nil : people.identities.hash(bytes[user.identity])
            if let id = try people.id(of: user, hash, bytes, in: directory), try tables.has(id) { try noteWritten(id) }
            return true
        }
    }
}
