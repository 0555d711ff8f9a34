import Foundation
import GRDB

extension SQLiteStore {
    /// Copies the database at `path` to `copy`, as it is at one moment, while servers and imports go on with it.
    ///
    /// Nothing is changed in it: a database that the next start would migrate is copied as it is. The copy has its name when it
    /// is whole, and never takes the place of another file.
    public static func backUp(_ path: String, to copy: String) throws {
        _ = try DatabaseFile(at: path)
        guard !FileManager.default.fileExists(atPath: copy) else { throw StoreError(.exists, alreadyThere(copy)) }
        // Beside it, because only within one file system a name is given at once.
        let partial = "\(copy).\(UUID().uuidString).partial"
        defer { unlink(partial) }
        do {
            try copyPages(of: path, to: partial)
        } catch let error as DatabaseError {
            throw StoreError(error, path: "copying \(path) to \(copy)")
        }
        try publish(partial, as: copy)
    }

    private static func copyPages(of path: String, to partial: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(60)
        let original = try DatabaseQueue(path: path, configuration: configuration)
        let target = try DatabaseQueue(path: partial)
        // In one step: writers beside it would have a copy in several steps begin anew each time.
        try original.backup(to: target)
        try target.close()
    }

    /// Gives the file a second name, which fails where there is one already, as renaming would not.
    private static func publish(_ partial: String, as copy: String) throws {
        let file = open(partial, O_RDONLY)
        defer { close(file) }
        guard file >= 0, fsync(file) == 0 else { throw failure(copy) }
        guard link(partial, copy) == 0 else {
            throw errno == EEXIST ? StoreError(.exists, alreadyThere(copy)) : failure(copy)
        }
    }

    private static func failure(_ copy: String) -> StoreError {
        StoreError(.notPermitted, "\(copy) cannot be written: \(String(cString: strerror(errno)))")
    }

    private static func alreadyThere(_ copy: String) -> String {
        "\(copy) is there already; a backup takes no other file's place"
    }
}
