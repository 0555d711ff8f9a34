import Base
import People
import Publishing

extension PublisherStore {
    /// Returns the only one who is called `name`, for a command that found nobody by that word. If several are, says
    /// who they are; if nobody is, says `reason`.
    func namesake(_ name: String, in slug: Slug?, for command: String, orSay reason: String) throws -> Namesake? {
        let people = try namesakes(name, in: slug)
        switch people.count {
        case 0: StandardStreams.remark("\(name): \(reason)")
        case 1: return people[0]
        default: StandardStreams.write(Rollcall._errorPrefix + question(command, name, people))
        }
        return nil
    }

    func namesakes(_ name: String, in slug: Slug?) throws -> [Namesake] {
        guard let search = Search(name) else { return [] }
        let reader = try makeReader()
        let shown = try directories.filter { slug == nil || $0.slug == slug }.flatMap { directory in
            let page = try reader.page(UserQuery(directory: directory.id, search: search, limit: 100))
            let users = (page?.users.users ?? []).filter { $0.name?.folded == name.folded }
            return users.map { ($0.login, directory.slug) }
        }
        return try shown + hiddenPeople(named: name, in: slug)
    }
}

typealias Namesake = (handle: String, directory: Slug)

/// Returns the message about a name that several have: the commands that say which one is meant, each with the address
/// of the person's page.
private func question(_ command: String, _ name: String, _ people: [Namesake]) -> String {
    let commands = people.prefix(9).map { person in
        "\n  rollcall \(command) \(person.handle.shellWord) --directory \(person.directory)  # "
            + person.directory.address(of: person.handle)
    }
    let more = people.count > 9 ? "\n  and \(grouped(people.count - 9)) others" : ""
    return "\(name.printable): several have that name; say which:\(commands.joined())\(more)\n"
}
