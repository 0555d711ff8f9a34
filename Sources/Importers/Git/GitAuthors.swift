import Base
import People

/// Counts commits by author and co-author.
struct GitAuthors {
    /// A name and address in git's history.
    struct Author {
        var commits = 0
        var names: [String: (commits: Int, latest: Int64)] = [:]
        var first = Int64.max
        var latest = Int64.min
        var account: GitAccount?
    }

    /// A commit whose co-authors still have to go through the mailmap.
    private struct SharedCommit {
        var author: String
        var time: Int64
        /// Indexes in ``contacts``.
        var contacts: [Int]
    }

    private let domains: [String]
    private var authors: [String: Author] = [:]
    private var commits: [SharedCommit] = []
    private var indexes: [String: Int] = [:]
    /// The co-authors as trailers name them: `Jane Doe <jane@example.com>`, each once.
    private(set) var contacts: [String] = []
    /// The number of trailers that name no address.
    private(set) var unreadable = 0

    /// - Parameter domains: the domains of no-reply addresses that name accounts.
    init(domains: [String] = GitAccount.domains) { self.domains = domains }

    /// Adds a commit from a line of name, address, time and co-authors, separated by NUL. The co-authors are separated
    /// by 0x01.
    mutating func add(line: UnsafeRawBufferPointer) {
        let parts = line.split(separator: 0, omittingEmptySubsequences: false)
        guard parts.count >= 3, let time = Int64(trimming: UnsafeRawBufferPointer(rebasing: parts[2])) else { return }
        let name = String(decoding: parts[0], as: UTF8.self)
        let author = add(name: name, address: String(decoding: parts[1], as: UTF8.self), time: time)
        guard parts.count > 3, !parts[3].isEmpty else { return }
        let contacts = parts[3].split(separator: 1).compactMap { index(ofContact: String(decoding: $0, as: UTF8.self)) }
        if !contacts.isEmpty { commits.append(SharedCommit(author: author, time: time, contacts: contacts)) }
    }

    /// Counts the commit once for each of its co-authors.
    ///
    /// - Parameter mapped: ``contacts`` after the mailmap was applied, in the same order.
    mutating func addCoAuthors(_ mapped: [String]) {
        for commit in commits {
            var seen: Set = [commit.author]
            for index in commit.contacts where index < mapped.count {
                guard let contact = Self.contact(mapped[index]) else { continue }
                guard seen.insert(Self.key(contact.name, contact.address)).inserted else { continue }
                _ = add(name: contact.name, address: contact.address, time: commit.time)
            }
        }
        commits = []
    }

    private mutating func index(ofContact text: String) -> Int? {
        let text = text.trimmed
        guard let contact = Self.contact(text) else {
            unreadable += 1
            return nil
        }
        let line = "\(contact.name) <\(contact.address)>".trimmed
        if let index = indexes[line] { return index }
        contacts.append(line)
        indexes[line] = contacts.count - 1
        return contacts.count - 1
    }

    /// Reads `Jane Doe <jane@example.com>`.
    private static func contact(_ text: String) -> (name: String, address: String)? {
        guard text.last == ">", let open = text.lastIndex(of: "<") else { return nil }
        let name = String(text[..<open]).trimmed
        let address = String(text[text.index(after: open)...].dropLast()).trimmed
        // git-check-mailmap(1) exits at contacts in another form.
        guard !address.isEmpty, !address.contains(where: \.isWhitespace),
            !name.contains(where: { $0 == "<" || $0 == ">" || $0.isNewline })
        else { return nil }
        return (name, address)
    }

    private mutating func add(name: String, address: String, time: Int64) -> String {
        let key = Self.key(name, address)
        if authors[key] == nil { authors[key] = Author(account: GitAccount(address, in: domains)) }
        authors[key]?.add(name: name, time: time)
        return key
    }

    /// Compares addresses without case, as mail servers do. Without an address, the name identifies the author.
    private static func key(_ name: String, _ address: String) -> String {
        address.isEmpty ? name : address.lowercased()
    }
}

// MARK: - Users

extension GitAuthors {
    /// The number of authors that were joined by name, with an example.
    struct Joined {
        /// The number of people with several addresses.
        var people = 0
        /// The name of the one with the most commits, and the number of addresses.
        var example: (name: String, addresses: Int)?
        /// By the id of a person: the ids of the further addresses.
        var otherIDs: [Int64: [Int64]] = [:]
    }

    /// Returns the users in the order of their first commits, so that the numbers in shared names stay stable.
    ///
    /// - Parameter joining: whether authors with one name of two words or more are one user, unless they have different
    ///   accounts.
    func users(salt: String, joining: Bool = true) -> (users: [User], joined: Joined) {
        let all = authors.map { address, author in (id: StableID.make(address, salt: salt), author: author) }
            .sorted { ($0.author.first, $0.id) < ($1.author.first, $1.id) }
        var joined = Joined()
        let people = joining ? Self.join(all, &joined) : all
        var handles = Handles(given: people.compactMap(\.author.account?.login))
        let users = people.map { id, author in
            let name = author.name.map(Self.withoutAddresses).flatMap { $0.isEmpty ? nil : $0 }
            let isBot = name?.hasSuffix("[bot]") == true
            let login = handles.take(author.account?.login, name: name)
            var user = User(
                id: id, login: login, name: name,
                avatarURL: author.account?.picture, htmlURL: author.account?.url, type: isBot ? "Bot" : "User",
                reputation: Int64(author.commits), more: Self.record(of: author))
            user.generated = login == author.account?.login ? .id : [.id, .login]
            return user
        }
        return (users, joined)
    }

