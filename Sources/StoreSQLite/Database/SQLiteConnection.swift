import Base
import CSQLite
import Foundation
import People
import StoreEngine

/// A connection to a file through SQLite's C interface, for one queue at a time, and the statements prepared on it.
package final class SQLiteConnection: StoreConnection {
    let handle: OpaquePointer
    /// The connection that closes the handle, if this one does not.
    private let owner: SQLiteConnection?
    private var busyTimeout: BusyTimeout?
    private var statements: [StatementName: Statement] = [:]
    /// There are few kinds of pages, but each directory has its own tables. When there are more statements than this,
    /// all are removed.
    private let maxStatements = 192

    /// Opens the database at `path` for reading. If another process keeps it locked, a statement waits for a second, or
    /// as long as `busyTimeout` allows.
    convenience init(
        reading path: String, cacheKiB: Int, access: DatabaseFile.Access = .writing, busyTimeout: BusyTimeout? = nil
    ) throws {
        // Opened for writing if possible: only a connection that may write can recover the WAL of a killed process.
        let mode = access == .writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        let name = access == .immutable ? Self.immutableName(path) : path
        try self.init(name, mode | (access == .immutable ? SQLITE_OPEN_URI : 0), called: path)
        if let busyTimeout { wait(with: busyTimeout) } else { sqlite3_busy_timeout(handle, 1000) }
        try execute("PRAGMA query_only = 1; PRAGMA cache_size = -\(cacheKiB)")
    }

    /// Opens the empty file at `path` to be filled. The file is worthless until it is complete, so nothing is ever
    /// rolled back, and the journal and locks that other connections would need are turned off.
    convenience init(filling path: String) throws {
        try self.init(path, SQLITE_OPEN_READWRITE, called: path)
        try execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE")
    }

    /// Opens the file at `path` for writing, and creates it if it does not exist.
    package convenience init(writing path: String, cacheKiB: Int, busyTimeout: BusyTimeout) throws {
        try self.init(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, called: path)
        wait(with: busyTimeout)
        try execute("PRAGMA cache_size = -\(cacheKiB)")
    }

    private init(_ name: String, _ mode: Int32, called path: String) throws {
        _ = Self.isPrepared
        var handle: OpaquePointer?
        // NOMUTEX: a connection belongs to one queue at a time, as its reader does.
        let code = sqlite3_open_v2(name, &handle, mode | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            let message = String(cString: sqlite3_errmsg(handle))
            sqlite3_close_v2(handle)
            throw StoreError(.sqlite(code), "cannot open database \(path): \(message)")
        }
        self.handle = handle
        owner = nil
    }

    /// Turns off SQLite's memory statistics before the first connection is opened. With them, every allocation takes a
    /// lock that all connections of the process share, and readers on several queues waited there for each other.
    private static let isPrepared: Bool = rollcall_sqlite_leave_out_memory_statistics() == SQLITE_OK

    private func wait(with busyTimeout: BusyTimeout) {
        self.busyTimeout = busyTimeout
        sqlite3_busy_handler(
            handle,
            { context, tries in
                guard let context else { return 0 }
                let connection = Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
                return connection.busyTimeout?.waits(afterTries: Int(tries)) == true ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Returns `path` as a URI with the parameter `immutable`. Everything but letters, digits and `/-._~` is encoded.
    private static func immutableName(_ path: String) -> String {
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "/-._~"))
        let absolute = URL(fileURLWithPath: path).path
        return "file:\(absolute.addingPercentEncoding(withAllowedCharacters: allowed) ?? absolute)?immutable=1"
    }

    /// The same connection, with statements of its own: other users of the connection may remove theirs at any time.
    init(sharing other: SQLiteConnection) {
        handle = other.handle
        owner = other
    }

    deinit {
        removeStatements()
        if owner == nil { sqlite3_close_v2(handle) }
    }

    /// Leaves the log of a killed process as it is: the last connection that closes would write it into the database.
    func keepLog() { _ = rollcall_sqlite_keep_log(handle) }

    package func execute(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil), "in: \(sql)") }

    package func statement(_ name: StatementName, _ sql: @autoclosure () -> String) throws -> any StoreStatement {
        if let statement = statements[name] { return statement }
        if statements.count >= maxStatements { statements = [:] }
        let statement = try Statement(sql(), on: self)
        statements[name] = statement
        return statement
    }

    package func removeStatements() { statements = [:] }

    /// Runs a statement whose failure is that of the file at `path` rather than its own, such as `BEGIN IMMEDIATE`.
    func execute(_ sql: String, at path: String) throws {
        if sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK { return }
        var error = error()
        error.description = "\(path): \(error)"
        throw error
    }

    /// Throws the error of a call that has returned another code than `SQLITE_OK`.
    func check(_ code: Int32, _ context: @autoclosure () -> String) throws {
        if code != SQLITE_OK { throw error(context()) }
    }

    func error(_ context: String = "") -> StoreError {
        let code = sqlite3_errcode(handle)
        var message = "SQLite: \(String(cString: sqlite3_errmsg(handle))) (\(code))"
        if !context.isEmpty { message += " " + context.joiningLines(with: " ") }
        let fault = StoreError.fault(code)
        return StoreError(fault.reason, (fault.reason == .damaged ? missingBytes : nil) ?? fault.meaning ?? message)
    }

    /// Says how much of the file is missing; `nil` if it is as long as its header says. SQLite's descriptor is read:
    /// closing another one would release this process's locks.
    private var missingBytes: String? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
            let methods = file.pointee.pMethods?.pointee
        else { return nil }
        // https://sqlite.org/fileformat.html#the_database_header: the size of pages at 16, their number at 28.
        var header = [UInt8](repeating: 0, count: 32)
        var size: sqlite3_int64 = 0
        guard methods.xRead(file, &header, Int32(header.count), 0) == SQLITE_OK,
            methods.xFileSize(file, &size) == SQLITE_OK
        else { return nil }
        let number = { (bytes: Range<Int>) in header[bytes].reduce(Int64(0)) { $0 << 8 | Int64($1) } }
        let pageSize = number(16..<18) == 1 ? 65536 : number(16..<18)
        let expected = pageSize * number(28..<32)
        return size < expected ? StoreError.cutShort(to: size, of: expected) : nil
    }

    package func begin() throws { try execute("BEGIN IMMEDIATE") }

    /// Begins a transaction in which everything is read as it is now, until the connection is closed.
    func beginSnapshot() throws { try execute("BEGIN; SELECT count(*) FROM sqlite_master") }

    package func commit() throws { try execute("COMMIT") }

    package func rollback() { try? execute("ROLLBACK") }

    package func withSnapshot<Result>(
        of directory: Int64, _ body: (_ generation: Int64) throws -> Result?
    ) throws -> Result? {
        let statement = try generationStatement(of: directory)
        // The statement stays open until the end, so that everything is read in one transaction.
        defer { statement.reset() }
        return try statement.step() ? try body(statement.number(0)) : nil
    }

    package func exists(table: String) -> String {
        "EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '\(table)')"
    }

    package func makeRowWriter(into table: String, _ columns: [String]) throws -> any RowWriter {
        try InsertingRowWriter(table, columns, on: self)
    }

    package func blobs(_ table: BlobTable, of directory: Int64) -> any BlobStorage {
        SQLiteBlobs(table, of: directory, on: self)
    }

    package func userRows(of directory: Int64) -> any UserRowStorage { SQLiteUserRows(of: directory, on: self) }

    /// SQLite is in this process, so reading several rows at once would gain nothing.
    package var rowsAtOnce: Int { 1 }

    package func forEachRow(
        _ rows: KeyedRows, in directory: Int64, _ next: () -> Int64?,
        _ body: (_ id: Int64, _ row: any StoreRow) throws -> Bool
    ) throws {
        switch rows {
        case .users:
            let users = try statement(
                .rows(rows, of: directory), "SELECT \(UserRowReader.columns) FROM user\(directory) WHERE id = ?")
            _ = try users.forEachRow(atMost: .max, next, body)
        case .texts:
            let few = try statement(
                .rows(rows, of: directory), "SELECT id, content FROM userText\(directory) WHERE id = ?")
            guard try few.forEachRow(atMost: Self.textsByStatement, next, body) else { return }
            let texts = BlobReader(self, table: "userText\(directory)", column: "content")
            defer { texts.close() }
            while let id = next() {
                if try texts.read(id), try !body(id, texts) { return }
            }
        }
    }

    /// Opening a blob handle takes as long as reading two or three texts with a statement. Each further text takes a
    /// third of the statement's time.
    private static let textsByStatement = 3

    package var changes: Int { Int(sqlite3_changes(handle)) }
    var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }
}

