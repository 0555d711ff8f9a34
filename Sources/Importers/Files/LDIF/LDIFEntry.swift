import Base
import People

/// An entry of LDIF while it is read: its attributes, by names in lower case.
struct LDIFEntry {
    /// In the order of the file: values without a language, those in the directory's language, and those in others. An
    /// attribute has the first of them.
    private var values = [NamedValues(), NamedValues(), NamedValues()]
    private let language: String
    /// Photos by the names of their attributes.
    private var photos: [String: [UInt8]] = [:]
    /// How names are read, by the names of their attributes.
    private var readings: [String: String] = [:]
    /// Whether a name stands in another file.
    private(set) var lacksName = false

    var isEmpty: Bool { values.allSatisfy(\.isEmpty) && photos.isEmpty }
    /// The name of the entry; `nil` before it is known, and for a record that is not an entry.
    private(set) var distinguishedName: DistinguishedName?

    init(language: String) { self.language = language }

    mutating func removeAll() { self = LDIFEntry(language: language) }

    /// Secrets, and what only programs understand. They are not read, even if an option names them.
    private static let secrets: Set<String> = [
        "userpassword", "unicodepwd", "usercertificate", "cacertificate", "usersmimecertificate", "userpkcs12",
        "sshpublickey", "sambantpassword", "sambalmpassword", "krbprincipalkey", "ipanthash", "dbcspwd", "lmpwdhistory",
        "ntpwdhistory", "supplementalcredentials", "authpassword", "audio", "objectsid", "msexchmailboxguid",
    ]
    private static let photoAttributes = ["jpegphoto", "thumbnailphoto"]
    /// The only binary values that identify somebody.
    private static let binaryIDs: Set = ["objectguid", "guid"]

    mutating func append(_ description: String, _ value: [UInt8]) {
        let options = Self.options(of: description)
        guard let first = options.first, !value.isEmpty else { return }
        let name = AttributeName.short(first)
        if Self.photoAttributes.contains(name) { return photos[name] = photos[name] ?? value }
        guard !Self.secrets.contains(name), !name.hasSuffix("password"), !name.hasSuffix("pwd") else { return }
        let isBinary = Self.binaryIDs.contains(name)
        let text = isBinary ? value.map { String($0, radix: 16) }.joined(separator: ".") : Self.text(value)
        guard let text else { return }
        if let read = options.contains("phonetic") ? name : AttributeName.readings[name] {
            readings[read] = readings[read] ?? text
            return
        }
        if name == "dn" { distinguishedName = DistinguishedName(text) }
        let tag = options.first { $0.hasPrefix("lang-") }
        let rank = tag.map { "\($0)-".hasPrefix("lang-\(language.primaryLanguage)-") ? 1 : 2 } ?? 0
        values[rank].add(name, [text])
    }

    /// Notes an attribute whose value stands in another file.
    mutating func noteReference(_ description: String) {
        let name = Self.options(of: description).first.map(AttributeName.short) ?? ""
        if ["cn", "displayname", "sn", "givenname"].contains(name) { lacksName = true }
    }

    /// Returns the name of an attribute and its options, in lower case: `sn;lang-ja;phonetic`.
    private static func options(of description: String) -> [String] {
        description.lowercased().split(separator: ";").map(String.init)
    }

