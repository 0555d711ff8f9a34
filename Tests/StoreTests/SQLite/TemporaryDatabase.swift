import Foundation

/// The database of a test, in a folder of its own.
enum TemporaryDatabase {
    /// Makes the folder, and returns the path of a database in it that does not exist yet.
    static func makePath() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appending(path: "store.sqlite").path
    }
}
