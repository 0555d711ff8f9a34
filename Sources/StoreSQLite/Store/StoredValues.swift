import Directories
import GRDBSQLite

// Values as a database that Rollcall wrote can hold them. They are checked where they are read: everything behind this may
// calculate with them. Other values are damage, of the disk or by another program.

/// The limits of stored numbers.
enum StoredLimits {
    /// More people than one file can hold; sums and products of a few such numbers still fit 64 bits.
    static let count: Int64 = 1 << 40
    /// No database changes so often.
    static let generation: Int64 = 1 << 62
    /// The last second of the year 9999, since 1970.
    static let seconds: Int64 = 253_402_300_799
    /// The numbers of a facet's values: see ``FacetTable``.
    static let facetValue = Int64(Facet.maxValues) + 1
}

extension StoreError {
    /// The error for a sort index whose blocks do not fit each other or the table of users.
    static let damagedOrder = StoreError(
        .sqlite(SQLITE_CORRUPT), "an order of the directory is damaged in the database; import into a new file")

    /// The error for a database that holds what Rollcall never writes.
    static func damage(_ what: String) -> StoreError {
        StoreError(
            .sqlite(SQLITE_CORRUPT),
            "the database is damaged: \(what); put a good copy in its place, or import into a new file")
    }

    /// The error for a number outside of `range`.
    static func damage(_ name: String, _ number: Int64, outside range: ClosedRange<Int64>) -> StoreError {
        damage("\(name) is \(number), expected \(range.lowerBound) to \(range.upperBound)")
    }
}

extension Statement {
    /// The number in `column`, which `name` says in errors. Throws if it is outside of `range`.
    func number(_ column: Int32, _ name: String, in range: ClosedRange<Int64>) throws -> Int64 {
        let number = number(column)
        guard range.contains(number) else { throw StoreError.damage(name, number, outside: range) }
        return number
    }

    /// A number of people, requests or the like.
    func count(_ column: Int32, _ name: String) throws -> Int {
        Int(try number(column, name, in: 0...StoredLimits.count))
    }

    func generation(_ column: Int32) throws -> Int64 {
        try number(column, "a generation", in: 1...StoredLimits.generation)
    }

    /// Seconds since 1970.
    func time(_ column: Int32, _ name: String) throws -> Int64 {
        try number(column, name, in: 0...StoredLimits.seconds)
    }

    /// The facet that `column` names; `nil` for one that this version does not know.
    func facet(_ column: Int32) -> Facet? { Facet(rawValue: Int(number(column))) }

    func facetValue(_ column: Int32) throws -> Int64 {
        try number(column, "the number of a value", in: 1...StoredLimits.facetValue)
    }
}
