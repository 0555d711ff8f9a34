import ArgumentParser
import Foundation
import People
import Publishing

struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print everything that is stored about a person.",
        discussion: """
            rollcall show anna-mueller
            rollcall show 'https://people.example.org/users/anna-mueller?directory=team'

            Finds a person by the login or handle, a former one, too, by the id, by the value of the column that \
            `import --key` names, or by the address of the page, in all directories. Prints what is stored, for a \
            person who asks: private fields, former handles, the picture and its origin, and when imports added and \
            last changed the person. Values of key columns are kept as hashes only, and are not printed.

            A forgotten person leaves nothing to print, except that a handle is reserved.

            Put "--" before a login that begins with a dash: rollcall show -- -dash

            Exit status: 0 somebody was found; 1 nobody was found, or the command failed.
            """)

    @Argument(
        help:
            "The person: a login, a handle, an id, the value of a key, the address of a page, or a name that only one has."
    )
    var person: String

    @OptionGroup var scope: ScopeOption
    @OptionGroup var output: ListFormatOption
    @OptionGroup var storage: DatabaseOption

    func run() throws {
        let store = try openExistingStore(storage.database)
        scope.noteVariable()
        let address = Self.address(person, in: store)
        let slug = try scope.slug(in: store) ?? address?.slug
        let id = Int64(person).map(PersonSelector.id)
        let selectors = address?.selectors ?? [.login(person), .key(person)] + [id].compactMap(\.self)
        var found = try store.people(selectors, in: slug)
        for slug in found.reserved { StandardStreams.remark("\(person): the handle is reserved in \(slug)") }
        if found.people.isEmpty,
            let only = try store.namesake(person, in: slug, for: "show", orSay: "nobody \(slug.nowhere)")
        {
            found.people = try store.people([.login(only.handle)], in: only.directory).people
        }
        switch output.format {
        case .text: print(found.people.map(\.text).joined(separator: "\n"), terminator: "")
        case .json: StandardStreams.print(json: found.people.json)
        }
        if found.people.isEmpty { throw ExitCode.failure }
    }

    /// Reads the address of a person's page, complete or only its path: `/users/anna?directory=team`. Its directory may
    /// have a former slug there. Returns `nil` for any other text.
    private static func address(
        _ text: String, in store: any PublisherStore
    ) -> (selectors: [PersonSelector], slug: Slug?)? {
        guard let url = URLComponents(string: text), let range = url.path.range(of: "/users/", options: .backwards)
        else { return nil }
        let handle = String(url.path[range.upperBound...])
        if handle.isEmpty || handle.contains("/") { return nil }
        let value = { (name: String) in url.queryItems?.first { $0.name == name }?.value }
        let names = [".json", ".vcf"].filter(handle.hasSuffix).map { String(handle.dropLast($0.count)) }
        // The id tells several people with one login apart.
        let id = value("id").flatMap { Int64($0) }
        let selectors = id.map { [.id($0)] } ?? ([handle] + names).map(PersonSelector.login)
        let directory = value("directory").flatMap { Slug($0) }.flatMap { slug in
            store.directories.first { $0.slug == slug || $0.formerSlugs.contains(slug) }
        }
        return (selectors, directory?.slug)
    }
}
