import Base
import People

/// One person for a page of another site: fills the fields of `person.mustache`.
extension UserPage {
    func renderFragment(of person: Profile, into body: ByteBuffer) {
        let details = Details(of: person, layout.language)
        set(person, layout.pictures(of: found.directory, base: base))
        model.set(frame, .drawsInitials, flag: request.embedding != nil)
        let filters = ProfileFilters(of: person, in: found.directory)
        setChips(filters)
        setLine(person, filters, details)
        model.write(frame, .href) {
            Links(base: base, request: found.list).append(person: person.login, id: request.id, to: $0)
        }
        template.render(frame, within: document, of: model, into: body)
    }

    /// Sets the line below the name as rows have it, with the login and badges, and the ways to reach the person.
    private func setLine(_ person: Profile, _ filters: ProfileFilters, _ details: Details) {
        let lines = rowFacts(person, without: filters)
        setContact(person, details, without: Set(lines.all.map(\.key)))
        if person.showsLogin, !lines.all.contains(where: { $0.key == "login" }) { lines.insertLogin(of: person) }
        let hasBadges = layout.setBadges(frame, .marks, person, of: found.directory, isFirst: lines.isEmpty)
        layout.setFacts(frame, .rowFacts, lines)
        model.set(frame, .hasRowFacts, flag: hasBadges || !lines.isEmpty)
    }
}
