import ArgumentParser
import Foundation
import Importers

struct ImportGit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "git", abstract: "Import the authors of a git repository.",
        discussion: """
            Every author and co-author of a commit that HEAD can reach becomes a person, with the number of commits as \
            reputation. A .mailmap is applied. E-mail addresses tell authors apart; they are neither stored nor shown. \
            Authors of one name of two words or more are one person. No-reply addresses of GitHub and GitLab name \
            accounts, which people's pages link to.

            The history of a URL is kept below ~/.cache/rollcall/git, without files, and each import fetches what is \
            new. A password in the URL is neither stored nor printed, and nobody is asked for one.
            """)

    @Argument(
        help: "The repository: a folder, bare or not, an https, ssh or file URL, or git@host:path.",
        completion: .directory)
    var path: String

    @Flag(
        help: "Fetch into the folder first, and read the remote branch that its own follows. A URL is always fetched.")
    var fetch = false

    @OptionGroup(title: "Authors") var authors: AuthorOptions

    @OptionGroup var options: ImportOptions
    @OptionGroup(title: "Import") var batches: BatchOptions

    func validate() throws {
        _ = try address
    }

    /// The address of a repository elsewhere; `nil` for a folder.
    private var address: GitAddress? {
        get throws { try checked { try GitAddress(path) } }
    }

    func run() throws {
        let (place, name): (GitSource.Place, String)
        if let address = try address {
            (place, name) = (.address(address, cache: Self.cacheFolder), address.name)
        } else {
            var folder = URL(fileURLWithPath: path).standardizedFileURL
            if folder.lastPathComponent == ".git" { folder.deleteLastPathComponent() }
            (place, name) = (.folder(path, isFetched: fetch), folder.lastPathComponent)
        }
        try ImportJob(
            options: options, kind: "git", target: options.importTarget(defaultName: name), batchSize: batches.batchSize
        ) { request, _, _ in GitSource(place, options: authors.chosen, request: request) }.run()
    }

    /// The folder of clones (XDG Base Directory Specification: a relative path does not count).
    private static var cacheFolder: String {
        let chosen = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (chosen ?? NSHomeDirectory() + "/.cache") + "/rollcall/git"
    }
}

/// The options that decide who counts as an author.
struct AuthorOptions: ParsableArguments {
    @Flag(help: "Do not count the people in Co-authored-by trailers.")
    var noCoAuthors = false

    @Flag(help: "Keep authors of one name apart if they have several addresses.")
    var noJoin = false

    @Option(
        value: "users.noreply.git.example.org",
        help: "A further domain of no-reply addresses that name accounts, such as your own GitHub's; repeatable.")
    var accountDomain: [String] = []

    var chosen: GitSource.Options {
        var options = GitSource.Options()
        options.countsCoAuthors = !noCoAuthors
        options.joinsNames = !noJoin
        options.accountDomains = accountDomain
        return options
    }
}
