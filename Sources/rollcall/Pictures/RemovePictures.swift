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

    @OptionGroup var people: PersonOptions
    @OptionGroup var scope: ScopeOption
    @OptionGroup var options: DatabaseOptions
    @OptionGroup var quietness: QuietOption

    func validate() throws {
        try expect(!logins.isEmpty || !people.ids.isEmpty, "expected a login, or --id and a number")
    }

    func run() throws {
        let store = try options.open()
        let slug = try scope.slug(in: store)
        let writer = try store.makePictureWriter()
        let failure = "\(people.undo ? "the picture was not removed" : "not found") \(slug.nowhere)"
        var isMissing = false
        func expectRemoval(of person: PersonSelector, called name: String, in places: [Slug?]) throws {
            if try places.contains(where: { try remove(person, called: name, in: $0, by: writer) }) { return }
            StandardStreams.remark("\(name): \(failure)")
            isMissing = true
        }
        for login in logins {
            // Whoever has the login, or has it alone as a name.
            if try remove(.login(login), called: login, in: slug, by: writer) { continue }
            if let only = try store.namesake(login, in: slug, for: "pictures remove", orSay: failure) {
                // Somebody else may have the handle in another directory. But the picture may have been removed by the
                // login, in all of them.
                let places = people.undo ? [only.directory, slug] : [only.directory]
                try expectRemoval(of: .login(only.handle), called: "\(login) (\(only.handle))", in: places)
            } else {
                isMissing = true
            }
        }
        for id in people.ids {
            try expectRemoval(of: .id(id), called: "id \(id)", in: [slug ?? store.onlyDirectory()])
        }
        if isMissing { throw ExitCode.failure }
    }

    /// Removes the picture of a person, or lets the person have one again. Returns whether it did.
    private func remove(
        _ person: PersonSelector, called name: String, in slug: Slug?, by writer: any PictureWriter
    ) throws -> Bool {
        if people.undo {
            guard try writer.allowPicture(of: person, in: slug) else { return false }
            note("\(name.printable): may have a picture again \(slug.everywhere)")
            return true
        }
        let removals = try writer.removePicture(of: person, in: slug)
        guard !removals.isEmpty else { return false }
        note("\(name.printable): has no picture any more in \(removals.map(\.directory).list)")
        for key in Set(removals.flatMap(\.erased)).sorted(by: { $0.number < $1.number }) {
            for size in PictureSize.allCases { note("\(PictureAddress(key, size))") }
        }
        return true
    }

    private func note(_ line: String) { StandardStreams.note(line + "\n", to: STDOUT_FILENO) }
}
