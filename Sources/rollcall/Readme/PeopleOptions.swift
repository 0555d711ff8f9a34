import ArgumentParser
import Base
import People
import Site
import Template

struct PeopleOptions: ParsableArguments {
    @OptionGroup var shown: DirectoryOption

    @Option(value: "words", help: "Only people that a search for these words finds.")
    var query: String?

    @Option(
        value: "KEY=VALUE",
        help: "Only people with this value of a filter; repeatable. Several values of one filter are alternatives.")
    var filter: [String] = []

    @Option(value: "key", help: "The order, such as name or -reputation; by default the directory's.")
    var sort: String?

    @Option(in: 1...10_000, value: "number", help: "The most people that are shown, 1 to 10,000, or 500 in an image.")
    var max = 100

    @Flag(help: "Show programs, too: accounts of the type Bot, and logins that end in [bot].")
    var bots = false

    @OptionGroup var storage: DatabaseOption

    func validate() throws {
        _ = try filters
    }

    private var filters: [(name: String, value: String)] {
        get throws { try filter.map { try nameAndValue($0, of: "--filter", as: "KEY=VALUE") } }
    }

    /// Calls `body` with a site of the database and the parameters of these options.
    func withSite<Result>(
        _ body: (Site, _ parameters: [(name: String, value: String)]) throws -> Result
    ) throws -> Result {
        let store = try openExistingStore(storage.database)
        defer { store.close() }
        let directory = try store.directory(named: shown.directory)
        let configuration = Site.Configuration()
        try expect(
            configuration.shows(directory.directory), "\(directory.slug) is private: no document shows its people")
        var parameters = [(name: "directory", value: directory.slug.text)] + (try filters)
        if let query { parameters.append(("q", query)) }
        if let sort { parameters.append(("sort", sort)) }
        let site = try Site(configuration: configuration, store: store, assets: .builtIn, logger: Serving.logger())
        defer { site.close() }
        do { return try body(site, parameters) } catch let error as RollcallError {
            throw ValidationError(Self.named(error.description))
        }
    }

    /// The message about a parameter, about the option that it comes from.
    private static func named(_ message: String) -> String {
        switch message.prefix(while: { $0 != ":" }) {
        case "q": "--query" + message.dropFirst()
        case "sort", "columns", "max", "size": "--" + message
        default: "--filter: " + message
        }
    }
}

/// The options for the size of faces, and how many stand in a row.
struct FaceOptions: ParsableArguments {
    @Option(
        in: 1...100, value: "number",
        help: "The number of faces in a row, 1 to 100; by default 12 in an image and 7 in HTML.")
    var columns: Int?

    @Option(in: 24...128, value: "pixels", help: "The side of a face in pixels, 24 to 128.")
    var size = 64
}
