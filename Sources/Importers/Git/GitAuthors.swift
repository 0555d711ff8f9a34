import Base

/// Counts commits by author and co-author.
struct GitAuthors {
    /// A name and address in git's history.
    struct Author {
        var commits = 0
        /// The number of authors that were joined to this one, which counts, too.
        var authors = 1
        var names: [String: (commits: Int, latest: Int64)] = [:]
        var first: Commit
        var latest: Int64
        var account: GitAccount?
        /// Whether the address is a program's.
        var isBot = false
        /// The lines of commits that this author shares with others.
        var sharedLines: Set<Int> = []
    }

    /// An author's part of a commit, in the order of history: of commits of one second, git lists the earlier one
    /// later, and the author of a commit comes before its co-authors. No two parts are equal.
    struct Commit: Comparable {
        /// In seconds since 1970.
        var time: Int64
        /// The number of the line in which git lists it.
        var line: Int
        /// 0 for the author.
        var coAuthor = 0

        static func < (commit: Commit, other: Commit) -> Bool {
            (commit.time, other.line, commit.coAuthor) < (other.time, commit.line, other.coAuthor)
        }
    }

    private let domains: [String]
    /// By the address in a commit: the author, in a form that no author has if there are several.
    private var owners: [String: String] = [:]
    private var authors: [String: Author] = [:]
    private var lines = 0
    /// The commits whose co-authors, by their indexes in ``contacts``, still have to go through the mailmap.
    private var commits: [(author: String, commit: Commit, contacts: [Int])] = []
    private var indexes: [String: Int] = [:]
    /// The co-authors as trailers name them: `Jane Doe <jane@example.com>`, each once.
    private(set) var contacts: [String] = []
    /// The number of trailers that name no address.
    private(set) var unreadable = 0

    /// - Parameter domains: the domains of no-reply addresses that name accounts.
    init(domains: [String] = GitAccount.domains) { self.domains = domains }

    /// Adds a commit from a line of name, address, time, the address without the mailmap, and co-authors, separated by
    /// NUL. The co-authors are separated by 0x01.
    mutating func add(line: UnsafeRawBufferPointer) {
        let parts = line.split(separator: 0, omittingEmptySubsequences: false)
        guard parts.count >= 4, let time = Int64(trimming: UnsafeRawBufferPointer(rebasing: parts[2])) else { return }
        lines += 1
        let commit = Commit(time: time, line: lines)
        let author = add(name: Self.text(parts[0]), address: Self.text(parts[1]), commit)
        note(Self.text(parts[3]), of: author)
        let trailers = parts.dropFirst(4).flatMap { $0.split(separator: 1) }
        let contacts = trailers.compactMap { index(ofContact: Self.text($0)) }
        if !contacts.isEmpty { commits.append((author, commit, contacts)) }
    }

    /// Returns text of a commit, which names no encoding.
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        TextConverter.text(UnsafeRawBufferPointer(rebasing: bytes))
    }

    /// Counts the commit once for each of its co-authors.
    ///
    /// - Parameter mapped: ``contacts`` after the mailmap was applied, in the same order.
    mutating func addCoAuthors(_ mapped: [String]) {
        for shared in commits {
            var seen: Set = [shared.author]
            for index in shared.contacts where index < mapped.count {
                guard let contact = Self.contact(mapped[index]), let written = Self.contact(contacts[index]),
                    seen.insert(Self.key(contact.name, contact.address)).inserted
                else { continue }
                var commit = shared.commit
                commit.coAuthor = seen.count - 1
                let author = add(name: contact.name, address: contact.address, commit)
                for part in [shared.author, author] { authors[part]?.sharedLines.insert(commit.line) }
                note(written.address, of: author)
            }
        }
        commits = []
    }

    /// Notes an address as a commit has it: a mailmap that comes or changes later must not make somebody else of the
    /// author.
    private mutating func note(_ address: String, of author: String) {
        let address = Self.plainAddresses(address).lowercased()
        if !address.isEmpty { owners[address] = owners[address, default: author] == author ? author : "" }
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
        let address = plainAddresses(String(text[text.index(after: open)...].dropLast()).trimmed)
        // git-check-mailmap(1) exits at contacts in another form.
        guard !address.isEmpty, !address.contains(where: \.isWhitespace),
            !name.contains(where: { $0 == "<" || $0 == ">" || $0.isNewline })
        else { return nil }
        return (name, address)
    }

    private mutating func add(name: String, address: String, _ commit: Commit) -> String {
        let address = Self.plainAddresses(address)
        let (key, domains) = (Self.key(name, address), domains)
        func newAuthor() -> Author {
            Author(
                first: commit, latest: commit.time, account: GitAccount(address, in: domains),
                isBot: GitAccount.isBot(address: address))
        }
        authors[key, default: newAuthor()].add(name: name, commit)
        return key
    }

    /// Compares addresses without case, as mail servers do. Without an address, the name identifies the author.
    private static func key(_ name: String, _ address: String) -> String {
        address.isEmpty ? name : address.lowercased()
    }
}

