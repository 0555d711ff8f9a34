import Base
import People

/// One person for a page of another site: fills the fields of `person.mustache`.
extension UserPage {
    func renderFragment(into body: ByteBuffer) {
        let page = found.page
        page.users.text.withBytes { text in
            let user = UserView(page.users.rows[0], text)
            let profile = ProfileFields(user, page.directory.settings, layout.language)
            setUser(user, layout.pictures(of: page.directory, base: base))
            model.set(frame, .drawsInitials, flag: request.embedding != nil)
            let filters = ProfileFilters(of: user, in: page.directory)
            setChips(filters)
            setLine(user, filters, profile)
            model.write(frame, .href) {
                Links(base: base, request: found.list).append(person: user.login, id: request.id, to: $0)
            }
        }
        template.render(frame, within: document, of: model, into: body)
    }

    /// Sets the line below the name as rows have it, with the login and badges, and the ways to reach the person.
    private func setLine(_ user: UserView, _ filters: ProfileFilters, _ profile: ProfileFields) {
        let lines = rowFacts(user, without: filters)
        setContact(user, profile, without: Set(lines.all.map(\.key)))
        if user.showsLogin, !lines.all.contains(where: { $0.key == "login" }) { lines.insertLogin(of: user) }
        let hasBadges = layout.setBadges(frame, .marks, user, of: found.page.directory, isFirst: lines.isEmpty)
        layout.setFacts(frame, .rowFacts, lines)
        model.set(frame, .hasRowFacts, flag: hasBadges || !lines.isEmpty)
    }
}
