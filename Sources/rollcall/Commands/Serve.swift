import ArgumentParser
import Foundation
import Logging

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the directories of a database.",
        discussion: """
            Prints one line with its address once it accepts connections. On SIGTERM or SIGINT it finishes the \
            requests in flight and exits with status 0; a second signal ends it at once.
            """)

    @OptionGroup(title: "Data") var data: ServedData
    @OptionGroup var options: ServingOptions

    func run() throws {
        let logger = Serving.logger()
        let database = data.database
        let isNew = !FileManager.default.fileExists(atPath: database)
        let store = try openStore(database)
        if isNew {
            logger.warning("\(database) is new and empty; fill it with: rollcall import --database \(database) …")
        }
        try Serving(options, store: store, logger: logger).run()
    }
}

/// The option that names the database of `serve`.
struct ServedData: ParsableArguments {
    @Option(help: "The database file; it is created if it does not exist.")
    var database = Environment.string("DATABASE") ?? "rollcall.sqlite"
}
