import Bytes
import Directories

/// Counts commits by author.
struct GitAuthors {
    struct Author {
        var commits = 0
        var names: [String: (commits: Int, latest: Int64)] = [:]
        var first = Int64.max
        var latest = Int64.min
    }

    private var authors: [String: Author] = [:]

    /// Adds a commit from a line of name, address and time, separated by NUL.
    mutating func add(line: UnsafeRawBufferPointer) {
        let parts = line.split(separator: 0, omittingEmptySubsequences: false)
        guard parts.count == 3, let time = Int64(trimming: UnsafeRawBufferPointer(rebasing: parts[2])) else { return }
        let name = String(decoding: parts[0], as: UTF8.self)
        // Compares addresses without case, as mail servers do.
        let address = String(decoding: parts[1], as: UTF8.self).lowercased()
        // Without an address, the name identifies the author.
        authors[address.isEmpty ? name : address, default: Author()].add(name: name, time: time)
    }

    /// Returns the users in the order of their first commits, so that the numbers in shared names stay stable.
    func users(salt: String) -> [User] {
        let people = authors.map { address, author in (id: StableID.make(address, salt: salt), author: author) }
        var handles: [String: Int] = [:]
        return people.sorted { ($0.author.first, $0.id) < ($1.author.first, $1.id) }.map { id, author in
            let name = author.name.map(Self.withoutAddresses).flatMap { $0.isEmpty ? nil : $0 }
            return User(
                id: id, login: Self.handle(name, &handles), name: name,
                type: name?.hasSuffix("[bot]") == true ? "Bot" : "User", reputation: Int64(author.commits),
                more:
                    "{\"first_commit_at\":\"\(Self.date(author.first))\",\"last_commit_at\":\"\(Self.date(author.latest))\"}"
            )
        }
    }

    /// Returns `jane-doe`, then `jane-doe-2` for the next author of that name. `handles` contains all handles so far,
    /// each with its last number, because thousands may share a name.
    private static func handle(_ name: String?, _ handles: inout [String: Int]) -> String {
        let slug = Handle.slug(name ?? "")
        let base = slug.isEmpty ? "author" : slug
        var number = handles[base] ?? 0
        var handle = base
        repeat {
            number += 1
            if number > 1 { handle = "\(base)-\(number)" }
        } while handles[handle] != nil
        handles[base] = number
        handles[handle] = handles[handle] ?? 1
        return handle
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

extension GitAuthors.Author {
    mutating func add(name: String, time: Int64) {
        commits += 1
        let known = names[name] ?? (commits: 0, latest: .min)
        names[name] = (known.commits + 1, max(known.latest, time))
        first = min(first, time)
        latest = max(latest, time)
    }

    /// The name in most commits; among equals, the latest.
    var name: String? {
        names.filter { !$0.key.isEmpty }
            .max { ($0.value.commits, $0.value.latest, $0.key) < ($1.value.commits, $1.value.latest, $1.key) }?.key
    }
}