// MARK: - People

extension GitAuthors {
    /// The number of authors that were joined by account or name, with an example.
    struct Joined {
        /// The number of people with several addresses.
        var people = 0
        /// The name of the one with the most commits, and the number of addresses.
        var example: (name: String, addresses: Int)?
        /// The number of authors whose only name is an address.
        var nameless = 0
    }

    struct Person {
        /// A JSON object.
        var record: String
        /// The e-mail addresses by which later imports know the person, that of the first commit first. Nobody may see
        /// them.
        var addresses: [String]
    }

    /// Returns the people in the order of their first commits. They have no ids, and only logins that their addresses
    /// name: the store gives them the next free numbers, and handles made of their names.
    ///
    /// - Parameter joining: whether authors with one name of two words or more are one person, unless they have
    ///   different accounts.
    func people(joining: Bool = true) -> (people: [Person], joined: Joined) {
        let written = Dictionary(grouping: owners.filter { $0.key != $0.value }.map(\.key).sorted()) {
            owners[$0] ?? ""
        }
        let all = authors.map { ([$0] + written[$0, default: []], $1) }.sorted { $0.1.first < $1.1.first }
        var joined = Joined()
        let people = joining ? Self.join(all, &joined) : all
        var logins: Set<String> = []
        let persons: [Person] = people.compactMap { addresses, author in
            let name = author.name.map(Self.withoutAddresses)
                .flatMap { NormalizedText.hasSomethingToSee($0) ? $0 : nil }
            // Services may have accounts of the same name.
            let login = author.account.map(\.login).flatMap { logins.insert($0.lowercased()).inserted ? $0 : nil }
            if name == nil, login == nil {
                joined.nameless += 1
                return nil
            }
            return Person(record: Self.record(of: author, login: login, name: name), addresses: addresses)
        }
        return (persons, joined)
    }

    /// Joins authors with the same account, and those with the same name.
    private static func join(_ authors: [([String], Author)], _ joined: inout Joined) -> [([String], Author)] {
        var people: [([String], Author)] = []
        var places: [String: Int] = [:]
        for (addresses, author) in authors {
            let keys = author.accountKeys
            let name = author.joiningName
            let ofName = name.flatMap { places[$0] }.flatMap { place in
                people[place].1.account == nil || author.account == nil ? place : nil
            }
            if let place = keys.lazy.compactMap({ places[$0] }).first ?? ofName {
                people[place].0 += addresses
                people[place].1.join(author)
                for key in keys { places[key] = place }
                continue
            }
            for key in keys + [name].compactMap(\.self) { places[key] = places[key] ?? people.count }
            people.append((addresses, author))
        }
        let several = people.filter { $0.1.authors > 1 }
        joined.people = several.count
        let example = several.max { $0.1.commits < $1.1.commits }
        joined.example = example.map { (withoutAddresses($0.1.name ?? ""), $0.1.authors) }
        return people
    }

    /// Returns a record. It has the columns of every user, and those that ``BuiltInSettings/git`` names.
    private static func record(of author: Author, login: String?, name: String?) -> String {
        let record = MadeRecord()
        record.add("login", login)
        record.add("name", name)
        record.add("avatar_url", author.account?.picture)
        record.add("type", author.isBot || name?.hasSuffix("[bot]") == true ? "Bot" : "User")
        record.add("reputation", Int64(author.commits))
        record.add("html_url", author.account?.url)
        record.add("account", author.account.map { "\($0.host)/\($0.login), via commit" })
        record.add("first_commit_at", date(author.first.time))
        record.add("last_commit_at", date(author.latest))
        return record.text
    }

