import Base
import StoreEngine

/// The timeline of a primary: a number that grows with each promotion of a standby.
///
/// A promotion may lose the last transactions, and with them the last generations. The new primary would give the same
/// generations to other states, and caches would keep the lost ones. So the first writer on a new timeline lets the
/// generations jump, and notes the timeline. Validators depend on it: see ``origin(instance:timeline:losses:)``.
///
/// If two standbys of one primary are promoted one after the other, and the second has received nothing from the first,
/// their timelines have the same number. So the jump has a random length.
enum Timeline {
    /// The shortest jump: more generations than a promotion can lose.
    private static let jump: Int64 = 1 << 20

    static func current(on connection: PostgresStoreConnection) throws -> Int64 {
        // The name of a file of the write-ahead log begins with the timeline, in 8 hexadecimal digits.
        Int64(try connection.text("SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)"), radix: 16) ?? 0
    }

    /// Notes the timeline of the primary, if it is new, in a transaction of its own.
    static func note(on connection: PostgresStoreConnection) throws {
        try connection.transaction {
            let now = try current(on: connection)
            guard now != 0, try connection.number("SELECT timeline FROM database") != now else { return }
            // Another process may be doing the same.
            guard try connection.number("SELECT timeline FROM database FOR UPDATE") != now else { return }
            try connection.execute(
                """
                SELECT setval('generation', greatest((SELECT last_value FROM generation),
                    (SELECT coalesce(max(generation), 0) FROM directory)) + \(.random(in: jump..<2 * jump) as Int64));
                UPDATE database SET timeline = \(now)
                """)
        }
    }

    /// Returns the origin of the directories: see ``Directory/origin``. All servers of a database derive the same one,
    /// except after `losses`: a server that has shown a lost state has another origin until a writer notes the next
    /// timeline.
    static func origin(instance: String, timeline: Int64, losses: Int = 0) -> UInt64 {
        let text = "\(instance) \(timeline)\(losses > 0 ? " \(losses)" : "")"
        return text.withBytes { SipHash.hash($0, key: (0, 0)) }
    }
}