    /// Returns `nil` for binary data.
    private static func text(_ bytes: [UInt8]) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return text.utf8.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) } ? nil : text
    }

    private subscript(name: String) -> [String]? { values.lazy.compactMap { $0[name] }.first }

    /// The bytes of the person's photo.
    var photo: [UInt8]? { Self.photoAttributes.lazy.compactMap { photos[$0] }.first }

    /// The first value of an attribute, whose name is in lower case.
    func text(_ name: String) -> String? { self[name]?.first }

    // MARK: - What the entry is

    /// Whether it is a person, or an account like one: by its classes, or by its name if the search asked for no
    /// classes. A name that only the entry's own name has may be a folder's, unless there is something of a person.
    private var isPerson: Bool {
        guard let classes = self["objectclass"]?.map({ $0.lowercased() }) else {
            let has = { (names: [String]) in names.contains { text($0) != nil } }
            return has(["displayname", "cn"])
                || name != nil && has(["sn", "givenname", "mail", "uid", "samaccountname"])
        }
        let people = ["person", "organizationalperson", "inetorgperson", "user", "msds-managedserviceaccount"]
        return classes.contains(where: people.contains)
    }

    /// Why the entry is not shown; `nil` for a person who is.
    var reasonToLeaveOut: EntryMark.Reason? {
        if !isPerson { return .other }
        return EntryMark.all.first { mark in
            mark.attributes.contains { name in self[name]?.contains(where: mark.holds) == true }
        }?.reason
    }

    /// Whether the entry has an attribute that tells disabled accounts.
    var tellsWhetherDisabled: Bool { EntryMark.telling.contains { self[$0] != nil } }

    /// The name of the person: `displayName`, `cn`, first and last name, or the common name of the entry, the first
    /// that does not look like an account; `nil` without one.
    var name: String? {
        let names = [text("displayname"), text("cn"), wholeName, distinguishedName?.commonName]
        return names.lazy.compactMap(\.self).first(where: isName)
    }

    /// First and last name.
    private var wholeName: String? {
        let parts = ["givenname", "sn"].compactMap { text($0) }
        if parts.isEmpty { return nil }
        return parts.allSatisfy(EastAsianName.isPart) ? parts.reversed().joined() : parts.joined(separator: " ")
    }

    private func isName(_ text: String) -> Bool {
        PersonName.isLikely(text)
            && !["uid", "samaccountname", "employeenumber", "employeeid"].contains {
                self.text($0)?.lowercased() == text.lowercased()
            }
    }

    /// The reading of the name: last name first, as it sorts.
    private var reading: String? {
        let parts = ["sn", "givenname"].compactMap { readings[$0] }
        return parts.isEmpty ? readings["displayname"] ?? readings["cn"] : parts.joined(separator: " ")
    }

    /// The ids that servers give entries, which keep them in whatever branch they are: of RFC 4530, and those of Active
    /// Directory, 389 Directory Server, FreeIPA, IBM's, Oracle's and eDirectory.
    private static let ids = [
        "entryuuid", "objectguid", "nsuniqueid", "ipauniqueid", "ibm-entryuuid", "orclguid", "guid",
    ]
    private static let accounts = ["uid", "samaccountname"]

    /// The server's id of the entry.
    var uniqueID: String? { Self.ids.lazy.compactMap { text($0) }.first }
    var account: String? { Self.accounts.lazy.compactMap { text($0) }.first }

    /// Returns the text that identifies the person unless the settings name a key: an id, the account if nobody else
    /// has it, or the name of the entry.
    func identity(among entries: EntryIndex) -> String {
        uniqueID ?? account.flatMap { entries.isShared($0) ? nil : $0 } ?? distinguishedName?.key ?? ""
    }

    // MARK: - The record

    /// The columns with a meaning, and the attributes that fill them: the first that the entry has.
    static let columns: [(heading: String, attributes: [String])] = [
        (nameHeading, ["displayname", "cn"]), (readingHeading, []), ("First name", ["givenname"]),
        ("Last name", ["sn"]), ("Title", ["title"]),
        ("Department", ["department", "ou", "departmentnumber"]), ("Organization", ["company", "o"]),
        ("Location", ["l", "physicaldeliveryofficename"]), ("Country", ["co", "c"]),
        ("Website", ["labeleduri", "wwwhomepage"]), (managerHeading, ["manager"]),
    ]
    /// These describe the entry and not the person.
    private static let technical = EntryMark.technical.union(ids).union(["dn", "objectclass", "changetype", "version"])
    private static let managerHeading = "Manager"
    private static let taken = technical.union(columns.flatMap(\.attributes))
    /// These name the entries of others, as `manager` does.
    private static let relations: Set<String> = ["secretary", "assistant", "directreports"]

    /// Appends the record as JSON.
    ///
    /// - Parameters:
    ///   - photo: The name under which the photo is kept.
    ///   - entries: All entries, for the names of managers. Of those who are not in the file, a common name is taken if
    ///     it looks like one: their accounts, numbers and addresses are nobody's business here.
    func append(to buffer: ByteBuffer, photo: String?, among entries: EntryIndex) {
        var record = NamedValues()
        func add(relation name: String, _ values: [String]) { record.add(name, values.map(entries.name)) }
        for (heading, names) in Self.columns {
            let values =
                names.lazy.compactMap { name in
                    name == "ou" ? self[name]?.filter { !entries.isBranch($0) } : self[name]
                }.first { !$0.isEmpty } ?? []
            switch heading {
            // First and last name say it.
            case Self.nameHeading where values.isEmpty && wholeName != nil: break
            case Self.nameHeading: record.add(heading, [name ?? values.first ?? ""])
            case Self.readingHeading: record.add(heading, [reading ?? ""])
            case "Website": record.add(heading, values.prefix(1).map { String($0.prefix { $0 != " " }) })
            case Self.managerHeading: add(relation: heading, Array(values.prefix(1)))
            case "Department", "Organization": record.add(heading, values)
            default: record.add(heading, Array(values.prefix(1)))
            }
        }
        record.add(Self.photoHeading, [photo ?? ""])
        var others = Self.taken
        for attribute in values.flatMap(\.members) where others.insert(attribute.name).inserted {
            let name = AttributeName.spelled(attribute.name)
            if Self.relations.contains(attribute.name) {
                add(relation: name, attribute.values)
            } else {
                record.add(name, attribute.values)
            }
        }
        record.append(to: buffer)
    }

    /// Whether a column holds what LDIF says about people, and not one of the many attributes that a server adds.
    static func isKnown(_ heading: String) -> Bool {
        heading == photoHeading || columns.contains { $0.heading == heading }
    }

    private static let nameHeading = "Name"
    private static let readingHeading = "Phonetic name"
    private static let photoHeading = "Photo"
}
