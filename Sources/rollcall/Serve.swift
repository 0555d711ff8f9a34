import ArgumentParser
import Foundation
import Logging

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the directories of a database.",
        discussion: """
            Prints one line with its address once it accepts connections. SIGTERM and SIGINT let it finish what is in
            flight, and end it with status 0; a second one ends it at once.
            """)

    @Option(help: "The database file; made where there is none.")
    var database = Environment.string("DATABASE") ?? "rollcall.sqlite"

    @OptionGroup var options: ServingOptions

    func run() throws {
        let logger = Serving.logger()
        let isNew = !FileManager.default.fileExists(atPath: database)
        let store = try openStore(database)
        if isNew {
            logger.warning("\(database) is new and empty; fill it with: rollcall import --database \(database) …")
        }
        try Serving(options, store: store, logger: logger).run()
    }
}
