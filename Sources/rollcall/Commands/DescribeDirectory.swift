import ArgumentParser
import Directories
import Foundation

struct DescribeDirectory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe", abstract: "Say what a directory is, and under what terms; or show what is said of it.",
        discussion: """
            Pages show the title at their top, and licence and attribution at their end. Empty text takes one away. Imports from \
            services say whom their people are owed to, unless any of the four was written here.
            """)

    @Argument(help: "Its slug.", transform: Slug.read)
    var slug: Slug

    @Option(help: "What people call it.")
    var title: String?

    @Option(help: "What it is, in a sentence or two.")
    var description: String?

    @Option(help: "The licence its people are published under, such as CC BY-SA 4.0.")
    var licence: String?

    @Option(help: ArgumentHelp("Where that licence is.", valueName: "url"))
    var licenceUrl: String?

    @Option(help: "Whom its people are owed to, such as Stack Overflow.")
    var attribution: String?

    @Option(help: ArgumentHelp("Where they are from.", valueName: "url"))
    var attributionUrl: String?

    @OptionGroup var options: DatabaseOptions

    private var changes: DirectoryDescription {
        var changes = DirectoryDescription()
        (changes.title, changes.description) = (title, description)
        (changes.licence, changes.licenceURL) = (licence, licenceUrl)
        (changes.attribution, changes.attributionURL) = (attribution, attributionUrl)
        return changes
    }

    func validate() throws {
        for (name, text) in [("--licence-url", licenceUrl), ("--attribution-url", attributionUrl)] {
            guard let text, !text.isEmpty, !Self.isWebURL(text) else { continue }
            throw ValidationError("\(name): expected an http or https URL, found \"\(text)\"")
        }
        for (name, text) in [
            ("--title", title), ("--description", description), ("--licence", licence), ("--attribution", attribution),
        ] {
            try expectLine(text, of: name)
        }
    }

    func run() throws {
        let store = try options.open()
        let changes = changes
        if changes.isEmpty {
            return try print(DirectoryJSON.text(store.directories, only: store.directory(named: slug.text)))
        }
        try store.describe(slug, as: changes)
        print("\(slug) is described")
    }

    private static func isWebURL(_ text: String) -> Bool {
        guard let url = URL(string: text), let host = url.host(), !host.isEmpty else { return false }
        return ["http", "https"].contains(url.scheme?.lowercased()) && url.user() == nil
    }
}
