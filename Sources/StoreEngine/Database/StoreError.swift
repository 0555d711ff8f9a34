import Indexes
import People

/// A fault of the database, described for the person who runs the server.
public struct StoreError: Error, Equatable, CustomStringConvertible {
    /// The kind of a fault, by which callers decide how to go on.
    public enum Reason: Equatable, Sendable {
        /// The path names a folder, or something else that is not a file.
        case notAFile
        case notPermitted
        /// The file was not written by SQLite.
        case notSQLite
        /// The database belongs to another program.
        case foreign
        /// A newer Rollcall made the database.
        case newer
        /// The database has another format, or is an incomplete copy.
        case older
        /// The database was removed or replaced after it was opened.
        case gone
        /// A copy would replace another file, or a directory another directory.
        case exists
        /// The database has no directory with that slug.
        case noDirectory
        /// A user cannot be saved.
        case invalidUser
        /// A cursor belongs to another order than the query's.
        case invalidCursor
        /// Answering a search would cost more than a request may.
        case tooBroad
        /// The directory no longer has the order of a query.
        case unknownOrder
        /// The database has content that Rollcall never writes.
        case damaged
        /// The disk is full, or a limit on the size of files is reached.
        case noRoom
        /// Another process has kept the database locked for too long.
        case busy
        /// No server of the database can be reached.
        case unreachable
        /// The servers that can be reached have an older state than this process has shown.
        case behind
        /// The servers that can be reached accept no changes for the moment.
        case readOnly
        /// The only server has accepted no changes for as long as a command may wait.
        case lastinglyReadOnly
        /// Another process has done the same for as long as a command may wait.
        case held
        /// A statement took longer than it may.
        case timedOut
        /// Another error: a result code of SQLite, or 0 for PostgreSQL, whose description has the SQLSTATE.
        case database(Int32)
    }

    public var reason: Reason
    /// The fault, its place and, where there is one, the remedy. Never contains a password.
    public var description: String

    package init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}

extension StoreError {
    /// The error for a cursor whose order has been rebuilt, and whose user is gone.
    static let lostPlace = StoreError(
        .invalidCursor,
        """
        expected a cursor from the directory as it is now, found one from before its order was rebuilt, of a person \
        who has been removed; start from the first page
        """)

    /// The error for a search whose matches only the texts of too many people would tell.
    static let tooBroad = StoreError(
        .tooBroad,
        "expected fewer or more particular words, found some whose parts too many people have in other words")
}

extension StoreError: StoreFailure {
    public var kind: StoreFailureKind? {
        switch reason {
        case .notSQLite, .damaged: .damage
        case .invalidCursor: .wrongRequest
        case .tooBroad: .tooBroad
        case .unknownOrder: .outdated
        case .notPermitted: .denied
        case .unreachable, .behind, .readOnly: .interruption
        case .lastinglyReadOnly, .held: .forLater
        default: nil
        }
    }
}

extension StoreError {
    /// The error for a sort index whose blocks do not fit each other or the users in the tables.
    package static let damagedOrder = StoreError(
        .damaged, "an order of the directory is damaged in the database; import into a new file")

    /// Calls `body`, which reads blocks of orders. Throws ``damagedOrder`` for bytes that are none.
    static func readingBlocks<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch is DamagedBlock { throw damagedOrder }
    }

    /// Returns the error for a database with content that Rollcall never writes.
    package static func damage(_ what: String) -> StoreError {
        StoreError(
            .damaged,
            "the database is damaged: \(what); put a good copy in its place, or import into a new file")
    }

    package static func damage(_ name: String, _ number: Int64, outside range: ClosedRange<Int64>) -> StoreError {
        damage("\(name) is \(number), expected \(range.lowerBound) to \(range.upperBound)")
    }

    /// Throws the first of some faults that is there.
    package static func check(
        _ faults: [(isThere: Bool, reason: Reason, description: String)]
    ) throws(StoreError) {
        for fault in faults where fault.isThere { throw StoreError(fault.reason, fault.description) }
    }
}

// Numbers that a database of Rollcall can contain are checked when they are read, so that all other code may calculate
// with them. Other numbers are damage by the disk or by another program.

extension StoreRow {
    /// Returns the number in `column`, which errors call `name`. Throws if it is outside `range`.
    package func number(_ column: Int32, _ name: String, in range: ClosedRange<Int64>) throws -> Int64 {
        let number = number(column)
        guard range.contains(number) else { throw StoreError.damage(name, number, outside: range) }
        return number
    }

    /// Returns a number of users, requests or the like.
    package func count(_ column: Int32, _ name: String) throws -> Int {
        // More users than fit a file. Sums and products of a few such numbers still fit 64 bits.
        Int(try number(column, name, in: 0...(1 << 40)))
    }

    package func generation(_ column: Int32) throws -> Int64 {
        // No database changes so often.
        try number(column, "a generation", in: 1...(1 << 62))
    }

    /// Returns a time in seconds since 1970.
    package func time(_ column: Int32, _ name: String) throws -> Int64 {
        // The last one of the year 9999.
        try number(column, name, in: 0...253_402_300_799)
    }

    /// Returns the number of a filter's value: see ``FilterTable``.
    func filterValue(_ column: Int32) throws -> Int64 {
        try number(column, "the number of a value", in: 1...Int64(Filter.maxOwnValues) + 1)
    }
}
