import Foundation
import People
import StoreEngine

/// The file that has the pictures of a database, beside it: `people.sqlite-pictures`.
///
/// A file of its own, because pictures take many times the space of the users: backups may leave it out. Everything in
/// it but the publisher's own photos can be fetched again. Its pages have 16 KiB, so that a picture takes little more
/// space than its bytes.
enum PictureFile {
    /// "Rolp": distinguishes the file from others.
    static let applicationID: Int64 = 0x526F_6C70
    private static let version: Int64 = 1

    /// Returns the path of the file beside the database at `path`, or beside the file that it links to.
    static func path(besideDatabase path: String) -> String { DatabaseFile.target(path) + "-pictures" }

    /// Creates the file if it does not exist.
    static func openForWriting(besideDatabase database: String, busyTimeout: BusyTimeout) throws -> SQLiteConnection {
        let path = path(besideDatabase: database)
        let open = {
            let connection = try SQLiteConnection(writing: path, cacheKiB: 2048, busyTimeout: busyTimeout)
            try prepare(connection, path)
            return connection
        }
        if exists(besideDatabase: database) { return try open() }
        return try FileLock.whileCreating(database, busyTimeout) {
            // The program that serves the database has to read it.
            if FileIdentity(path) == nil { DatabaseFile.makePrivate(path, like: database) }
            return try open()
        }
    }

    static func exists(besideDatabase database: String) -> Bool { isFilled(path(besideDatabase: database)) }

    private static func isFilled(_ path: String) -> Bool { (FileIdentity(path)?.size ?? 0) > 0 }

    private static func prepare(_ connection: SQLiteConnection, _ path: String) throws {
        let hasTables = try connection.hasTables
        // The size of pages cannot be changed once there is a write-ahead log.
        if !hasTables { try connection.execute("PRAGMA page_size = 16384") }
        try connection.execute(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON")
        if !hasTables { try create(on: connection) }
        try check(connection, path)
    }

    private static func check(_ connection: SQLiteConnection, _ path: String) throws {
        let maker = try connection.number("PRAGMA application_id")
        let found = try connection.number("PRAGMA user_version")
        try StoreError.check([
            (maker != applicationID, .foreign, "\(path) is a file of another program; expected one that rollcall made"),
            (
                found != version, .newer,
                "\(path) has format \(found) of pictures, and this Rollcall has \(version): use the one that made it"
            ),
        ])
    }

    /// Opens the file for reading. Returns `nil` if there is none, or if it has no tables yet.
    static func openForReading(_ path: String) throws -> SQLiteConnection? {
        guard isFilled(path) else { return nil }
        let connection = try SQLiteConnection(
            reading: path, cacheKiB: 1024, access: DatabaseFile.access(path))
        guard try connection.hasTable("picture") else { return nil }
        try check(connection, path)
        return connection
    }

    static func create(on connection: SQLiteConnection) throws {
        try connection.execute(
            """
            BEGIN IMMEDIATE;
            PRAGMA application_id = \(applicationID);
            PRAGMA user_version = \(version);
            \((Table.ofPictures + [Table.pictureTotal]).map { $0.creation(in: Schema.dialect) }.joined())
            INSERT INTO total VALUES (1, 0, 0);
            CREATE TRIGGER pictureAdded AFTER INSERT ON picture BEGIN
                UPDATE total SET pictures = pictures + 1,
                    bytes = bytes + length(new.small) + length(new.medium) + length(new.large);
            END;
            CREATE TRIGGER pictureRemoved AFTER DELETE ON picture BEGIN
                UPDATE total SET pictures = pictures - 1,
                    bytes = bytes - length(old.small) - length(old.medium) - length(old.large);
            END;
            COMMIT
            """)
    }
}

/// Reads the pictures beside a database. The file may appear, be replaced and disappear at any time. Confined to one
/// queue at a time.
final class PictureFileReader: StoredPictureReader {
    private let path: String
    private var connection: SQLiteConnection?
    private var identity: FileIdentity?
    private var access = DatabaseFile.Access.writing

    init(besideDatabase path: String) { self.path = PictureFile.path(besideDatabase: path) }

    func current() throws -> (any StoreConnection)? {
        guard let found = FileIdentity(path) else {
            connection = nil
            return nil
        }
        if let connection, let identity, found.isSameFile(as: identity), access != .immutable || found == identity {
            return connection
        }
        // Before it is opened: if it is replaced meanwhile, the next call opens the new one.
        (identity, access) = (found, DatabaseFile.access(path))
        connection = try PictureFile.openForReading(path)
        return connection
    }
}
