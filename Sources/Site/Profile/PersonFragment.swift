import Base
import People

/// One person for a page of another site: fills the fields of `person.mustache`.
extension UserPage {
    func renderFragment(into body: ByteBuffer) {
        let directory = found.directory
        setPerson(layout.pictures(of: directory, base: base))
        model.set(frame, .drawsInitials, flag: request.embedding != nil)
        // The line below the name as rows have it, with the login and badges.
        let lines = FieldLines()
        lines.append(row: directory.settings.rows, of: person, layout.language)
        setContact(below: lines)
        let hasBadges = layout.setBadges(frame, .marks, person, of: directory, isFirst: lines.isEmpty)
        model.set(frame, .hasRowFacts, flag: hasBadges || !lines.isEmpty)
        model.write(frame, .href) {
            Links(base: base, request: found.list).append(person: person.login, id: request.id, to: $0)
        }
        template.render(frame, within: document, of: model, into: body)
    }
}
