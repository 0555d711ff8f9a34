import ArgumentParser
import Base
import Foundation
import People
import Publishing

struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove people for good.",
        discussion: """
            Removes everyone who has the login, in upper or lower case, or else the value of the column that \
            `import --key` names, or else the person who alone has the name, from the rows, the search and the orders of all directories. Later imports skip them; Rollcall recognises them by a keyed hash and keeps nothing else. \
            A running server shows them for at most a second. Copies of the database and pages that others have stored \
            stay as they are.

            Their pictures are erased, too, unless others have the same ones. The command prints the addresses of \
            erased pictures: caches of a CDN and of browsers keep them for up to 30 days, so purge a CDN.

            A handle that Rollcall made from a name needs --directory, because another person may have the same one \
            in another directory. Former handles of a forgotten person no longer redirect, and nobody else gets \
            them; --handle does the same to one former handle of a person who stays.

            Where the name stands in a field that names somebody at work, such as the manager, and nobody else has the \
            name, the field is cleared, now and by later imports. Where it stands in other fields, the command says so; \
            --also-in-texts clears these, too, until the next import writes them again from the source.

            Put "--" before a login that begins with a dash: rollcall forget -- -dash

            Exit status: 0 all are forgotten; 1 a person was not found, or the command failed.
            """)

    @Argument(help: "The logins of the people to forget, the values of their keys, or names that only one has.")
    var logins: [String] = []

    @OptionGroup var people: PersonIDOption

    @Option(
        name: .customLong("handle"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A former handle that must no longer redirect to the current one; the person stays. Repeatable.",
            valueName: "old"))
    var handles: [String] = []

    @Option(
        help: ArgumentHelp(
            "A file with one person per line: a login, an id, or the value of the column that `import --key` names.",
            valueName: "file"))
    var from: String?

    @OptionGroup var scope: ScopeOption

    @Flag(help: "Also clear the other fields of people in which the name of a forgotten person stands.")
    var alsoInTexts = false

    @Flag(help: "Let later imports add these people again. The command itself brings nobody back.")
    var undo = false

    @OptionGroup var storage: DatabaseOption

    @OptionGroup var locking: LockOptions

    func validate() throws {
        guard !logins.isEmpty || !people.ids.isEmpty || !handles.isEmpty || from != nil else {
            throw ValidationError(
                "expected a login, --id and a number, --handle and a former handle, or --from and a file")
        }
        if undo, !handles.isEmpty { throw ValidationError("--handle cannot be undone") }
    }

    func run() throws {
        let store = try openExistingStore(storage.database, isForWriting: true, lockTimeout: locking.lockTimeout)
        let slug = try scope.slug
        if let slug, Environment.sets("directory") { tell("only in \(slug.text), because ROLLCALL_DIRECTORY is set") }
        var outcome = Outcome()
        for login in try isOneName(in: slug, of: store) ? [logins.joined(separator: " ")] : logins {
            try forget(.login(login), called: login, in: slug, of: store, &outcome)
        }
        if !people.ids.isEmpty {
            let slug = try slug ?? store.onlyDirectory()
            for id in people.ids { try forget(.id(id), called: "id \(id)", in: slug, of: store, &outcome) }
        }
        for handle in handles { try forget(handle: handle, in: slug, of: store, &outcome) }
        if let from {
            for line in try Self.lines(of: from) { try forget(line: line, in: slug, of: store, &outcome) }
        }
        try clearMentions(of: outcome.names, in: slug, of: store)
        if outcome.missing > 0 { throw ExitCode.failure }
    }

    /// Whether the logins are the words of one name that somebody has, and none is anybody's handle or key.
    private func isOneName(in slug: Slug?, of store: any PublisherStore) throws -> Bool {
        if logins.count < 2 || undo { return false }
        var clues = PersonClues()
        (clues.handles, clues.keys) = (logins, logins)
        let known = try store.people(clues, in: slug)
        return try known.people.isEmpty && known.reserved.isEmpty
            && !store.namesakes(logins.joined(separator: " "), in: slug).isEmpty
    }

    /// What the command did to all the people who were named.
    private struct Outcome {
        /// The number of those who were not found.
        var missing = 0
        /// The names of those who are forgotten now.
        var names: [String] = []

        mutating func note(_ found: [Forgetting]) {
            for name in found.flatMap(\.names) where !names.contains(name) { names.append(name) }
        }
    }

    private static func lines(of file: String) throws -> [String] {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw ValidationError("--from: cannot read \(file)")
        }
        guard let text = String(bytes: data, encoding: .utf8) else {
            throw ValidationError("--from: expected text in UTF-8 in \(file)")
        }
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        return lines.filter { !$0.isEmpty }
    }

    /// Forgets the person that a line of a file names: as a login, or else as an id, or else as the value of a key.
    private func forget(line: String, in slug: Slug?, of store: any PublisherStore, _ outcome: inout Outcome) throws {
        var people = [PersonSelector.login(line)]
        if slug != nil || store.directories.count == 1, let id = Int64(line), id > 0 { people.append(.id(id)) }
        people.append(.key(line))
        for person in people {
            let slug = person == .id(Int64(line) ?? 0) ? try slug ?? store.onlyDirectory() : slug
            if undo {
                guard try store.remember(person, in: slug) == .remembered else { continue }
                return print("\(line.printable): may be imported again")
            }
            let found = try store.forget(person, in: slug)
            guard try !found.isEmpty || store.isForgotten(person, in: slug) else { continue }
            print("\(line.printable): forgotten")
            outcome.note(found)
            return tellErased(found)
        }
        tell("\(line): not found \(slug.nowhere)")
        outcome.missing += 1
    }

    private func forget(handle: String, in slug: Slug?, of store: any PublisherStore, _ outcome: inout Outcome) throws {
        let found = try store.forget(formerHandle: handle, in: slug)
        if !found.isEmpty {
            let slugs = found.map(\.directory.text).joined(separator: ", ")
            return print("\(handle.printable): no longer redirects in \(slugs)")
        }
        tell("\(handle): not a former handle \(slug.nowhere)")
        outcome.missing += 1
    }

    private func forget(
        _ person: PersonSelector, called name: String, in slug: Slug?, of store: any PublisherStore,
        _ outcome: inout Outcome
    ) throws {
        let place = slug.everywhere
        // A value of the key, unless somebody has the login.
        let people: [PersonSelector] = if case .login(let value) = person { [person, .key(value)] } else { [person] }
        if undo {
            var result = Remembering.unknown
            for person in people where result == .unknown { result = try store.remember(person, in: slug) }
            switch result {
            case .remembered: return print("\(name.printable): may be imported again \(place)")
            case .unknown:
                let advice = slug == nil ? "; --directory SLUG undoes what was forgotten in one only" : ""
                tell("\(name): was not forgotten \(place)\(advice)")
            case .forgottenByLogin:
                tell(
                    """
                    \(name): is still skipped \(place), because the login is forgotten in all directories or for \
                    other people too; use --undo with the login, and without --directory for all directories
                    """)
            }
        } else {
            var found: [Forgetting] = []
            for person in people where found.isEmpty { found = try store.forget(person, in: slug) }
            if !found.isEmpty {
                let counts = found.map { "\($0.directory.text) (\($0.count))" }.joined(separator: ", ")
                print("\(name.printable): forgotten in \(counts)")
                outcome.note(found)
                return tellErased(found)
            }
            // For example, by an earlier command that was interrupted.
            if try people.contains(where: { try store.isForgotten($0, in: slug) }) {
                return print("\(name.printable): is already forgotten \(place)")
            }
            if let only = try store.namesake(name, person, in: slug, for: "forget", orSay: "not found \(slug.nowhere)")
            {
                let handle = "\(name) (\(only.handle))"
                return try forget(.login(only.handle), called: handle, in: only.directory, of: store, &outcome)
            }
        }
        outcome.missing += 1
    }

    /// Prints the addresses of erased pictures: complete ones if the public URL is in the environment.
    private func tellErased(_ found: [Forgetting]) {
        let base = Environment.string("PUBLIC_URL").map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? ""
        for key in found.flatMap(\.pictures) {
            let addresses = PictureSize.allCases.map { "\(base)\(PictureAddress(key, $0))" }
            print("erased, purge from a CDN: \(addresses.joined(separator: " "))")
        }
    }

    /// Clears the fields of others that name forgotten people, and prints where the names stand or stood.
    private func clearMentions(of names: [String], in slug: Slug?, of store: any PublisherStore) throws {
        if names.isEmpty { return }
        let mentions = try store.clearMentions(of: names, alsoInTexts: alsoInTexts, in: slug)
        var lines: [(start: String, columns: [String])] = []
        for isCleared in [true, false] {
            for mention in mentions where mention.isCleared == isCleared {
                let name = mention.name.printable
                let start =
                    isCleared
                    ? "cleared in \(mention.directory), where \(name) stood: "
                    : "\(name) still stands in \(mention.directory): "
                if lines.last?.start != start { lines.append((start, [])) }
                let people = counted(mention.people, "person", "people")
                lines[lines.count - 1].columns.append("\(mention.column.printable) of \(people)")
            }
        }
        for line in lines { print(line.start + line.columns.joined(separator: ", ")) }
        guard mentions.contains(where: { !$0.isCleared }) else { return }
        print("clear these fields in the source: forget --also-in-texts clears them here until the next import")
    }

    private func tell(_ line: String) {
        StandardStreams.write("rollcall: " + line.printable + "\n")
    }
}
