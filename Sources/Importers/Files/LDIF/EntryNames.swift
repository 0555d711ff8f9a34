/// The names of people by the distinguished names of their entries. Managers may stand behind the people they manage,
/// so these are read before any of them.
final class EntryNames {
    /// A million names: 100 MiB.
    private static let limit = 1_000_000
    private var names: [String: String] = [:]

    func note(_ entry: LDIFEntry) {
        guard names.count < Self.limit, let key = entry.text("dn").map(Self.normalized),
            let name = entry.text("displayname") ?? entry.text("cn")
        else { return }
        names[key] = name
    }

    subscript(name: String) -> String? { names.isEmpty ? nil : names[Self.normalized(name)] }

    /// Case and the spaces after separators make no difference (RFC 4514).
    private static func normalized(_ name: String) -> String {
        var text = ""
        var isAfterSeparator = true
        for character in name.lowercased() {
            if character == " ", isAfterSeparator { continue }
            isAfterSeparator = character == "," || character == "=" || character == "+"
            if isAfterSeparator { while text.last == " " { text.removeLast() } }
            text.append(character)
        }
        return text
    }
}
