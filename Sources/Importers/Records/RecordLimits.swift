/// The limits on one record.
enum RecordLimits {
    /// 1 MiB: sixteen times the limit of `more`.
    static let recordBytes = 1 << 20
    /// The columns of a table.
    static let columns = 1_024
    /// The members: hardly more fit into the 64 KiB of `more`, but a service's response has room for a million.
    static let members = 10_000
}
