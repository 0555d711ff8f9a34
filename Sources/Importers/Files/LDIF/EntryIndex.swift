/// Facts about all entries, collected before any of them becomes a record: managers may stand behind the people they
/// manage, and only all people together tell a department from the branch that everybody is in.
final class EntryIndex {
    /// A million entries: 100 MiB.
    private static let limit = 1_000_000
    /// The names of people by the distinguished names of their entries; `nil` for those who are left out, or have no
    /// name.
    private var names: [String: String?] = [:]
    /// The number of people who are shown, and the organizational units in the names of all their entries.
    private var people = 0
    private var commonUnits: Set<String> = []
    /// The accounts of people without a unique id, and those of them that several people have.
    private var accounts: Set<String> = []
    private var shared: Set<String> = []

    func note(_ entry: LDIFEntry) {
        guard let name = entry.distinguishedName, names.count < Self.limit else { return }
        let isShown = entry.reasonToLeaveOut == nil
        names[name.key] = .some(isShown ? entry.name : nil)
        guard isShown else { return }
        commonUnits = people == 0 ? name.units : commonUnits.intersection(name.units)
        people += 1
        if entry.uniqueID == nil, let account = entry.account?.lowercased(), !accounts.insert(account).inserted {
            shared.insert(account)
        }
    }

    /// Returns the name of the person whose entry is called `dn`; `nil` if the person is not shown, or if nothing but
    /// an account is known of somebody who is not in the file.
    func name(of dn: String) -> String? {
        let name = DistinguishedName(dn)
        return names[name.key] ?? name.commonName
    }

    /// Whether a unit is the branch that all people are in, and so says nothing of anybody.
    func isBranch(_ unit: String) -> Bool { people > 1 && commonUnits.contains(unit.lowercased()) }

    /// Whether several people have an account of this name, in different branches.
    func isShared(_ account: String) -> Bool { shared.contains(account.lowercased()) }
}
