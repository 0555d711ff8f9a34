import ArgumentParser
import Base
import Foundation
import People
import Publishing

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

    @Argument(help: "The people: a login, a handle, or a name that only one has.")
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
        var isMissing = false
        for login in logins where try !remove(.login(login), called: login, in: slug, of: store, by: writer) {
            isMissing = true
        }
        for id in people.ids {
            let slug = try slug ?? store.onlyDirectory()
            if try !remove(.id(id), called: "id \(id)", in: slug, of: store, by: writer) { isMissing = true }
        }
        if isMissing { throw ExitCode.failure }
    }

    /// Removes the picture of a person, or of the only one who has the login as a name. Returns whether it did.
    private func remove(
        _ person: PersonSelector, called name: String, in slug: Slug?, of store: any PublisherStore,
        by writer: any PictureWriter
    ) throws -> Bool {
        if undo {
            if try writer.allowPicture(of: person, in: slug) {
                note("\(name.printable): may have a picture again \(slug.everywhere)")
                return true
            }
        } else {
            let removals = try writer.removePicture(of: person, in: slug)
            if !removals.isEmpty {
                tell(removals, of: name)
                return true
            }
        }
        let reason = "\(undo ? "the picture was not removed" : "not found") \(slug.nowhere)"
        guard let only = try store.namesake(name, person, in: slug, for: "pictures remove", orSay: reason) else {
            return false
        }
        let called = "\(name) (\(only.handle))"
        return try remove(.login(only.handle), called: called, in: slug, of: store, by: writer)
    }

    private func tell(_ removals: [PictureRemoval], of name: String) {
        let slugs = removals.map(\.directory.text).joined(separator: ", ")
        note("\(name.printable): has no picture any more in \(slugs)")
        for key in Set(removals.flatMap(\.erased)).sorted(by: { $0.number < $1.number }) {
            for size in PictureSize.allCases { note("\(PictureAddress(key, size))") }
        }
    }

    private func note(_ line: String) { StandardStreams.note(line + "\n", to: STDOUT_FILENO) }
}
