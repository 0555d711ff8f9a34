/// The names of attributes. Servers and programs write some in full, or as numbers (RFC 4519).
enum AttributeName {
    private static let long = [
        "commonname": "cn", "2.5.4.3": "cn", "surname": "sn", "2.5.4.4": "sn", "gn": "givenname",
        "2.5.4.42": "givenname", "countryname": "c", "2.5.4.6": "c", "localityname": "l", "2.5.4.7": "l",
        "stateorprovincename": "st", "2.5.4.8": "st", "organizationname": "o", "2.5.4.10": "o",
        "organizationalunitname": "ou", "2.5.4.11": "ou", "2.5.4.12": "title", "friendlycountryname": "co",
        "userid": "uid", "0.9.2342.19200300.100.1.1": "uid", "rfc822mailbox": "mail",
        "0.9.2342.19200300.100.1.3": "mail", "domaincomponent": "dc", "0.9.2342.19200300.100.1.25": "dc",
    ]

    /// Returns the usual short name of an attribute, both in lower case.
    static func short(_ name: String) -> String {
        let name = name.hasPrefix("oid.") ? String(name.dropFirst(4)) : name
        return long[name] ?? name
    }

    /// Names as servers spell them, by names in lower case.
    private static let spelled = [
        "samaccountname": "sAMAccountName", "telephonenumber": "telephoneNumber", "employeenumber": "employeeNumber",
        "facsimiletelephonenumber": "facsimileTelephoneNumber", "postaladdress": "postalAddress",
        "postalcode": "postalCode", "homephone": "homePhone", "employeetype": "employeeType",
        "directreports": "directReports",
    ]

    /// Returns the name as a server spells it.
    static func spelled(_ name: String) -> String { spelled[name] ?? name }

    /// Active Directory's readings of names (MS-ADA2), by the attributes whose values they say how to read.
    static let readings = [
        "msds-phoneticlastname": "sn", "msds-phoneticfirstname": "givenname", "msds-phoneticdisplayname": "displayname",
    ]
}
