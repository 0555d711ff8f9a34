import Base

extension Directory {
    /// The heading of the column of handles in exports with the publisher's own columns: `rollcall:3f9a07c2`.
    ///
    /// The eight hexadecimal digits are made from the database and the directory, so that an import recognises its own
    /// export and does not take handles of another directory for its own.
    ///
    /// - Parameter instance: ``UserStore/instance`` of the store.
    public func exportHeading(in instance: String) -> String {
        let hash = Array("\(instance)\n\(id)".utf8).withUnsafeBytes { SipHash.hash($0, key: (0x65_7870, 0x6F_7274)) }
        let digits = String(UInt32(truncatingIfNeeded: hash), radix: 16)
        return "rollcall:" + String(repeating: "0", count: 8 - digits.count) + digits
    }
}
