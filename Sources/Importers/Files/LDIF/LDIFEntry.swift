import Base
import JSON
import People

/// An entry of LDIF while it is read: its attributes, by names in lower case.
struct LDIFEntry {
    /// In the order of the file.
    private var attributes: [(name: String, values: [String])] = []
    /// Values in the directory's language, and in others. They are read if the attribute has none without a language.
    private var translated: [(name: String, values: [String])] = []
    private var foreign: [(name: String, values: [String])] = []
    /// `lang-` and the directory's language.
    private let languageTag: String
    /// Photos by the names of their attributes.
    private var photos: [String: [UInt8]] = [:]

    var isEmpty: Bool { attributes.isEmpty && translated.isEmpty && foreign.isEmpty && photos.isEmpty }
    var hasName: Bool { self["dn"] != nil }

    init(language: String) {
        languageTag = "lang-" + language.lowercased().prefix { $0 != "-" && $0 != "_" }
    }

    mutating func removeAll() {
        attributes.removeAll(keepingCapacity: true)
        translated.removeAll(keepingCapacity: true)
        foreign.removeAll(keepingCapacity: true)
        photos.removeAll(keepingCapacity: true)
    }

    /// Secrets, and what only programs understand. They are not read, even if an option names them.
    private static let secrets: Set<String> = [
        "userpassword", "unicodepwd", "usercertificate", "cacertificate", "usersmimecertificate", "userpkcs12",
        "sshpublickey", "sambantpassword", "sambalmpassword", "krbprincipalkey", "ipanthash", "dbcspwd", "lmpwdhistory",
        "ntpwdhistory", "supplementalcredentials", "authpassword", "audio", "objectsid", "msexchmailboxguid",
    ]
    private static let photoAttributes = ["jpegphoto", "thumbnailphoto"]

    mutating func append(_ description: String, _ value: [UInt8]) {
        let parts = description.split(separator: ";").map(String.init)
        guard let first = parts.first else { return }
        let name = first.lowercased()
        if Self.photoAttributes.contains(name) {
            if !value.isEmpty, photos[name] == nil { photos[name] = value }
            return
        }
        guard !Self.secrets.contains(name), !name.hasSuffix("password"), !name.hasSuffix("pwd"), !value.isEmpty else {
            return
        }
        // The only binary value that identifies somebody.
        let text = name == "objectguid" ? value.map { String($0, radix: 16) }.joined(separator: ".") : Self.text(value)
        guard let text else { return }
        let language = parts.dropFirst().lazy.map { $0.lowercased() }.first { $0.hasPrefix("lang-") }
        switch language {
        case nil: Self.add(text, to: name, of: &attributes)
        case let tag? where tag == languageTag || tag.hasPrefix(languageTag + "-"):
            Self.add(text, to: name, of: &translated)
        default: Self.add(text, to: name, of: &foreign)
        }
    }

