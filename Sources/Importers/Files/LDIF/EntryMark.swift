/// An attribute that says that an entry is not to be shown.
struct EntryMark: Sendable {
    enum Reason: CaseIterable {
        case hidden, disabled, program

        /// What the report calls entries that are left out.
        var noun: (one: String, many: String) {
            switch self {
            case .hidden: ("person hidden from address lists", "people hidden from address lists")
            case .disabled: ("disabled or locked account", "disabled or locked accounts")
            case .program:
                ("account of a machine, service or trust", "accounts of machines, services and trusts")
            }
        }
    }

    enum Test {
        /// The value, in lower case, is one of these.
        case equals(Set<String>)
        /// The value, in lower case, contains one of these.
        case contains([String])
        case begins([String])
        case ends(String)
        /// The number has one of these bits.
        case hasBit(Int)
        case isPresent
    }

    let reason: Reason
    let attributes: [String]
    let test: Test

    func holds(_ value: String) -> Bool {
        let value = value.lowercased()
        return switch test {
        case .equals(let values): values.contains(value)
        case .contains(let parts): parts.contains(where: value.contains)
        case .begins(let starts): starts.contains(where: value.hasPrefix)
        case .ends(let end): value.hasSuffix(end)
        case .hasBit(let bits): (Int(value) ?? 0) & bits != 0
        case .isPresent: !value.isEmpty
        }
    }

    private init(_ reason: Reason, _ attributes: String..., test: Test) {
        (self.reason, self.attributes, self.test) = (reason, attributes, test)
    }

    /// Those of Active Directory and Exchange, 389 Directory Server, FreeIPA, OpenLDAP, eDirectory, PingDirectory,
    /// Oracle's and Samba.
    static let all = [
        // SERVER_TRUST_ACCOUNT, WORKSTATION_TRUST_ACCOUNT and INTERDOMAIN_TRUST_ACCOUNT.
        EntryMark(.program, "useraccountcontrol", test: .hasBit(0x3800)),
        EntryMark(.program, "samaccountname", "uid", "cn", test: .ends("$")),
        EntryMark(.program, "iscriticalsystemobject", test: .equals(["true"])),
        EntryMark(.program, "objectclass", test: .contains(["managedserviceaccount", "computer"])),
        EntryMark(
            .program, "cn", "displayname",
            test: .begins(["healthmailbox", "systemmailbox{", "discoverysearchmailbox", "federatedemail."])),
        EntryMark(.hidden, "msexchhidefromaddresslists", test: .equals(["true"])),
        // ACCOUNTDISABLE and LOCKOUT.
        EntryMark(.disabled, "useraccountcontrol", "msds-user-account-control-computed", test: .hasBit(0x12)),
        EntryMark(
            .disabled, "nsaccountlock", "logindisabled", "ds-pwp-account-disabled", "msds-useraccountdisabled",
            test: .equals(["true", "1", "yes"])),
        EntryMark(.disabled, "pwdaccountlockedtime", test: .isPresent),
        EntryMark(.disabled, "nsroledn", "nsrole", test: .contains(["disabledrole", "inactivated"])),
        EntryMark(.disabled, "inetuserstatus", test: .equals(["inactive", "deleted"])),
        EntryMark(.disabled, "orclisenabled", test: .equals(["disabled"])),
        // `[DU         ]`
        EntryMark(.disabled, "sambaacctflags", test: .contains(["d"])),
    ]

    /// The attributes that tell whether an account is disabled: a search that names attributes has to name one.
    static let telling = Set(all.filter { $0.reason == .disabled }.flatMap(\.attributes))
    /// The attributes that only say whether to show an entry. They become no columns.
    static let technical = telling.union(["iscriticalsystemobject", "msexchhidefromaddresslists"])
}
