/// The names of people by the distinguished names of their entries. Managers may stand behind the people they manage,
/// so these are read before any of them.
final class EntryNames {
    /// A million names: 100 MiB.
    private static let limit = 1_000_000
    /// `nil` for those who are left out, or have no name.
    private var names: [String: String?] = [:]

    func note(_ entry: LDIFEntry) {
        guard names.count < Self.limit, let key = entry.text("dn").map(Self.normalized) else { return }
        let isShown = entry.isPerson && entry.reasonToLeaveOut == nil
        names[key] = .some(isShown ? entry.name : nil)
    }

    /// Returns the name of the person whose entry is called `dn`; `nil` if the person is not shown, or if nothing but
    /// an account is known of somebody who is not in the file.
    func name(of dn: String) -> String? {
        if !names.isEmpty, let known = names[Self.normalized(dn)] { return known }
        return LDIFEntry.commonName(of: dn)
    }

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