    /// Returns `nil` for binary data.
    private static func text(_ bytes: [UInt8]) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return text.utf8.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) } ? nil : text
    }

    private static func add(_ text: String, to name: String, of list: inout [(name: String, values: [String])]) {
        if let index = list.firstIndex(where: { $0.name == name }) {
            if list[index].values.count < 100 { list[index].values.append(text) }
        } else if list.count < RecordLimits.columns {
            list.append((name, [text]))
        }
    }

    private subscript(name: String) -> [String]? {
        [attributes, translated, foreign].lazy.compactMap { list in list.first { $0.name == name }?.values }.first
    }

    /// The bytes of the person's photo.
    var photo: [UInt8]? { Self.photoAttributes.lazy.compactMap { photos[$0] }.first }

    /// The first value of an attribute, whose name is in lower case.
    func text(_ name: String) -> String? { self[name]?.first }

    // MARK: - What the entry is

    /// Whether it is a person, or an account like one: by its classes, or by its name if the search asked for no
    /// classes.
    var isPerson: Bool {
        guard let classes = self["objectclass"]?.map({ $0.lowercased() }) else {
            return text("displayname") != nil || text("cn") != nil
        }
        let people = ["person", "organizationalperson", "inetorgperson", "user", "msds-managedserviceaccount"]
        return classes.contains(where: people.contains)
    }

    /// Why the entry is not shown; `nil` for a person who is.
    var reasonToLeaveOut: EntryMark.Reason? {
        EntryMark.all.first { mark in
            mark.attributes.contains { name in self[name]?.contains(where: mark.holds) == true }
        }?.reason
    }

    /// Whether the entry has an attribute that tells disabled accounts.
    var tellsWhetherDisabled: Bool { EntryMark.telling.contains { self[$0] != nil } }

    /// The name of the person: `displayName`, `cn`, or first and last name, the first that does not look like an
    /// account; `nil` without one.
    var name: String? {
        let parts = ["givenname", "sn"].compactMap { text($0) }
        let whole =
            parts.allSatisfy(EastAsianName.isPart)
            ? parts.reversed().joined() : parts.joined(separator: " ")
        return [text("displayname"), text("cn"), whole].lazy.compactMap(\.self).first(where: isName)
    }

    private func isName(_ text: String) -> Bool {
        PersonName.isLikely(text)
            && !["uid", "samaccountname", "employeenumber", "employeeid"].contains {
                self.text($0)?.lowercased() == text.lowercased()
            }
    }

    /// The text that identifies the person unless the settings name a key.
    var identity: String {
        ["entryuuid", "objectguid", "uid", "samaccountname", "dn"].lazy.compactMap { text($0) }.first ?? ""
    }

    // MARK: - The record

    /// The columns with a meaning, and the attributes that fill them: the first that the entry has.
    static let columns: [(heading: String, attributes: [String])] = [
        ("Name", ["displayname", "cn"]), ("First name", ["givenname"]), ("Last name", ["sn"]), ("Title", ["title"]),
        ("Department", ["department", "ou", "departmentnumber"]), ("Organization", ["company", "o"]),
        ("Location", ["l", "physicaldeliveryofficename"]), ("Country", ["co", "c"]),
        ("Website", ["labeleduri", "wwwhomepage"]), (managerHeading, ["manager"]),
    ]
    /// These describe the entry and not the person.
    private static let technical = EntryMark.technical.union([
        "dn", "objectclass", "objectguid", "entryuuid", "changetype", "version",
    ])
    private static let managerHeading = "Manager"
    private static let used = Set(columns.flatMap(\.attributes))
    /// Attributes under their usual spelling.
    private static let spelled = [
        "samaccountname": "sAMAccountName", "telephonenumber": "telephoneNumber", "employeenumber": "employeeNumber",
        "facsimiletelephonenumber": "facsimileTelephoneNumber", "postaladdress": "postalAddress",
        "postalcode": "postalCode", "homephone": "homePhone", "employeetype": "employeeType",
    ]

    /// Appends the record as JSON.
    ///
    /// - Parameters:
    ///   - photo: The name under which the photo is kept.
    ///   - managers: The names of people by the names of their entries. Of others, a common name is taken if it looks
    ///     like one: their accounts, numbers and addresses are nobody's business here.
    func append(to buffer: ByteBuffer, photo: String?, _ managers: EntryNames) {
        var separator: StaticString = "{"
        func add(_ name: String, _ values: [String]) {
            buffer.append(separator)
            separator = ","
            buffer.append(jsonString: name)
            buffer.append(":")
            guard values.count > 1 else { return buffer.append(jsonString: values[0]) }
            for (index, value) in values.enumerated() {
                buffer.append(index == 0 ? "[" : ",")
                buffer.append(jsonString: value)
            }
            buffer.append("]")
        }
        for (heading, names) in Self.columns {
            guard let values = names.lazy.compactMap({ self[$0] }).first else { continue }
            switch heading {
            case "Name": add(heading, [name ?? values[0]])
            case "Website": add(heading, [String(values[0].prefix { $0 != " " })])
            case Self.managerHeading: if let name = managers.name(of: values[0]) { add(heading, [name]) }
            case "Department", "Organization": add(heading, values)
            default: add(heading, [values[0]])
            }
        }
        if let photo { add(Self.photoHeading, [photo]) }
        let taken = Self.used.union(Self.technical)
        var others: Set<String> = taken
        for (name, values) in attributes + translated + foreign where others.insert(name).inserted {
            add(Self.spelled[name] ?? name, values)
        }
        if separator.utf8CodeUnitCount == 1, buffer.isEmpty { buffer.append("{") }
        buffer.append("}")
    }

    /// Whether a column holds what LDIF says about people, and not one of the many attributes that a server adds.
    static func isKnown(_ heading: String) -> Bool {
        heading == photoHeading || columns.contains { $0.heading == heading }
    }

    private static let photoHeading = "Photo"

    /// Returns the common name that a distinguished name begins with, if it looks like a name: `Ann Lee` of
    /// `CN=Ann Lee,OU=People` (RFC 4514).
    static func commonName(of name: String) -> String? {
        guard name.prefix(while: { $0 != "=" }).lowercased().trimmed == "cn" else { return nil }
        var value = ""
        var isEscaped = false
        for character in name.drop(while: { $0 != "=" }).dropFirst() {
            if isEscaped {
                value.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "," || character == "+" {
                break
            } else {
                value.append(character)
            }
        }
        return PersonName.isLikely(value) ? value.trimmed : nil
    }
}
