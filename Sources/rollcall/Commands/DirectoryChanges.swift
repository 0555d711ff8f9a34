import ArgumentParser
import Directories
import Foundation

struct RenameDirectory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a directory another slug.",
        discussion: "Addresses with the old one lead nowhere from then on; imports go on with --directory NEW.")

    @Argument(help: "Its slug.", transform: Slug.read)
    var old: Slug

    @Argument(help: "The slug it gets.", transform: Slug.read)
    var new: Slug

    @OptionGroup var options: DatabaseOptions

    func run() throws {
        try options.open().rename(old, to: new)
        print("\(old) is \(new) now")
    }
}

struct DefaultDirectory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "default", abstract: "Make a directory the one that is shown where nobody says which.",
        discussion: "A server that was started with --directory shows that one.")

    @Argument(help: "Its slug.", transform: Slug.read)
    var slug: Slug

    @OptionGroup var options: DatabaseOptions

    func run() throws {
        try options.open().makeDefault(slug)
        print("\(slug) is the default now")
    }
}

struct RemoveDirectory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a directory and everybody in it.",
        discussion: """
            On a terminal it asks first; elsewhere it needs --yes. Whom imports into it skip, because they were forgotten, they go \
            on skipping if it is made again.
            """)

    @Argument(help: "Its slug.", transform: Slug.read)
    var slug: Slug

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var options: DatabaseOptions

    func validate() throws {
        _ = Environment.bool("YES")
        try Environment.check()
    }

    func run() throws {
        let store = try options.open()
        // Says which there are, if this is none.
        let total = grouped(try store.directory(named: slug.text).total)
        guard try yes || Environment.bool("YES") == true || isWanted("\(slug) and its \(total) users") else {
            print("nothing was removed")
            throw ExitCode.failure
        }
        let space = try store.remove(slug)
        print("\(slug) is removed, with \(total) users")
        // Less is not worth a line.
        guard space.bytes >= 1 << 20 else { return }
        let size = "\(grouped(Int(space.bytes >> 20))) MiB"
        print(
            space.isGivenBack
                ? "\(size) are given back to the disk"
                : "\(size) of \(options.database) are free for what is imported next; sqlite3's VACUUM gives them back to the disk"
        )
    }

    private func isWanted(_ what: String) throws -> Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw ValidationError("expected --yes, because nobody can be asked here whether to remove \(what)")
        }
        print("Remove \(what)? [y/N] ", terminator: "")
        fflush(nil)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}

extension Slug {
    /// What commands say of it.
    static let rule = "1 to 64 of a–z, 0–9, - and _, starting with a letter or digit"

    /// Reads one on a command line.
    static func read(_ text: String) throws -> Slug {
        guard let slug = Slug(text) else { throw ValidationError("expected \(rule)") }
        return slug
    }
}
