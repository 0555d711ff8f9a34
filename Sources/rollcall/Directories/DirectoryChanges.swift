import ArgumentParser
import People
import Publishing

struct RenameDirectory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a directory another slug.",
        discussion: """
            URLs with the old slug redirect to the new one, and files whose name gives the old slug go on filling the \
            directory, until another directory gets that slug; --directory takes the new one.
            """)

    @Argument(help: "The present slug.", transform: Slug.read)
    var old: Slug

    @Argument(help: "The new slug.", transform: Slug.read)
    var new: Slug

    @OptionGroup var options: DatabaseOptions

    func run() throws {
        try options.open().rename(old, to: new)
        print("\(old) is now called \(new)")
    }
}

struct DefaultDirectory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "default", abstract: "Make a directory the default, for URLs that name none.",
        discussion: "A server that was started with --directory keeps showing that directory.")

    @Argument(help: "The directory's slug.", transform: Slug.read)
    var slug: Slug

    @OptionGroup var options: DatabaseOptions

    func run() throws {
        try options.open().makeDefault(slug)
        print("\(slug) is now the default")
    }
}

struct ReindexDirectory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reindex", abstract: "Rebuild the orders, filters and search index of a directory.",
        discussion: """
            Imports and changes of settings keep these up to date. You need this command only after an update that \
            changes sorting or searching. Until it is done, a running server uses the old ones.
            """)

    @Argument(help: "The directory's slug.", transform: Slug.read)
    var slug: Slug

    @OptionGroup var options: DatabaseOptions

    func run() throws {
        var count = 0
        try options.open().reindex(slug) { done in
            count = done
            StandardStreams.overwrite("\(grouped(done)) users")
        }
        if count > 0 { StandardStreams.overwrite("") }
        print("\(slug): rebuilt the orders, filters and search index of \(grouped(count)) users")
    }
}

struct RemoveDirectory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a directory and everyone in it.",
        discussion: """
            Asks first on a terminal; elsewhere --yes is required. Forgotten people stay forgotten: if the directory \
            is created again, imports into it still skip them.
            """)

    @Argument(help: "The directory's slug.", transform: Slug.read)
    var slug: Slug

    @OptionGroup var consent: ConsentOption
    @OptionGroup var options: DatabaseOptions

    func run() throws {
        let store = try options.open()
        // Throws an error that lists the directories if this one does not exist.
        let total = grouped(try store.directory(named: slug).total)
        guard try consent.yes || isWanted("\(slug) and its \(total) users") else {
            print("nothing was removed")
            throw ExitCode.failure
        }
        let space = try store.remove(slug)
        print("removed \(slug) with \(total) users")
        // Smaller sizes are not reported.
        guard space.bytes >= 1 << 20 else { return }
        let size = "\(grouped(Int(space.bytes >> 20))) MiB"
        print(
            space.isGivenBack
                ? "\(size) were returned to the disk"
                : "\(size) of \(options.database) are free for later imports; sqlite3's VACUUM returns them to the disk"
        )
    }

    private func isWanted(_ what: String) throws -> Bool {
        try expect(
            Consent.canAsk,
            "expected --yes to remove \(what), because this is not a terminal where Rollcall could ask")
        return Consent.isGiven("Remove \(what)?")
    }
}

extension Slug {
    static func read(_ text: String) throws -> Slug {
        try required(Slug(text), "expected 1 to 64 of a–z, 0–9, - and _, starting with a letter or digit")
    }
}

extension Collection<Slug> {
    /// The slugs in messages.
    var list: String { isEmpty ? "none" : map(\.text).joined(separator: ", ") }
}

/// The directory of a command in its messages, or all of them if it names none.
extension Slug? {
    var everywhere: String { map { "in \($0.text)" } ?? "in all directories" }
    /// For what is in none of them.
    var nowhere: String { map { "in \($0.text)" } ?? "in any directory" }
}