extension StoreStatement {
    /// Calls `body` with the row of each of the first ids that `next` names; the id is the only parameter. Returns
    /// `false` if the ids end before `limit`, or if `body` returns `false`.
    fileprivate func forEachRow(
        atMost limit: Int, _ next: () -> Int64?, _ body: (_ id: Int64, _ row: any StoreRow) throws -> Bool
    ) throws -> Bool {
        defer { reset() }
        for _ in 0..<limit {
            guard let id = next() else { return false }
            bind(id, at: 1)
            if try step(), try !body(id, self) { return false }
            reset()
        }
        return true
    }
}

final class Statement: StoreStatement {
    private let handle: OpaquePointer
    private unowned let connection: SQLiteConnection

    fileprivate init(_ sql: String, on connection: SQLiteConnection) throws {
        var handle: OpaquePointer?
        guard
            sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
                == SQLITE_OK,
            let handle
        else { throw connection.error("in: \(sql)") }
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let error = connection.error("in: \(String(cString: sqlite3_sql(handle)))")
            sqlite3_reset(handle)
            throw error
        }
    }

    func reset() { sqlite3_reset(handle) }

    func run() throws {
        defer { reset() }
        _ = try step()
    }

    func bind(_ number: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, number) }

    func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
        if bytes.isEmpty {
            sqlite3_bind_text(handle, index, "", 0, nil)
        } else {
            let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            sqlite3_bind_text(handle, index, text, Int32(bytes.count), nil)
        }
    }

    func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32) {
        if bytes.isEmpty {
            sqlite3_bind_zeroblob(handle, index, 0)
        } else {
            sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), nil)
        }
    }

    func bind(_ text: String, at index: Int32) {
        // SQLITE_TRANSIENT is a cast that Swift does not import.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(handle, index, text, Int32(text.utf8.count), transient)
    }

    func bindNull(at index: Int32) { sqlite3_bind_null(handle, index) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_text(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    func blob(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}
