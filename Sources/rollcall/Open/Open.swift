import ArgumentParser
import Base
import Foundation
import Importers
import People
import Publishing
import Site
import Synchronization

/// Shows a file of people as a directory, from a temporary database, and follows its changes.
struct Open: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a file of people as a directory, and follow its changes.",
        discussion: """
            rollcall people.xlsx                the same as rollcall open people.xlsx

            Reads the file as `rollcall import file` does, into a temporary database, serves it on this machine and \
            opens a browser. When the file is saved, pages show it within two seconds; while it cannot be read, they \
            keep what they had. Each table of a folder becomes a directory. Ctrl-C ends, removes the database, and \
            prints the commands that keep the directory.
            """)

    @Argument(help: "The file, a folder of files, or an https URL; - is standard input.", completion: .file())
    var path: String

    @OptionGroup(title: "File") var layout: FileOptions
    @OptionGroup(title: "Columns") var columns: ColumnOptions
    @OptionGroup(title: "Columns") var identity: KeyOptions
    @OptionGroup(title: "Fields") var fields: FieldOptions
    @OptionGroup(title: "Fields") var file: SettingsFileOption
    @OptionGroup(title: "Address") var address: OpenAddress

    @OptionGroup(title: "Import") var interval: EveryOption

    func validate() throws {
        try expect(interval.every == nil || ImportFile.isAddress(path), "--every: expected a URL; files are watched")
        _ = try edits
    }

    private var edits: SettingsEdits { get throws { try SettingsEdits(fields, columns, key: identity.key) } }

    func run() throws {
        let sources = try NamedSource.tables(at: path, layout)
        let folder = try TemporaryFolder(named: "rollcall-open")
        defer { folder.remove() }
        let location = DatabaseLocation(file: folder.path + "/people.sqlite")
        let edits = try edits
        let tables = sources.map { OpenedTable($0, database: location, edits, file) }
        // One set of signals for the import and the server: of two, only the first hears them.
        let started = Mutex<Serving?>(nil)
        let signals = onTermination { number in
            tables.forEach { $0.cancellation.cancel() }
            started.withLock { $0 }?.drain(number)
        }
        defer { for signal in signals { signal.cancel() } }
        guard try Self.load(tables) else { return }
        // On this machine alone, whatever else the environment says.
        let host = Self.openHostname ?? "127.0.0.1"
        let options = try Serve.parse(["--port", "\(address.freePort)", "--hostname", host])
        var site = try options.site()
        site.updates = .reloads
        let store = try openStore(location)
        let serving = try Serving(options, site, store: store, logger: Serving.logger())
        defer { serving.close() }
        started.withLock { $0 = serving }
        if tables.contains(where: \.cancellation.isCancelled) { return }
        let watch = TableWatch(tables, every: interval.every) {
            store.refresh()
            serving.reloadPages()
        }
        defer { watch.stop() }
        try serving.serve { address in
            let follow = tables.contains(where: \.isWatched) ? "watching \(shownName); " : ""
            StandardStreams.write("\(follow)Ctrl-C ends, and removes the temporary database\n", to: STDOUT_FILENO)
            if let host = Self.openHostname {
                StandardStreams.note("other machines may connect: ROLLCALL_OPEN_HOSTNAME is \(host.printable)\n")
            } else if !self.address.noBrowser {
                Self.openBrowser(at: address)
            }
            watch.start()
        }
        StandardStreams.write(keeping(tables), to: STDOUT_FILENO)
    }

    /// Reads the tables for the first time. One of several that cannot be read is shown once it can. Returns `false` if
    /// a signal ended it, and throws the error of the last table if none can be read.
    private static func load(_ tables: [OpenedTable]) throws -> Bool {
        var failure: (any Error)?
        var count = 0
        for table in tables {
            do {
                guard try table.loadFirst() else { return false }
                count += 1
            } catch {
                failure = error
                if tables.count > 1 { StandardStreams.write("\(table.failure(error))\n") }
            }
        }
        if count == 0, let failure { throw failure }
        return true
    }

    /// Shows `address` if there is a desktop. Nobody hears of a failure: the address stands on the terminal.
    private static func openBrowser(at address: String) {
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
        // Nobody waits for it: some run until the browser ends.
        _ = try? ChildProcess("xdg-open", [address], environment: environment)
    }

    private var shownName: String {
        path.split(separator: "/").last.map { String($0).printable } ?? path.printable
    }

    /// Where a container is the machine, its image says by this variable that others may connect. An option could be
    /// given by mistake.
    private static var openHostname: String? { Environment.string("OPEN_HOSTNAME") }

    /// The commands that make the directories permanent, with the options that were given and the key that was chosen.
    private func keeping(_ tables: [OpenedTable]) -> String {
        let options = Arguments.given.filter { $0 != "open" }
        let imports = tables.map { table in
            var words = Self.withoutOwnOptions(options).map { $0 == path ? table.source.path : $0 }
            if !words.contains(table.source.path) { words.insert(table.source.path, at: 0) }
            // A folder's photos are found by the names of people.
            if let photos = table.source.options.photos, layout.fileOptions.photos == nil {
                words += ["--photos", photos]
            }
            let keys = identity.key.isEmpty ? table.chosenKey.map { $0.shellValue(of: "--key") } : []
            return "  " + (["rollcall", "import", "file"] + words.map(\.shellWord) + keys).joined(separator: " ")
        }
        return "To keep this directory:\n" + imports.joined(separator: "\n") + "\n  rollcall serve\n"
    }

    /// Leaves out the options that an import does not have.
    private static func withoutOwnOptions(_ words: [String]) -> [String] {
        var kept: [String] = []
        var rest = words.makeIterator()
        while let word = rest.next() {
            if word == "--port" {
                _ = rest.next()
            } else if word != "--no-browser", !word.hasPrefix("--port=") {
                kept.append(word)
            }
        }
        return kept
    }
}

extension Open: FileOpening {
    var openedPaths: [String?] { [path, layout.photos] }
}

struct OpenAddress: ParsableArguments {
    @OptionGroup var listening: PortOption

    @Flag(help: "Do not open a browser.")
    var noBrowser = false

    /// Throws if the arguments of the program have an option of a directory that is kept.
    static func refuseOthers(_ arguments: [String]) throws {
        guard arguments.first == "open" else { return }
        for name in arguments.prefix(while: { $0 != "--" }).map({ $0.prefix { $0 != "=" } }) {
            try expect(
                !["--database", "--directory", "--prune"].contains(name),
                "\(name) belongs to a directory that is kept: rollcall import file FILE \(name) …, then rollcall serve")
            try expect(
                name != "--hostname", "--hostname belongs to rollcall serve; this command serves this machine alone")
        }
    }

    /// Returns the port that was chosen, or the first free one from 8080 on.
    var freePort: Int { listening.port ?? (8080..<8180).first { SystemValues.isFree(port: UInt16($0)) } ?? 0 }
}
