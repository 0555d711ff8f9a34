import ArgumentParser
import Base
import Foundation
import Importers
import People
import Publishing

struct ImportPictures: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take photos from a folder.",
        discussion: """
            rollcall pictures import photos/ --directory team

            A photo is named after its person: the login, the id, the handle in the address of the person's page, or \
            the name, as in octocat.jpg, 583231.png and Anna Müller.jpg. JPEG, PNG and WebP, at most 32 MiB. Case, \
            hyphens, underscores and spaces make no difference. The photo takes the place of a picture that was \
            fetched, until it is removed with --remove.

            Exit status: 0 all photos are used; 1 the command failed; 2 some were not, and each of them is named with \
            the reason.
            """)

    @Argument(help: "The folder with the photos.")
    var folder: String

    @OptionGroup var filled: DirectoryOption

    @Flag(help: "Remove the photos of these people instead. Fetched pictures come back with `rollcall pictures`.")
    var remove = false

    @OptionGroup var options: DatabaseOptions
    @OptionGroup var quietness: QuietOption

    func run() throws {
        let photos = try PhotoFolder(path: folder)
        let store = try options.open()
        let directory = try store.directory(named: filled.directory)
        let people = try Self.people(of: directory, in: store, photos)
        var saver = try PhotoSaver(folder: photos, directory: directory, store: store, note: StandardStreams.remark)
        for file in photos.files {
            switch people[file] ?? [] {
            case []: saver.refuse(file, "nobody in \(directory.slug.text) has this name")
            case let users where users.count > 1:
                saver.refuse(
                    file, "\(users.count) people in \(directory.slug.text) have this name; use the id or the handle")
            case let users:
                if remove { try saver.remove(of: users[0]) } else { try saver.add([file], of: users[0]) }
            }
        }
        try saver.finish()
        let change = remove ? "removed from" : "imported into"
        let summary = "\(counted(saver.saved, "photo")) \(change) \(directory.slug.text)"
        if saver.refused == 0 { return StandardStreams.note(summary + "\n", to: STDOUT_FILENO) }
        print(summary)
        throw ExitCode(2)
    }

    /// Returns the ids of the people whom the photos of a folder show, by the photos' names.
    private static func people(
        of directory: StoredDirectory, in store: any PublisherStore, _ photos: PhotoFolder
    ) throws -> [String: [Int64]] {
        // The people with each file's name as handle, login or id, and those with it as name.
        var (byHandle, byName): ([String: [Int64]], [String: [Int64]]) = ([:], [:])
        try store.forEachPage(of: directory) { users in
            for row in users.rows {
                var handles = [users[row.login]]
                if !row.generated.contains(.id) { handles.append(String(row.id)) }
                if let file = photos.file(named: handles) {
                    byHandle[file, default: []].append(row.id)
                } else if let file = photos.file(named: PhotoFolder.names(from: users[row.name])) {
                    byName[file, default: []].append(row.id)
                }
            }
            return true
        }
        // Whoever has the name as a handle has it alone.
        return byHandle.merging(byName) { byHandle, _ in byHandle }
    }
}

extension ImportPictures: FileOpening {
    var openedPaths: [String?] { [folder] }
}
