import Foundation

/// An attribute that says that an entry is not to be shown.
struct EntryMark: Sendable {
    enum Reason: CaseIterable {
        /// It is not a person.
        case other
        case hidden, disabled, expired, program

        /// The words by which the report counts such entries.
        var words: (one: String, many: String) {
            switch self {
            case .other: ("entry is not a person", "entries are not people")
            case .hidden: ("person hidden from address lists left out", "people hidden from address lists left out")
            case .disabled: ("disabled or locked account left out", "disabled or locked accounts left out")
            case .expired: ("expired account left out", "expired accounts left out")
            case .program:
                (
                    "account of a machine, service or trust left out",
                    "accounts of machines, services and trusts left out"
                )
            }
        }
    }

    /// Whether the mark holds for a value of its attributes, in lower case.
    typealias Test = @Sendable (String) -> Bool

    let reason: Reason
    let attributes: [String]
    private let test: Test

    private init(_ reason: Reason, _ attributes: String..., test: @escaping Test) {
        (self.reason, self.attributes, self.test) = (reason, attributes, test)
    }

    func holds(_ value: String) -> Bool { test(value.trimmed.lowercased()) }

    private static func equals(_ values: Set<String>) -> Test { { values.contains($0) } }
    private static func contains(_ parts: [String]) -> Test { { parts.contains(where: $0.contains) } }
    private static func begins(_ starts: [String]) -> Test { { starts.contains(where: $0.hasPrefix) } }
    private static func hasBit(_ bits: Int) -> Test { { (Int($0) ?? 0) & bits != 0 } }

    /// Whether a time is past that is a number: `units` makes such a number of the seconds since 1970. 0 and less mean
    /// never.
    private static func isPast(_ units: @escaping @Sendable (Int) -> Int) -> Test {
        { Int($0).map { $0 > 0 && $0 < units(Int(Date().timeIntervalSince1970)) } ?? false }
    }

    /// Whether a time in UTC is past (RFC 4517 §3.3.13): `20260131120000Z`.
    @Sendable private static func isPastTime(_ value: String) -> Bool {
        let digits = value.prefix { $0.isNumber }
        return digits.count >= 10 && digits < Date().formatted(.iso8601).filter(\.isNumber).prefix(digits.count)
    }

    /// Those of Active Directory and Exchange, 389 Directory Server, FreeIPA, OpenLDAP, eDirectory, PingDirectory,
    /// Oracle's, Samba and Zimbra. A lock for some minutes after wrong passwords (`lockoutTime`) does not count.
    static let all = [
        // SERVER_TRUST_ACCOUNT, WORKSTATION_TRUST_ACCOUNT and INTERDOMAIN_TRUST_ACCOUNT.
        EntryMark(.program, "useraccountcontrol", test: hasBit(0x3800)),
        EntryMark(.program, "samaccountname", "uid", "cn", test: { $0.hasSuffix("$") }),
        EntryMark(.program, "iscriticalsystemobject", test: equals(["true"])),
        EntryMark(.program, "objectclass", test: contains(["managedserviceaccount", "computer"])),
        EntryMark(
            .program, "cn", "displayname",
            test: begins(["healthmailbox", "systemmailbox{", "discoverysearchmailbox", "federatedemail."])),
        EntryMark(.hidden, "msexchhidefromaddresslists", "zimbrahideingal", test: equals(["true"])),
        // ACCOUNTDISABLE and LOCKOUT.
        EntryMark(.disabled, "useraccountcontrol", "msds-user-account-control-computed", test: hasBit(0x12)),
        EntryMark(
            .disabled, "nsaccountlock", "logindisabled", "ds-pwp-account-disabled", "msds-useraccountdisabled",
            test: equals(["true", "1", "yes"])),
        EntryMark(.disabled, "pwdaccountlockedtime", test: { !$0.isEmpty }),
        EntryMark(.disabled, "nsroledn", "nsrole", test: contains(["disabledrole", "inactivated"])),
        EntryMark(.disabled, "inetuserstatus", test: equals(["inactive", "deleted"])),
        EntryMark(.disabled, "orclisenabled", test: equals(["disabled"])),
        EntryMark(.disabled, "zimbraaccountstatus", test: equals(["closed", "locked", "pending"])),
        // `[DU         ]`
        EntryMark(.disabled, "sambaacctflags", test: contains(["d"])),
        // Tenths of microseconds since 1601; the greatest number means never, too.
        EntryMark(.expired, "accountexpires", test: isPast { ($0 + 11_644_473_600) * 10_000_000 }),
        EntryMark(.expired, "shadowexpire", test: isPast { $0 / 86_400 }),
        EntryMark(.expired, "sambakickofftime", test: isPast { $0 }),
        EntryMark(
            .expired, "krbprincipalexpiration", "loginexpirationtime", "ds-pwp-account-expiration-time",
            "orclactiveenddate", test: isPastTime),
    ]

    /// The attributes that tell whether an account is disabled: a search that names attributes has to name one.
    static let telling = Set(all.filter { $0.reason == .disabled }.flatMap(\.attributes))
    /// The attributes that only say whether to show an entry. They become no columns.
    static let technical = Set(all.filter { $0.reason != .program }.flatMap(\.attributes))
        .union(["iscriticalsystemobject"])
}