    private static var hiddenDot: Regex<Substring> { /(?i)\s+dot\s+|\s*[\[({]\s*dot\s*[\])}]\s*/ }
    private static var hiddenAddress: Regex<(Substring, Substring, Substring)> {
        #/
            (?i)([\w.+-]+)(?:\s+at\s+|\s*[\[({]\s*at\s*[\])}]\s*)
            ((?:[\w-]+(?:\s+dot\s+|\s*[\[({]\s*dot\s*[\])}]\s*|\.))+[a-z]{2,})
        /#
    }

    /// Returns `text` with addresses as they are used: `jane at example dot com` is `jane@example.com`.
    static func plainAddresses(_ text: String) -> String {
        // Most texts have none, and a pattern takes long; no address has more than 254 characters.
        guard text.utf8.contains(where: { " ([{".utf8.contains($0) }), text.utf8.count <= 320,
            text.lowercased().contains("at")
        else { return text }
        return text.replacing(hiddenAddress) { "\($0.1)@\(String($0.2).replacing(hiddenDot, with: "."))" }
    }

    /// Returns `name` without e-mail addresses, as long as records may have it. No part of an address is a name.
    static func withoutAddresses(_ name: String) -> String {
        var name = plainAddresses(NormalizedText.cleaned(name))
        if name.contains("@") {
            let words = name.split { $0.isWhitespace || "<>(),;:\"".contains($0) }
            // `@ann` is the name of an account.
            name = words.filter { !$0.dropFirst().contains("@") }.map { $0.drop { $0 == "@" } }.joined(separator: " ")
        }
        return String(name.unicodeScalars.prefix(1000))
    }

    /// Returns the time in ISO 8601, in UTC, as GitHub writes it.
    static func date(_ seconds: Int64) -> String {
        let clamped = min(max(seconds, -62_135_596_800), 253_402_300_799)  // Years 1 to 9999.
        return String(writing: { CivilTime(secondsSince1970: Int(clamped)).appendISO8601(to: $0) })
    }
}

extension GitAuthors.Author {
    fileprivate mutating func add(name: String, _ commit: GitAuthors.Commit) {
        commits += 1
        let known = names[name] ?? (commits: 0, latest: .min)
        names[name] = (known.commits + 1, max(known.latest, commit.time))
        first = min(first, commit)
        latest = max(latest, commit.time)
    }

    /// Adds the commits of the same person under another address.
    fileprivate mutating func join(_ other: GitAuthors.Author) {
        // A commit counts once for everybody, also for those who are their own co-authors under another address.
        commits += other.commits - sharedLines.intersection(other.sharedLines).count
        sharedLines.formUnion(other.sharedLines)
        authors += other.authors
        names.merge(other.names) { ($0.commits + $1.commits, max($0.latest, $1.latest)) }
        first = min(first, other.first)
        // A renamed account has its last name.
        account = other.latest > latest ? other.account ?? account : account ?? other.account
        latest = max(latest, other.latest)
    }

    /// The account's address and, as in the address of its picture, its number: a renamed account keeps that. None that
    /// are programs', which are not joined with people.
    fileprivate var accountKeys: [String] {
        guard let account, !isBot else { return [] }
        return [account.url.lowercased(), account.picture].compactMap(\.self)
    }

    /// The name in most commits; among equals, the latest.
    var name: String? {
        names.filter { !$0.key.isEmpty }
            .max { ($0.value.commits, $0.value.latest, $0.key) < ($1.value.commits, $1.value.latest, $1.key) }?.key
    }

    /// The name by which authors are joined: two words or more, because many people share a first name. Programs are
    /// not joined with people.
    fileprivate var joiningName: String? {
        guard let name, !name.hasSuffix("[bot]"), !GitAuthors.plainAddresses(name).contains("@") else { return nil }
        let words = name.folded.split(whereSeparator: \.isWhitespace)
        return words.count > 1 ? (isBot ? "[bot] " : "") + words.joined(separator: " ") : nil
    }
}
