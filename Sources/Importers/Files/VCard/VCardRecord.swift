import Base
import JSON
import People

/// Collects a card as a JSON object whose members are named after the card's properties, so that they get the same
/// roles as table columns with these names.
struct VCardRecord {
    /// The members, in the order of the card. Several values of one member form a list.
    private var members: [(name: String, values: [String])] = []
    /// The kind of a card that does not describe a person: `group`, `org`, `location`.
    private(set) var otherKind: String?
    /// The text that identifies the card (RFC 6350 §6.7.6); empty if it has none. It is neither stored nor shown.
    private(set) var uid = ""
    /// The result of checking a photo inside the card.
    private(set) var inlinePhoto: PhotoMatch?

    mutating func removeAll() { self = VCardRecord() }

    mutating func append(_ property: VCardProperty) {
        switch property.name {
        case "FN", "TITLE", "ROLE", "NOTE", "BDAY", "GENDER": add(property.name, [property.text])
        case "N": appendName(property)
        case "SORT-STRING": add("SORT-AS", [property.text])
        case "ORG": appendOrganization(property)
        case "CATEGORIES": add("CATEGORIES", property.values, isList: true)
        // A nickname is not a login: several people may have the same one.
        case "NICKNAME": add("Nicknames", property.values, isList: true)
        case "LANG": add("Languages", [property.text], isList: true)
        case "URL": add(has("URL") ? "Links" : "URL", [property.text], isList: has("URL"))
        case "TEL": add("TEL", [property.text.hasPrefix("tel:") ? String(property.text.dropFirst(4)) : property.text])
        case "EMAIL": add("EMAIL", [property.text])
        case "ADR": add("ADR", [property.components.filter { !$0.isEmpty }.joined(separator: ", ")])
        case "PHOTO": appendPhoto(property)
        case "UID": uid = property.text
        case "KIND", "X-ADDRESSBOOKSERVER-KIND":
            let kind = property.text.lowercased()
            if kind != "individual", !kind.isEmpty { otherKind = kind }
        default: break
        }
        if let reading = property.parameter("SORT-AS"), ["N", "FN"].contains(property.name), !has("SORT-AS") {
            add("SORT-AS", [reading.replacing(",", with: " ")])
        }
    }

    /// Family name, given name, further names, titles before and after the name (RFC 6350 §6.2.2).
    private mutating func appendName(_ property: VCardProperty) {
        let parts = property.components + ["", ""]
        add("Family name", [parts[0]])
        add("Given name", [parts[1]])
    }

    private mutating func appendOrganization(_ property: VCardProperty) {
        let parts = property.components
        add("ORG", [parts[0]])
        if parts.count > 1 { add("Department", [parts[1...].filter { !$0.isEmpty }.joined(separator: ", ")]) }
    }

    /// A photo is a URL or, as base64, the picture itself. The reader keeps only its beginning.
    private mutating func appendPhoto(_ property: VCardProperty) {
        var data: Substring?
        if property.isEncoded { data = property.value }
        if property.value.lowercased().hasPrefix("data:") {
            data = property.value.firstIndex(of: ",").map { property.value[property.value.index(after: $0)...] } ?? ""
        }
        guard let data else { return add("PHOTO", [property.text]) }
        let type = PictureType(of: Base64.decodedBeginning(of: data.utf8))
        inlinePhoto = type.map { PhotoMatch.matched($0, path: []) } ?? .dropped("it is not a JPEG, PNG or WebP")
    }

    private func has(_ name: String) -> Bool { members.contains { $0.name == name } }

    private mutating func add(_ name: String, _ values: [String], isList: Bool = false) {
        let values = values.filter { !$0.isEmpty }
        if values.isEmpty { return }
        // At most 100 values, more than any real card has.
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].values += values.prefix(max(0, 100 - members[index].values.count))
        } else {
            members.append((name, Array(values.prefix(100))))
        }
        if isList { lists.insert(name) }
    }
    /// The members that are lists even if they have one value.
    private var lists: Set<String> = []

    /// Appends the record as JSON.
    func append(to buffer: ByteBuffer) {
        buffer.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            buffer.append(jsonString: member.name)
            buffer.append(UInt8(ascii: ":"))
            if member.values.count == 1, !lists.contains(member.name) {
                buffer.append(jsonString: member.values[0])
                continue
            }
            buffer.append(UInt8(ascii: "["))
            for (index, value) in member.values.enumerated() {
                if index > 0 { buffer.append(UInt8(ascii: ",")) }
                buffer.append(jsonString: value)
            }
            buffer.append(UInt8(ascii: "]"))
        }
        buffer.append(UInt8(ascii: "}"))
    }
}

/// Base64 (RFC 4648 §4).
private enum Base64 {
    /// Returns the first bytes that `text` encodes, enough to identify the type of a picture; fewer if other text
    /// follows.
    static func decodedBeginning(of text: some Sequence<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in text {
            guard let value = value(of: byte) else {
                if byte == 0x20 || byte == 0x09 { continue }
                break
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count < 8 { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            if bytes.count == PictureType.markBytes { break }
        }
        return bytes
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case 65...90: byte - 65
        case 97...122: byte - 71
        case 48...57: byte + 4
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }
}
