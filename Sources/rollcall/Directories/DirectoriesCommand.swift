import ArgumentParser
import Foundation
import People
import Publishing

struct DirectoriesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "directories",
        abstract: "List, describe, set up, rename and remove directories, or set the default one.",
        discussion: "A running server shows the changes within a second.",
        subcommands: [
            ListDirectories.self, DescribeDirectory.self, SettingsCommand.self, RenameDirectory.self,
            DefaultDirectory.self, ReindexDirectory.self, RemoveDirectory.self,
        ], defaultSubcommand: ListDirectories.self)
}

struct ListDirectories: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the directories.")

    @OptionGroup var output: ListFormatOption
    @OptionGroup var storage: DatabaseOption

    func run() throws {
        let database = storage.database
        let store = try openExistingStore(database)
        if let warning = try store.missingPictures(of: database) { StandardStreams.note("warning: \(warning)\n") }
        switch output.format {
        case .json: try StandardStreams.print(json: store.json(of: store.storedDirectories))
        case .text where store.directories.isEmpty: print("\(database) has no directory yet")
        case .text:
            try print(store.table())
            let totals = try store.pictureTotals()
            guard totals.pictures > 0 else { return }
            print("\(grouped(totals.pictures)) pictures are stored, \(grouped(Int(totals.bytes))) bytes")
        }
    }
}

extension PublisherStore {
    fileprivate func table() throws -> String {
        var rows = [["directory", "title", "source", "users", "pictures", "last import"]]
        let pictures = try pictureCounts()
        for (index, directory) in storedDirectories.enumerated() {
            let marks = [index == 0 ? "default" : nil, directory.settings.shown.looks.sites.mark].compactMap(\.self)
            rows.append([
                directory.slug.text + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))"), directory.title,
                directory.source, grouped(directory.total),
                grouped(pictures[directory.id]?.pictures ?? 0), directory.importedAt?.isoTime ?? "unknown",
            ])
        }
        return aligned(rows, gap: 2).joined(separator: "\n")
    }

    /// Returns a JSON array of `directories`, for programs.
    func json(of directories: [StoredDirectory]) throws -> String {
        let (pictures, first) = (try pictureCounts(), storedDirectories.first?.id)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let values = directories.map { json(of: $0, isDefault: $0.id == first, pictures[$0.id] ?? PictureCounts()) }
        return String(decoding: try encoder.encode(values), as: UTF8.self)
    }

    private func json(of directory: StoredDirectory, isDefault: Bool, _ stored: PictureCounts) -> JSONObject {
        let (looks, terms) = (directory.settings.stored.own, directory.terms)
        return [
            "slug": directory.slug.text, "title": directory.title, "description": directory.description,
            "source": directory.source, "users": directory.total, "lastImport": directory.importedAt?.isoTime,
            "isDefault": isDefault, "isPrivate": directory.settings.shown.looks.sites == .private,
            "licence": terms.licence, "licenceURL": terms.licenceURL, "attribution": terms.attribution,
            "attributionURL": terms.attributionURL, "intro": looks.intro ?? "", "logo": looks.logo ?? "",
            "accent": looks.accent ?? "", "paper": looks.paper ?? "", "radius": looks.radius ?? "",
            "font": looks.font ?? "", "language": looks.language ?? "",
            // `link`, `cache` or `off`; empty for what the server says.
            "pictures": looks.pictures?.rawValue ?? "",
            // People with a stored picture, and those among them with a photo of the publisher's own.
            "storedPictures": stored.pictures, "ownPhotos": stored.own, "links": looks.links ?? [],
        ]
    }
}
