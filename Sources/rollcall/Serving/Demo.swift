import ArgumentParser
import Importers
import People
import Publishing

struct Demo: ServingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve made-up people from a temporary database.",
        discussion: """
            The people are the same every time and have names in many languages. The database is removed at the end.
            """)

    @OptionGroup(title: "Data") var data: DemoData
    @OptionGroup(title: "Address") var address: AddressOptions
    @OptionGroup(title: "Pages") var pages: PageOptions
    @OptionGroup(title: "Other sites") var sharing: SharingOptions
    @OptionGroup(title: "Logs and metrics") var observing: ObservingOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions

    func validate() throws { _ = (try site(), try trustedProxies) }

    func run() throws {
        let folder = try TemporaryFolder(named: "rollcall-demo")
        defer { folder.remove() }
        let store = try openStore(DatabaseLocation(file: folder.path + "/demo.sqlite"))
        try fill(store)
        try Serving(self, site(), store: store, logger: Serving.logger()).run()
    }

    private func fill(_ store: any PublisherStore) throws {
        let directory = try store.openDirectory(Slug(literal: "demo"), title: "Juniper Works", source: "demo")
        try directory.adopt(DemoPeople.settings)
        let summary = ImportRun(writer: directory).run(DemoPeople(count: data.users))
        try summary.end.throwFailure()
    }
}

struct DemoData: ParsableArguments {
    @Option(in: 1...10_000_000, help: "How many people to make up, 1 to 10,000,000.")
    var users = 10_000
}
