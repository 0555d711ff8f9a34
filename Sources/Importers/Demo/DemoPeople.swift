import Base
import People
import Publishing

/// Made-up users for a first look, people of a made-up company: many languages and scripts, the same every time,
/// without a network.
public struct DemoPeople: ImportSource {
    /// The fields that they have. The interface has the reader's language, and the labels are translated.
    public static let settings = DemoMaterial.settings

    private static let material = DemoMaterial.shared
    /// The names of each language, as often as names can be drawn from them.
    private static let weightedNames = material.names.flatMap { names in
        Array(repeating: names, count: max(1, names.given.count * names.family.count / 16))
    }

    private let count: Int

    public init(count: Int) { self.count = count }

    public func read(into sink: ImportSink) throws {
        for user in Self.users(count: count) { try sink.add(user) }
    }

    /// Returns `count` users, ascending by id with gaps, generated lazily.
    ///
    /// User `n` depends on `n` alone, so that a larger demo begins with the smaller one.
    public static func users(count: Int) -> some Sequence<User> & Sendable {
        (0..<count).lazy.map { index in user(index) }
    }

    static func user(_ index: Int) -> User {
        // Ids are spread over seven per user, so that they have gaps as real ones do.
        var random = SplitMix64(state: UInt64(index) &* 0xD1B5_4A32_D192_ED03)
        let id = Int64(index) * 7 + 1 + Int64(random.below(7))
        let first = material.firstPeople
        if index < first.count { return user(first[index], index, id: id) }
        if let name = material.distinctNames[checked: index - first.count] {
            return person(index, id: id, name: name, login: name.handle, &random)
        }
        switch random.below(100) {
        case 0..<4: return organization(index, id: id, &random)
        case 4: return bot(index, id: id, &random)
        default: return person(index, id: id, &random)
        }
    }

    private static func user(_ person: DemoMaterial.Person, _ index: Int, id: Int64) -> User {
        let work = DemoCompany.Work(title: person.title, team: person.team, place: person.place)
        let isHuman = person.type == nil
        let website = "https://example.org/\(isHuman ? "people" : "groups")/\(person.login)"
        return User(
            id: id, login: person.login, name: person.name, avatarURL: person.face.map(DrawnPicture.path(ofFace:)),
            more: person.type.map {
                DemoCompany.record(of: work, type: $0, reputation: person.commits, website: website)
            } ?? DemoCompany.record(of: index, work: work, reputation: person.commits, website: website),
            generated: [.login, .id])
    }

    private static func person(_ index: Int, id: Int64, _ random: inout SplitMix64) -> User {
        let names = random.pick(weightedNames)
        let given = random.below(names.given.count)
        let second = random.below(names.given.count)
        var givenNames = names.given[given]
        // With a second given name, few people have the same name as others.
        if names.hasSecondNames, second != given, random.below(2) == 0 { givenNames += " " + names.given[second] }
        let name = names.name(given: givenNames, family: random.pick(names.family))
        let login = "\(names.handles[given])\(random.pick(["", "-", "_"]))\(random.pick(material.words))\(index)"
        let hometown = random.below(2) == 0 ? nil : random.pick(names.places)
        return person(index, id: id, name: name, login: login, hometown: hometown, &random)
    }

    private static func person(
        _ index: Int, id: Int64, name: String, login: String, hometown: String? = nil, _ random: inout SplitMix64
    ) -> User {
        let website = random.below(3) == 0 ? nil : "https://example.org/people/\(login)"
        return User(
            id: id, login: login, name: name, avatarURL: face(index),
            more: DemoCompany.record(
                of: index, hometown: hometown, reputation: reputation(&random), website: website),
            generated: [.login, .id])
    }

    /// Returns the picture of person `index`. Each has a face of their own, and one in nine has none.
    private static func face(_ index: Int) -> String? {
        if index % 9 == 4 { return nil }
        return DrawnPicture.path(ofFace: index % DrawnPicture.faces.count + 1)
    }

    private static func organization(_ index: Int, id: Int64, _ random: inout SplitMix64) -> User {
        let word = random.pick(material.words)
        let kind = random.pick(material.groups)
        let reputation = reputation(&random)
        return User(
            id: id, login: "\(word)-\(kind.lowercased())-\(index)", name: "\(word.capitalizedFirst) \(kind)",
            more: DemoCompany.record(
                of: DemoCompany.work(title: "Partner", &random), type: "Organization", reputation: reputation,
                website: "https://example.org/groups/\(word)-\(index)"),
            generated: [.login, .id])
    }

    private static func bot(_ index: Int, id: Int64, _ random: inout SplitMix64) -> User {
        let word = random.pick(material.words)
        let reputation = reputation(&random).map { $0 * 3 }
        return User(
            id: id, login: "\(word)-\(index)[bot]", name: "\(word.capitalizedFirst) Bot",
            more: DemoCompany.record(
                of: DemoCompany.work(title: "Automation", &random), type: "Bot", reputation: reputation),
            generated: [.login, .id])
    }

    /// Returns a reputation with a long tail: most users have a few dozen points, some have thousands, one in eight has
    /// none.
    private static func reputation(_ random: inout SplitMix64) -> Int64? {
        if random.below(8) == 0 { return nil }
        var reputation = Int64(1 + random.below(60))
        while random.below(3) > 0, reputation < 4_000 { reputation = reputation * 2 + Int64(random.below(5)) }
        return reputation
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    /// The name in small letters without marks, its words joined by hyphens.
    fileprivate var handle: String { folded.replacing(" ", with: "-") }
}

extension Array {
    /// The element at `index`, or `nil` beyond the end.
    fileprivate subscript(checked index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
