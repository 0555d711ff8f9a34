import Foundation

/// An attribute that says that an entry is not to be shown.
struct EntryMark: Sendable {
    enum Reason: CaseIterable {
        case hidden, disabled, expired, program

        /// What the report calls entries that are left out.
        var noun: (one: String, many: String) {
            switch self {
            case .hidden: ("person hidden from address lists", "people hidden from address lists")
            case .disabled: ("disabled or locked account", "disabled or locked accounts")
            case .expired: ("expired account", "expired accounts")
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
        /// The time is past.
        case isPast(Clock)
    }

    /// How an attribute writes times.
    enum Clock {
        /// Tenths of microseconds since 1601; 0 and the greatest number mean never.
        case windows
        /// Days since 1970, or seconds; 0 and less mean never.
        case days, seconds
        /// In UTC (RFC 4517 §3.3.13): `20260131120000Z`.
        case generalized

        func isPast(_ value: String) -> Bool {
            let now = Date()
            let seconds = Int(now.timeIntervalSince1970)
            func isBefore(_ limit: Int) -> Bool { Int(value).map { $0 > 0 && $0 < limit } ?? false }
            switch self {
            case .windows: return isBefore((seconds + 11_644_473_600) * 10_000_000)
            case .days: return isBefore(seconds / 86_400)
            case .seconds: return isBefore(seconds)
            case .generalized:
                let digits = value.prefix { $0.isNumber }
                return digits.count >= 10 && digits < now.formatted(.iso8601).filter(\.isNumber).prefix(digits.count)
            }
        }
    }

    let reason: Reason
    let attributes: [String]
    let test: Test

    func holds(_ value: String) -> Bool {
        let value = value.trimmed.lowercased()
        return switch test {
        case .equals(let values): values.contains(value)
        case .contains(let parts): parts.contains(where: value.contains)
        case .begins(let starts): starts.contains(where: value.hasPrefix)
        case .ends(let end): value.hasSuffix(end)
        case .hasBit(let bits): (Int(value) ?? 0) & bits != 0
        case .isPresent: !value.isEmpty
        case .isPast(let clock): clock.isPast(value)
        }
    }

    private init(_ reason: Reason, _ attributes: String..., test: Test) {
        (self.reason, self.attributes, self.test) = (reason, attributes, test)
    }

    /// Those of Active Directory and Exchange, 389 Directory Server, FreeIPA, OpenLDAP, eDirectory, PingDirectory,
    /// Oracle's, Samba and Zimbra. A lock for some minutes after wrong passwords (`lockoutTime`) is none of them.
    static let all = [
        // SERVER_TRUST_ACCOUNT, WORKSTATION_TRUST_ACCOUNT and INTERDOMAIN_TRUST_ACCOUNT.
        EntryMark(.program, "useraccountcontrol", test: .hasBit(0x3800)),
        EntryMark(.program, "samaccountname", "uid", "cn", test: .ends("$")),
        EntryMark(.program, "iscriticalsystemobject", test: .equals(["true"])),
        EntryMark(.program, "objectclass", test: .contains(["managedserviceaccount", "computer"])),
        EntryMark(
            .program, "cn", "displayname",
            test: .begins(["healthmailbox", "systemmailbox{", "discoverysearchmailbox", "federatedemail."])),
        EntryMark(.hidden, "msexchhidefromaddresslists", "zimbrahideingal", test: .equals(["true"])),
        // ACCOUNTDISABLE and LOCKOUT.
        EntryMark(.disabled, "useraccountcontrol", "msds-user-account-control-computed", test: .hasBit(0x12)),
        EntryMark(
            .disabled, "nsaccountlock", "logindisabled", "ds-pwp-account-disabled", "msds-useraccountdisabled",
            test: .equals(["true", "1", "yes"])),
        EntryMark(.disabled, "pwdaccountlockedtime", test: .isPresent),
        EntryMark(.disabled, "nsroledn", "nsrole", test: .contains(["disabledrole", "inactivated"])),
        EntryMark(.disabled, "inetuserstatus", test: .equals(["inactive", "deleted"])),
        EntryMark(.disabled, "orclisenabled", test: .equals(["disabled"])),
        EntryMark(.disabled, "zimbraaccountstatus", test: .equals(["closed", "locked", "pending"])),
        // `[DU         ]`
        EntryMark(.disabled, "sambaacctflags", test: .contains(["d"])),
        EntryMark(.expired, "accountexpires", test: .isPast(.windows)),
        EntryMark(.expired, "shadowexpire", test: .isPast(.days)),
        EntryMark(.expired, "sambakickofftime", test: .isPast(.seconds)),
        EntryMark(
            .expired, "krbprincipalexpiration", "loginexpirationtime", "ds-pwp-account-expiration-time",
            "orclactiveenddate", test: .isPast(.generalized)),
    ]

    /// The attributes that tell whether an account is disabled: a search that names attributes has to name one.
    static let telling = Set(all.filter { $0.reason == .disabled }.flatMap(\.attributes))
    /// The attributes that only say whether to show an entry. They become no columns.
    static let technical = Set(all.filter { $0.reason != .program }.flatMap(\.attributes))
        .union(["iscriticalsystemobject"])
}
