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

    @OptionGroup var people: PersonOptions

    @Option(
        name: .customLong("handle"), parsing: .unconditionalSingleValue, value: "old",
        help: "A former handle that must no longer redirect to the current one; the person stays. Repeatable.")
    var handles: [String] = []

    @Option(
        value: "file",
        help: "A file with one person per line: a login, an id, or the value of the column that `import --key` names.")
    var from: String?

    @OptionGroup var scope: ScopeOption

    @Flag(help: "Also clear the other fields of people in which the name of a forgotten person stands.")
    var alsoInTexts = false

    @OptionGroup var options: DatabaseOptions

    func validate() throws {
        try expect(
            !logins.isEmpty || !people.ids.isEmpty || !handles.isEmpty || from != nil,
            "expected a login, --id and a number, --handle and a former handle, or --from and a file")
        try expect(!people.undo || handles.isEmpty, "--handle cannot be undone")
    }

    func run() throws {
        let store = try options.open()
        scope.noteVariable()
        var forgetter = Forgetter(store: store, slug: try scope.slug(in: store), isUndoing: people.undo)
        for login in try forgetter.names(logins) { try forgetter.forget(login: login) }
        for id in people.ids { try forgetter.forget(id: id) }
        for handle in handles { try forgetter.forget(handle: handle) }
        for line in try from.map(Self.lines) ?? [] { try forgetter.forget(line: line) }
        try forgetter.clearMentions(alsoInTexts: alsoInTexts)
        if forgetter.missing > 0 { throw ExitCode.failure }
    }

    private static func lines(of file: String) throws -> [String] {
        let lines = try text(of: file, for: "--from").split(whereSeparator: \.isNewline)
        return lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}

/// Forgets people, or lets imports add them again, and says so of each.
private struct Forgetter {
    let store: any PublisherStore
    /// The only directory in which people are looked for.
    let slug: Slug?
    let isUndoing: Bool
    private(set) var missing = 0
    var names: [String] = []

    /// Returns the logins that `words` are, or the one name that they are together: somebody has it, and no word is
    /// anybody's handle or key.
    func names(_ words: [String]) throws -> [String] {
        if words.count < 2 || isUndoing { return words }
        let known = try store.people(words.flatMap { [.login($0), .key($0)] }, in: slug)
        let name = words.joined(separator: " ")
        let isName = try known.people.isEmpty && known.reserved.isEmpty && !store.namesakes(name, in: slug).isEmpty
        return isName ? [name] : words
    }

    /// Forgets whoever has the login, or else the value of the key, or else alone the name.
    mutating func forget(login: String) throws {
        if try change([(.login(login), slug), (.key(login), slug)], called: login) { return }
        if isUndoing { return miss(login) }
        guard let only = try store.namesake(login, in: slug, for: "forget", orSay: absence),
            try change([(.login(only.handle), only.directory)], called: "\(login) (\(only.handle))")
        else {
            missing += 1
            return
        }
    }

    mutating func forget(id: Int64) throws {
        let name = "id \(id)"
        if try !change([(.id(id), slug ?? store.onlyDirectory())], called: name) { miss(name) }
    }

    /// Forgets the person that a line of a file names: by the login, or else by the id, or else by the value of the
    /// key.
    mutating func forget(line: String) throws {
        var people: [Candidate] = [(.login(line), slug)]
        if slug != nil || store.directories.count == 1, let id = Int64(line), id > 0 {
            people.append((.id(id), try slug ?? store.onlyDirectory()))
        }
        if try !change(people + [(.key(line), slug)], called: line) { miss(line) }
    }

    mutating func forget(handle: String) throws {
        let found = try store.forget(formerHandle: handle, in: slug)
        if found.isEmpty {
            StandardStreams.remark("\(handle): not a former handle \(slug.nowhere)")
            missing += 1
            return
        }
        print("\(handle.printable): no longer redirects in \(found.map(\.directory).list)")
    }

    /// Somebody that a word may mean, and the only directory to look in: an id means different people in several.
    private typealias Candidate = (person: PersonSelector, slug: Slug?)

    /// Forgets the first of `people` that exists, or undoes that. Returns whether there is one.
    private mutating func change(_ people: [Candidate], called name: String) throws -> Bool {
        try people.contains { person, slug in
            try isUndoing ? remember(person, called: name, in: slug) : forget(person, called: name, in: slug)
        }
    }

    private mutating func forget(_ person: PersonSelector, called name: String, in slug: Slug?) throws -> Bool {
        let found = try store.forget(person, in: slug)
        if found.isEmpty {
            // For example, by an earlier command that was interrupted.
            guard try store.isForgotten(person, in: slug) else { return false }
            print("\(name.printable): is already forgotten \(slug.everywhere)")
            return true
        }
        let counts = found.map { "\($0.directory.text) (\($0.count))" }.joined(separator: ", ")
        print("\(name.printable): forgotten in \(counts)")
        for name in found.flatMap(\.names) where !names.contains(name) { names.append(name) }
        for key in found.flatMap(\.pictures) {
            let addresses = PictureSize.allCases.map { "\(Environment.publicURL)\(PictureAddress(key, $0))" }
            print("erased, purge from a CDN: \(addresses.joined(separator: " "))")
        }
        return true
    }

    private mutating func remember(_ person: PersonSelector, called name: String, in slug: Slug?) throws -> Bool {
        switch try store.remember(person, in: slug) {
        case .unknown: return false
        case .remembered: print("\(name.printable): may be imported again \(slug.everywhere)")
        case .forgottenByLogin:
            missing += 1
            StandardStreams.remark(
                """
                \(name): is still skipped \(slug.everywhere), because the login is forgotten in all directories or \
                for other people too; use --undo with the login, and without --directory for all directories
                """)
        }
        return true
    }

    private mutating func miss(_ name: String) {
        StandardStreams.remark("\(name): \(absence)")
        missing += 1
    }

    private var absence: String {
        guard isUndoing else { return "not found \(slug.nowhere)" }
        let advice = slug == nil ? "; --directory SLUG undoes what was forgotten in one only" : ""
        return "was not forgotten \(slug.everywhere)\(advice)"
    }

    /// Clears the fields of others that name forgotten people, and says where the names stand or stood.
    func clearMentions(alsoInTexts: Bool) throws {
        if names.isEmpty { return }
        let mentions = try store.clearMentions(of: names, alsoInTexts: alsoInTexts, in: slug)
        let left = mentions.filter { !$0.isCleared }
        var lines: [(start: String, columns: [String])] = []
        for mention in mentions.filter(\.isCleared) + left {
            let (name, directory) = (mention.name.printable, mention.directory)
            let start =
                mention.isCleared
                ? "cleared in \(directory), where \(name) stood: " : "\(name) still stands in \(directory): "
            if lines.last?.start != start { lines.append((start, [])) }
            let people = counted(mention.people, "person", "people")
            lines[lines.count - 1].columns.append("\(mention.column.printable) of \(people)")
        }
        for line in lines { print(line.start + line.columns.joined(separator: ", ")) }
        if left.isEmpty { return }
        print("clear these fields in the source: forget --also-in-texts clears them here until the next import")
    }
}
