/// Facts about all entries, collected before any of them becomes a record: managers may stand behind the people they
/// manage, and only all people together tell a department from the branch that everybody is in.
final class EntryIndex {
    /// A million entries: 100 MiB.
    private static let limit = 1_000_000
    /// The names of people by the distinguished names of their entries; empty for those who are left out, or have none.
    private var names: [String: String] = [:]
    /// The number of people who are shown, and the organizational units in the names of all their entries.
    private var people = 0
    private var commonUnits: Set<String> = []
    /// The numbers of people without a unique id by the names of their accounts.
    private var accounts: [String: Int] = [:]

    func note(_ entry: LDIFEntry) {
        guard let name = entry.distinguishedName, names.count < Self.limit else { return }
        names[name.key] = ""
        guard entry.reasonToLeaveOut == nil else { return }
        names[name.key] = entry.name ?? ""
        commonUnits = people == 0 ? name.units : commonUnits.intersection(name.units)
        people += 1
        if entry.uniqueID == nil, let account = entry.account { accounts[account.lowercased(), default: 0] += 1 }
    }

    /// Returns the name of the person whose entry is called `dn`; empty if the person is not shown, or if nothing but
    /// an account is known of somebody who is not in the file.
    func name(of dn: String) -> String {
        let name = DistinguishedName(dn)
        return names[name.key] ?? name.commonName ?? ""
    }

    /// Whether a unit is the branch that all people are in, and so says nothing of anybody.
    func isBranch(_ unit: String) -> Bool { people > 1 && commonUnits.contains(unit.lowercased()) }

    /// Whether several people have an account of this name, in different branches.
    func isShared(_ account: String) -> Bool { accounts[account.lowercased(), default: 0] > 1 }
}
