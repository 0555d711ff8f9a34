import Foundation
import StoreEngine

extension SQLiteStore {
    /// Brings the tables of the database at `path` to the current format, in one transaction, after a copy of the file
    /// beside it, with which the version that made it can go on.
    static func migrate(_ path: String, _ busyTimeout: BusyTimeout, _ migrations: [Migration]) throws {
        let connection = try SQLiteConnection(writing: path, cacheKiB: 2000, busyTimeout: busyTimeout)
        try connection.transaction {
            let format = try connection.number("PRAGMA user_version")
            // Another process was faster.
            if format == TableFormat.current { return }
            // Nobody writes between the copy and the change.
            let copy = "\(path)-format\(format)"
            if !FileManager.default.fileExists(atPath: copy) {
                try backUp(path, to: copy, withPictures: true, since: format)
            }
            try migrations.run(from: format, on: connection)
            connection.removeStatements()
            try connection.execute("PRAGMA user_version = \(TableFormat.current)")
        }
    }
}
