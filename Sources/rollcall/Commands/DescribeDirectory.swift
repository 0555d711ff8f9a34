import ArgumentParser
import Bytes
import Directories
import Foundation

struct DescribeDirectory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe", abstract: "Set the title, description and terms of a directory, or show them.",
        discussion: """
            Pages show the title at the top, and licence and attribution at the bottom. Empty text removes a value. \
            Imports from services set the licence and attribution of their service, unless any of these four values \
            was set here.
            """)

    @Argument(help: "The directory's slug.", transform: Slug.read)
    var slug: Slug

    @Option(help: "The title, for people.")
    var title: String?

    @Option(help: "A description of one or two sentences.")
    var description: String?

    @Option(help: "The licence of the data, such as CC BY-SA 4.0.")
    var licence: String?

    @Option(help: ArgumentHelp("The URL of the licence.", valueName: "url"))
    var licenceUrl: String?

    @Option(help: "The source to credit, such as Stack Overflow.")
    var attribution: String?

    @Option(help: ArgumentHelp("The URL of the source to credit.", valueName: "url"))
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
            guard let text, !text.isEmpty, !(text.isWebURL && URL(string: text)?.host() != nil) else { continue }
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
}
