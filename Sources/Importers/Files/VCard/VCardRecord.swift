import Base
import People

/// Collects a card as a JSON object whose members are named after the card's properties, so that they get the same
/// roles as table columns with these names.
struct VCardRecord {
    /// In the order of the card, without those that have a preferred alternative.
    private var properties: [VCardProperty] = []
    private var members = NamedValues()
    /// The language of the directory, for properties in several languages: `de`.
    private let language: String

    init(language: String) { self.language = language.primaryLanguage }

    mutating func removeAll() { self = VCardRecord(language: language) }

    /// Adds a property. One property counts of several with the same `ALTID`, which are translations of one another
    /// (RFC 6350 §5.4), and one `FN` of several: the preferred, or else that in the directory's language, or else the
    /// first.
    mutating func append(_ property: VCardProperty) {
        // More than any real card has.
        if properties.count == RecordLimits.columns { return }
        let place = properties.firstIndex { other in
            let isSame = other.name == property.name && other.parameter("ALTID") == property.parameter("ALTID")
            return isSame && property.parameter("ALTID") != nil || other.name == "FN" && property.name == "FN"
        }
        guard let place else { return properties.append(property) }
        if rank(property) < rank(properties[place]) { properties[place] = property }
    }

    private func rank(_ property: VCardProperty) -> (Int, Int) {
        let tag = property.parameter("LANGUAGE")?.lowercased().prefix { $0 != "-" }
        return (property.preference, tag.map(String.init) == language ? 0 : 1)
    }

    private func first(_ name: String) -> VCardProperty? { properties.first { $0.name == name } }
    private func text(_ name: String) -> String { first(name)?.text ?? "" }

    /// The text that identifies the card (RFC 6350 §6.7.6); empty if it has none. It is neither stored nor shown.
    var uid: String { text("UID") }

    /// The photo inside the card, if it is not an address.
    var photo: [UInt8]? { first("PHOTO").flatMap { $0.isData ? $0.data : nil } }

    /// Family name, given name, further names, titles before and after the name (RFC 6350 §6.2.2).
    private var nameParts: [String] { (first("N")?.components ?? []) + ["", "", "", "", ""] }

    /// The name to show: `FN`, or else the parts of `N`, the only name that vCard 2.1 asks for.
    private var name: String {
        let (formatted, parts) = (text("FN"), nameParts)
        if !formatted.isEmpty { return formatted }
        if EastAsianName.isPart(parts[0] + parts[1]) { return parts[0] + parts[1] }
        return [parts[3], parts[1], parts[2], parts[0], parts[4]].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The kind of thing that a card describes.
    enum Kind { case person, group, nameless, confidential }

    /// A card of a company has its name, and no name of a person; in Apple's address book it says so.
    var kind: Kind {
        // RFC 2426 §3.7.1.
        if ["PRIVATE", "CONFIDENTIAL"].contains(text("CLASS").uppercased()) { return .confidential }
        let kinds = ["KIND", "X-ADDRESSBOOKSERVER-KIND"].map { text($0).lowercased() }.filter { !$0.isEmpty }
        if kinds.contains(where: { $0 != "individual" }) || text("X-ABSHOWAS").uppercased() == "COMPANY" {
            return .group
        }
        let organization = first("ORG")?.components.first ?? ""
        let isPersonal = nameParts.contains { !$0.isEmpty }
        if !isPersonal, !organization.isEmpty, name.isEmpty || name == organization { return .group }
        return name.isEmpty ? .nameless : .person
    }

    // MARK: - Members

    /// Appends the record as JSON.
    ///
    /// - Parameter photo: The name under which the photo is kept.
    mutating func append(to buffer: ByteBuffer, photo: String?) {
        members.add("FN", [name])
        for property in properties { add(property) }
        members.add("PHOTO", [photo ?? ""])
        members.append(to: buffer)
    }

    private mutating func add(_ property: VCardProperty) {
        switch property.name {
        case "TITLE", "ROLE", "NOTE", "BDAY", "GENDER", "EMAIL": members.add(property.name, [property.text])
        case "N":
            members.add("Family name", [nameParts[0]])
            members.add("Given name", [nameParts[1]])
        case "ORG":
            let parts = property.components
            members.add("ORG", [parts[0]])
            members.add("Department", [parts[1...].filter { !$0.isEmpty }.joined(separator: ", ")])
        case "CATEGORIES": members.add("CATEGORIES", property.values, isList: true)
        // A nickname is not a login: several people may have the same one.
        case "NICKNAME": members.add("Nicknames", property.values, isList: true)
        case "LANG": members.add("Languages", [property.text], isList: true)
        case "URL": addLink(property)
        case "TEL": members.add("TEL", [String(property.text.trimmingPrefix("tel:"))])
        case "ADR": members.add("ADR", [property.components.filter { !$0.isEmpty }.joined(separator: ", ")])
        case "PHOTO" where !property.isData: members.add("PHOTO", [property.text])
        default: break
        }
        addReading(property)
    }

    /// The website is the first address that no label of Apple's calls something else than the home page; others are
    /// links.
    private mutating func addLink(_ property: VCardProperty) {
        // Links that write to an address or call a number are private, as EMAIL and TEL are.
        switch property.text.prefix(while: { $0 != ":" }).lowercased() {
        case "mailto": return members.add("EMAIL", [String(property.text.dropFirst(7))])
        case "tel": return members.add("TEL", [String(property.text.dropFirst(4))])
        default: break
        }
        let label = properties.first { $0.name == "X-ABLABEL" && $0.group != nil && $0.group == property.group }?.text
        let isHomePage = label == nil || label?.lowercased().contains("homepage") == true
        if isHomePage, members["URL"] == nil { return members.add("URL", [property.text]) }
        members.add("Links", [property.text], isList: true)
    }

    /// The reading of the name: of `SORT-AS` (RFC 6350 §5.9), `SORT-STRING` (RFC 2426 §3.6.5), Apple's phonetic names,
    /// or the sound of Japanese phones.
    private mutating func addReading(_ property: VCardProperty) {
        let reading =
            switch property.name {
            case "N", "FN": property.parameter("SORT-AS")?.replacing(",", with: " ") ?? ""
            case "SORT-STRING": property.text
            case "X-PHONETIC-LAST-NAME", "X-PHONETIC-FIRST-NAME":
                [text("X-PHONETIC-LAST-NAME"), text("X-PHONETIC-FIRST-NAME")].filter { !$0.isEmpty }
                    .joined(separator: " ")
            case "SOUND" where property.hasType("X-IRMC-N"):
                property.components.filter { !$0.isEmpty }.joined(separator: " ")
            default: ""
            }
        if members["SORT-AS"] == nil { members.add("SORT-AS", [reading]) }
    }
}
