import Base
import People
import Template

/// A fact about a user that shows in lists: the status of a character, or the number of badges at Stack Exchange.
struct Badge: Equatable {
    var colour: String?
    var text: String
    /// The noun for the number in `text`.
    var label: String?

    /// Status and species of a character of the Rick and Morty API.
    static func ofCharacter(in more: Bytes) -> [Badge] {
        let members = JSON.Members(of: more)
        let (status, species) = (members["status"]?.string?.text, members["species"]?.string?.text)
        let colours = ["Alive": "#2a9d4a", "Dead": "#d13c3c"]
        let all = [
            status.map { Badge(colour: colours[$0] ?? "#8a8899", text: $0) }, species.map { Badge(text: $0) },
        ]
        return all.compactMap { $0 }.filter { !$0.text.isEmpty }
    }

    /// The badges of a Stack Exchange user: gold, silver, bronze. Those that the user has none of are left out.
    static func ofStackExchange(in more: Bytes, _ language: Language) -> [Badge] {
        guard let badges = JSON.Members(of: more)["badge_counts"], badges.kind == .object else { return [] }
        let counts = JSON.Members(of: badges.raw)
        let kinds: [(name: StaticString, colour: String, label: MessageKey)] = [
            ("gold", "#d4a017", .goldBadges), ("silver", "#9a9fa8", .silverBadges),
            ("bronze", "#b5713a", .bronzeBadges),
        ]
        return kinds.compactMap { name, colour, label in
            guard let count = counts[name]?.int64, count > 0 else { return nil }
            return Badge(
                colour: colour, text: language.text(Int(count)),
                label: language.text(label, ["count": .number(Int(count))]))
        }
    }
}

extension Layout {
    /// Sets the badges of a user, if the directory's source has some. Returns whether there are any.
    /// - Parameter isFirst: whether nothing comes before them in their line.
    func setBadges<F: TemplateField>(
        _ frame: Frame<F>, _ field: F, _ user: Profile, of directory: Directory, isFirst: Bool = true
    ) -> Bool {
        let badges: [Badge]
        // A publisher's own columns may have the names of a service's.
        switch directory.settings.columns.isEmpty ? directory.filters.first?.filter.key : nil {
        case "user_type": badges = Badge.ofStackExchange(in: user.more, language)
        case "status", "species": badges = Badge.ofCharacter(in: user.more)
        default: return false
        }
        model.setList(frame, field, of: BadgeField.self, badges.indices) { row, index in
            model.set(row, .isFirst, flag: isFirst && index == 0)
            model.set(row, .colour, ifAny: badges[index].colour)
            model.set(row, .text, badges[index].text)
            model.set(row, .label, ifAny: badges[index].label)
        }
        return !badges.isEmpty
    }
}
