/// The version of the tables of a database.
package enum TableFormat {
    /// The oldest version that this program opens, and brings to the current one. The package reads both numbers here.
    package static let oldest: Int64 = 12
    package static let current: Int64 = 13

    /// The changes to the tables since ``oldest``, one step for each version, in order.
    package static let migrations = [
        // The keys of block directories are bytes: orders are made again when the database is opened.
        Migration(from: 12) { try $0.execute("UPDATE directory SET textForm = ''") }
    ]

    /// Throws if this program does not open version `format`, which the database called `name` has.
    package static func check(_ format: Int64, of name: String, since oldest: Int64 = current) throws(StoreError) {
        if (oldest...current).contains(format) { return }
        let (reason, age, cure): (StoreError.Reason, String, String) =
            format > current ? (.newer, "a newer", "use the newer one") : (.older, "an earlier", wayOut)
        throw StoreError(
            reason, "\(name) has format \(format), of \(age) Rollcall, and this one has format \(current): \(cure)")
    }

    private static let wayOut = """
        import again into a new database, or write the people out with rollcall export --with-private of the version \
        that made it, and import those files
        """
}

/// A change of the tables from one version to the next.
package struct Migration: Sendable {
    package let format: Int64
    package let change: @Sendable (any StoreConnection) throws -> Void

    package init(from format: Int64, _ change: @escaping @Sendable (any StoreConnection) throws -> Void) {
        (self.format, self.change) = (format, change)
    }
}

extension [Migration] {
    package var oldest: Int64 { first?.format ?? TableFormat.current }

    /// Brings the tables from version `format` to the current one, in a transaction that is open.
    package func run(from format: Int64, on connection: any StoreConnection) throws {
        for migration in self where migration.format >= format { try migration.change(connection) }
    }
}
