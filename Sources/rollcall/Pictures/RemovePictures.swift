import ArgumentParser
import Base
import Foundation
import People

struct RemovePictures: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the pictures of people who object to them.",
        discussion: """
            The people stay, with initials in place of the picture, after later imports, too; Rollcall recognises them \
            by a keyed hash. A running server shows the change within a second. The addresses of erased pictures are \
            printed, for a CDN that may have copies; browsers keep theirs for at most 30 days.

            Put "--" before a login that begins with a dash: rollcall pictures remove -- -dash

            Exit status: 0 all are removed; 1 a person was not found, or the command failed.
            """)

    @Argument(help: "The logins of the people.")
    var logins: [String] = []

    @OptionGroup var people: PersonIDOption
    @OptionGroup var scope: ScopeOption

    @Flag(help: "Let these people have pictures again; the next `rollcall pictures` fetches them.")
    var undo = false

    @OptionGroup var options: DatabaseOptions
    @OptionGroup var quietness: QuietOption

    func validate() throws {
        guard !logins.isEmpty || !people.ids.isEmpty else {
            throw ValidationError("expected a login, or --id and a number")
        }
    }

    func run() throws {
        quietness.apply()
        let store = try options.open()
        let slug = try scope.directory.map { try store.directory(named: $0).slug }
        let writer = try store.makePictureWriter()
        var missing = 0
        for login in logins { try remove(.login(login), called: login, in: slug, by: writer, &missing) }
        if !people.ids.isEmpty {
            let slug = try slug ?? onlyDirectory(of: store)
            for id in people.ids { try remove(.id(id), called: "id \(id)", in: slug, by: writer, &missing) }
        }
        if missing > 0 { throw ExitCode.failure }
    }

    private func remove(
        _ person: PersonSelector, called name: String, in slug: Slug?, by writer: any PictureWriter,
        _ missing: inout Int
    ) throws {
        if undo {
            if try writer.allowPicture(of: person, in: slug) {
                return note("\(name.printable): may have a picture again \(slug.everywhere)")
            }
            StandardStreams.write("rollcall: \(name.printable): the picture was not removed \(slug.nowhere)\n")
            return missing += 1
        }
        let removals = try writer.removePicture(of: person, in: slug)
        guard !removals.isEmpty else {
            StandardStreams.write("rollcall: \(name.printable): not found \(slug.nowhere)\n")
            return missing += 1
        }
        let slugs = removals.map(\.directory.text).joined(separator: ", ")
        note("\(name.printable): has no picture any more in \(slugs)")
        for key in Set(removals.flatMap(\.erased)).sorted(by: { $0.number < $1.number }) {
            for size in PictureSize.allCases { note("\(PictureAddress(key, size))") }
        }
    }

    private func note(_ line: String) { StandardStreams.note(line + "\n", to: STDOUT_FILENO) }

    /// Returns the slug of the only directory. Throws if there are several: ids are unique only within a directory.
    private func onlyDirectory(of store: any PublisherStore) throws -> Slug {
        let directories = store.directories
        guard let first = directories.first, directories.count == 1 else {
            let slugs = directories.map(\.slug.text).joined(separator: ", ")
            throw ValidationError("--id needs --directory, because the database has several: \(slugs)")
        }
        return first.slug
    }
}
