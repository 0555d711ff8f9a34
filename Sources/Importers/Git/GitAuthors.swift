import Bytes
import Directories

/// Adds up commits by author.
struct GitAuthors {
    struct Author {
        var commits = 0
        var names: [String: (commits: Int, latest: Int64)] = [:]
        var first = Int64.max
        var latest = Int64.min
    }

    private var authors: [String: Author] = [:]

    /// Takes a line of name, address and time of a commit, separated by NUL.
    mutating func add(line: UnsafeRawBufferPointer) {
        let parts = line.split(separator: 0, omittingEmptySubsequences: false)
        guard parts.count == 3, let time = Int64(digits: UnsafeRawBufferPointer(rebasing: parts[2])) else { return }
        let name = String(decoding: parts[0], as: UTF8.self)
        // Addresses are compared without case: mail servers do so, and people type as they like.
        let address = String(decoding: parts[1], as: UTF8.self).lowercased()
        // Where the address is missing, the name must do.
        authors[address.isEmpty ? name : address, default: Author()].add(name: name, time: time)
    }

    /// The people, those who came first first, so that the numbers behind shared names stay with whom they belong to.
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

    /// `jane-doe`, then `jane-doe-2` for the next of that name. `handles` has all that were given out, each with the last
    /// number behind it: thousands may share a name.
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

    /// `name` without e-mail addresses in it; of one that is nothing else, the part before the `@`.
    static func withoutAddresses(_ name: String) -> String {
        let name = NormalizedText.cleaned(name)
        guard name.contains("@") else { return String(name.prefix(1000)) }
        let words = name.split { $0.isWhitespace || "<>(),;:\"".contains($0) }
        let others = words.filter { !$0.contains("@") }
        if !others.isEmpty { return others.joined(separator: " ") }
        return words.first.map { String($0.drop { $0 == "@" }.prefix { $0 != "@" }) } ?? ""
    }

    /// ISO 8601 in UTC, as GitHub writes times.
    static func date(_ seconds: Int64) -> String {
        let clamped = min(max(seconds, -62_135_596_800), 253_402_300_799)  // Years 1 to 9999.
        let (days, rest) = clamped.quotientAndRemainder(flooringBy: 86_400)
        let (year, month, day) = civil(days)
        let pad = { (number: Int64, width: Int) in
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        return
            "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))T\(pad(rest / 3600, 2)):\(pad(rest / 60 % 60, 2)):\(pad(rest % 60, 2))Z"
    }

    /// The date `days` after 1 January 1970: Howard Hinnant's `civil_from_days`, with years that begin in March.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, day) = (days + 719_468).quotientAndRemainder(flooringBy: 146_097)
        let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let civilMonth = month < 10 ? month + 3 : month - 9
        return (year + era * 400 + (civilMonth <= 2 ? 1 : 0), civilMonth, dayOfYear - (153 * month + 2) / 5 + 1)
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

    /// The name that most commits bear; of several, the one used last.
    var name: String? {
        names.filter { !$0.key.isEmpty }
            .max { ($0.value.commits, $0.value.latest, $0.key) < ($1.value.commits, $1.value.latest, $1.key) }?.key
    }
}

extension Int64 {
    fileprivate func quotientAndRemainder(flooringBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
