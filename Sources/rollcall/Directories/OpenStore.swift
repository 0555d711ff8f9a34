import ArgumentParser
import Foundation
import People
import Publishing
import StoreEngine
import StorePostgres
import StoreSQLite

typealias Store = EngineStore

/// Opens the store at `location`. If it does not exist, creates it; on a server, throws unless the purpose is one that
/// creates stores. This file and ``DatabaseLocation`` know the kinds of stores; nothing else does.
///
/// - Parameters:
///   - lockTimeout: How many seconds to wait for another process that is writing.
///   - isOver: Returns whether to stop waiting before that.
///   - note: Reports something to the person who runs the program.
func openStore(
    _ location: DatabaseLocation, for purpose: StorePurpose = .serving, lockTimeout: Int = 60,
    isOver: @escaping @Sendable () -> Bool = { false },
    note: @escaping @Sendable (String) -> Void = { StandardStreams.note("\($0.printable)\n") }
) throws -> any Store {
    switch try location.place {
    case .file(let path):
        let busyTimeout = makeBusyTimeout(for: path, seconds: lockTimeout).ending(when: isOver)
        return try SQLiteStore(path: path, for: purpose, busyTimeout: busyTimeout, rebuilding: showRebuilding)
    case .server(let url, let address):
        if address.isUnprotected {
            StandardStreams.note(
                """
                warning: \(address) is on another machine, and the connection does not prove which one; add \
                sslmode=verify-full&sslrootcert=FILE to the URL\n
                """)
        }
        // Reports while no primary can be reached.
        return try PostgresStore(
            url: url, applicationName: "rollcall/\(Rollcall.version)", for: purpose,
            waiting: PrimaryWaiting(notice: { StandardStreams.note("\($0)\n") }, isOver: isOver, limit: lockTimeout),
            note: note, rebuilding: showRebuilding)
    }
}

/// Opens the store at `location`. Throws if it does not exist.
func openExistingStore(
    _ location: DatabaseLocation, for purpose: StorePurpose = .reading, lockTimeout: Int = 60,
    isOver: @escaping @Sendable () -> Bool = { false }
) throws -> any Store {
    try location.expectExistence()
    return try openStore(location, for: purpose, lockTimeout: lockTimeout, isOver: isOver)
}

extension DatabaseLocation {
    /// The path of the database; `nil` for one on a server, to which a connection can be lost.
    var path: String? {
        get throws {
            guard case .file(let path) = try place else { return nil }
            return path
        }
    }

    /// Throws if a command that needs the database finds none.
    func expectExistence() throws {
        let isDefault = "\(self)" == "\(DatabaseLocation.byDefault)"
        try expect(exists, "there is no database \(self)\(isDefault ? "; choose another with --database" : "")")
    }

    /// Whether there is such a file. A server that has no such database says so when it is opened.
    var exists: Bool {
        get throws { try path.map(FileManager.default.fileExists) ?? true }
    }

    func openIfExisting() throws -> (any Store)? {
        do {
            return try exists ? openStore(self, for: .reading) : nil
        } catch let error as StoreError where error.reason == .gone {
            return nil
        }
    }

    /// Copies the database to a new file while it is in use. Throws a `CancellationError` soon after `isCancelled`
    /// returns `true`.
    func backUp(
        to copy: String, withPictures: Bool, lockTimeout: Int, isCancelled: @escaping @Sendable () -> Bool
    ) throws {
        let path = try required(
            path,
            """
            rollcall backup copies files; back up \(self) with pg_dump or with base backups of its cluster \
            (pg_basebackup), or copy it to a file with rollcall copy
            """)
        try expectExistence()
        try SQLiteStore.backUp(
            path, to: copy, withPictures: withPictures,
            busyTimeout: makeBusyTimeout(for: path, seconds: lockTimeout), isCancelled: isCancelled)
    }

    /// Copies `store`, which is the one at this place, into a folder, and opens the copy. Returns `nil` if the database
    /// is too large for that.
    func openCopy(of store: any Store, in folder: TemporaryFolder) throws -> (any Store)? {
        let copy = folder.path + "/copy.sqlite"
        if let path = try path {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            guard let size, size <= Self.maxCopiedBytes else { return nil }
            try SQLiteStore.backUp(path, to: copy)
            return try SQLiteStore(path: copy, for: .importing)
        }
        guard store.directories.reduce(0, { $0 + $1.total }) <= Self.maxCopiedPeople else { return nil }
        let target = try SQLiteStore(path: copy, for: .copying)
        _ = try StoreCopy(from: store, to: target, extent: .people).run()
        return target
    }

    /// Copying a file of this size takes about a second.
    private static var maxCopiedBytes: Int { 512 << 20 }
    /// Copying so many people from a server takes about two seconds.
    private static var maxCopiedPeople: Int { 250_000 }
}

/// Returns how long to wait for another process. After a second, the wait is reported.
private func makeBusyTimeout(for path: String, seconds: Int) -> BusyTimeout {
    BusyTimeout(limit: seconds) {
        StandardStreams.note("waiting for another process that has locked \(path), for up to \(seconds) s\n")
    }
}

/// Reports that the search index of a directory is being replaced; on a terminal, also how many users are `done`.
private func showRebuilding(_ directory: StoredDirectory, _ done: Int) {
    let total = grouped(directory.total)
    if done == 0 {
        StandardStreams.note("\(directory.slug): rebuilding the orders and the search index of \(total) users\n")
    }
    if directory.total > 0 {
        StandardStreams.overwrite(done < directory.total ? "\(grouped(done)) of \(total) users" : "")
    }
}

extension PublisherStore {
    /// Returns the directory called `slug`, or the default one for `nil`.
    func directory(named slug: Slug?) throws -> StoredDirectory {
        let directories = storedDirectories
        let first = try required(directories.first, "the database has no directory yet")
        return try slug.map { try directories.named($0, in: name) } ?? first
    }

    /// Returns the slug of the only directory. Throws if there are several: ids are unique only within a directory.
    func onlyDirectory() throws -> Slug {
        let slugs = directories.map(\.slug)
        try expect(
            slugs.count == 1,
            "--id needs --directory, because the database has several: \(slugs.list)")
        return slugs[0]
    }
}
