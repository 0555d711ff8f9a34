import Base
import Foundation
import Publishing

extension StoredPictureWriter {
    /// In seconds. Somebody may still be looking at a page with the picture, and a person's row may be written soon.
    private static let gracePeriod: Int64 = 86_400
    private static let erasedAtOnce = 1000

    /// In seconds since 1970.
    var now: Int64 { Int64(Date().timeIntervalSince1970) }

    func collectGarbage(at now: Int64) throws -> (pictures: Int, addresses: Int) {
        let directories = try users.directories()
        for directory in directories where !directory.settings.storesPictures { try clearPictures(of: directory) }
        var garbage = (pictures: 0, addresses: 0)
        let keys = try tables.keys(savedBefore: now - Self.gracePeriod)
        let people = directories.flatMap { Table.ofPeople(in: $0.id) }
        let named = try numbers("picture", of: people, where: "picture > 0") { $0.number(0) }
        let unused = keys.filter { !named.contains(sorted: $0.number) }
        for start in stride(from: 0, to: unused.count, by: Self.erasedAtOnce) {
            garbage.pictures += try eraseUnused(unused[start...].prefix(Self.erasedAtOnce)).count
        }
        let old = try tables.addresses(fetchedBefore: now - Self.gracePeriod)
        let stored = directories.filter(\.settings.storesPictures).map { "user\($0.id)" }
        let present = try numbers("avatarURL", of: stored, where: "avatarURL IS NOT NULL") { secret.hash($0.bytes(0)) }
        try tables.connection.transaction {
            for address in old where !present.contains(sorted: address) {
                try tables.removeFetched(address)
                garbage.addresses += 1
            }
        }
        // If another process is reading, a later run empties the log.
        _ = try? store.overwriteRemovedPictures(tables.connection, within: 1)
        return garbage
    }

    /// Clears the fetched pictures in the rows of a directory whose settings do not want them.
    private func clearPictures(of directory: StoredDirectory) throws {
        try changeDirectories([directory.id]) { directory, connection in
            try connection.execute(
                "UPDATE user\(directory.id) SET picture = NULL WHERE picture > 0 AND hasOwnPicture = 0")
            return try connection.changes > 0
        }
    }

    /// Returns a number for each value of a column, in order. A sorted array takes a third of the memory of a set.
    private func numbers(
        _ column: String, of tables: [String], where condition: String, _ number: (any StoreRow) -> Int64
    ) throws -> [Int64] {
        var numbers: [Int64] = []
        for table in tables {
            numbers += try users.all("SELECT \(column) FROM \(table) WHERE \(condition)", read: number)
        }
        numbers.sort()
        return numbers
    }
}

extension [Int64] {
    /// Whether this array, which is sorted, contains `number`.
    fileprivate func contains(sorted number: Int64) -> Bool {
        let index = indices.end { self[$0] < number }
        return index < count && self[index] == number
    }
}