    /// Joins authors with the same name, and keeps the first one's id.
    private static func join(_ authors: [(id: Int64, author: Author)], _ joined: inout Joined) -> [(
        id: Int64, author: Author
    )] {
        var people: [(id: Int64, author: Author)] = []
        var places: [String: Int] = [:]
        var addresses: [Int: Int] = [:]
        for (id, author) in authors {
            let name = author.joiningName
            guard let name, let place = places[name],
                people[place].author.account == nil || author.account == nil
                    || people[place].author.account?.url.lowercased() == author.account?.url.lowercased()
            else {
                if let name, places[name] == nil { places[name] = people.count }
                people.append((id, author))
                continue
            }
            people[place].author.join(author)
            joined.otherIDs[people[place].id, default: []].append(id)
            addresses[place, default: 1] += 1
        }
        joined.people = addresses.count
        let example = addresses.max { people[$0.key].author.commits < people[$1.key].author.commits }
        joined.example = example.map { (withoutAddresses(people[$0.key].author.name ?? ""), $0.value) }
        return people
    }

    private static func record(of author: Author) -> String {
        let account = author.account.map { "\"account\":\"\($0.host)/\($0.login), via commit\"," } ?? ""
        return "{\(account)\"first_commit_at\":\"\(date(author.first))\",\"last_commit_at\":\"\(date(author.latest))\"}"
    }

    /// Returns `name` without e-mail addresses; if nothing else is in it, the part before the `@`.
    static func withoutAddresses(_ name: String) -> String {
        let name = NormalizedText.cleaned(name)
        guard name.contains("@") else { return String(name.prefix(1000)) }
        let words = name.split { $0.isWhitespace || "<>(),;:\"".contains($0) }
        let others = words.filter { !$0.contains("@") }
        if !others.isEmpty { return others.joined(separator: " ") }
        return words.first.map { String($0.drop { $0 == "@" }.prefix { $0 != "@" }) } ?? ""
    }

    /// Returns the time in ISO 8601, in UTC, as GitHub writes it.
    static func date(_ seconds: Int64) -> String {
        let clamped = min(max(seconds, -62_135_596_800), 253_402_300_799)  // Years 1 to 9999.
        let buffer = ByteBuffer(capacity: 32)
        CivilTime(secondsSince1970: Int(clamped)).appendISO8601(to: buffer)
        return String(buffer)
    }
}

/// The handles of a repository's users. Each is given once.
private struct Handles {
    /// All handles so far, each with its last number, so that thousands may share a name.
    private var numbers: [String: Int] = [:]
    private var given: Set<String> = []

    /// Reserves the logins that accounts have.
    init(given logins: [String]) {
        for login in logins { numbers[login.lowercased()] = 1 }
    }

    /// Returns `login` the first time it occurs; otherwise a handle made from the name: `jane-doe`, then `jane-doe-2`
    /// for the next author of that name.
    mutating func take(_ login: String?, name: String?) -> String {
        if let login, given.insert(login.lowercased()).inserted { return login }
        let slug = Handle.slug(name ?? "")
        let base = slug.isEmpty ? "author" : slug
        var number = numbers[base] ?? 0
        var handle = base
        repeat {
            number += 1
            if number > 1 { handle = "\(base)-\(number)" }
        } while numbers[handle] != nil
        numbers[base] = number
        numbers[handle] = numbers[handle] ?? 1
        return handle
    }
}

extension GitAuthors.Author {
    mutating func add(name: String, time: Int64) {
        commits += 1
        let known = names[name] ?? (commits: 0, latest: .min)
        names[name] = (known.commits + 1, max(known.latest, time))
        first = min(first, time)
        latest = max(latest, time)
    }

    /// Adds the commits of the same person under another address.
    fileprivate mutating func join(_ other: GitAuthors.Author) {
        commits += other.commits
        names.merge(other.names) { ($0.commits + $1.commits, max($0.latest, $1.latest)) }
        first = min(first, other.first)
        latest = max(latest, other.latest)
        account = account ?? other.account
    }

    /// The name in most commits; among equals, the latest.
    var name: String? {
        names.filter { !$0.key.isEmpty }
            .max { ($0.value.commits, $0.value.latest, $0.key) < ($1.value.commits, $1.value.latest, $1.key) }?.key
    }

    /// The name by which authors are joined: two words or more, because many people share a first name, and not the
    /// name of a bot.
    fileprivate var joiningName: String? {
        guard let name, !name.contains("@"), !name.hasSuffix("[bot]") else { return nil }
        let words = name.folded.split(whereSeparator: \.isWhitespace)
        return words.count > 1 ? words.joined(separator: " ") : nil
    }
}

/// Generates ids for authors of a repository: 53 bits of a hash, so that they are exact in JavaScript as well.
///
/// Two of a million users share an id with a probability of 1 in 18,000.
enum StableID {
    /// Returns an id made from `text` and `salt`, the same on every machine.
    static func make(_ text: String, salt: String) -> Int64 {
        let key = Array(salt.utf8).withUnsafeBytes { SipHash.hash($0, key: (0, 0)) }
        return Array(text.utf8).withUnsafeBytes { max(1, Int64(SipHash.hash($0, key: (key, ~key)) >> 11)) }
    }
}
