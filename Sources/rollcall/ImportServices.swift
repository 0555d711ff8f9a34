import ArgumentParser
import Foundation
import Importers

struct ImportGitHub: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "github", abstract: "Import the accounts of GitHub, or of an Enterprise Server.",
        discussion: """
            Asks for every account in the order of signing up. A token comes from GITHUB_TOKEN or a file; it needs no scopes. \
            An import that was interrupted, or that a limit ended, goes on where it was.
            """)

    @Option(help: ArgumentHelp("The API; an Enterprise Server's is https://HOST/api/v3.", valueName: "url"))
    var baseUrl = Environment.string("BASE_URL") ?? "https://api.github.com"

    @Option(parsing: .unconditional, help: ArgumentHelp("Only accounts with a greater id.", valueName: "id"))
    var since = Environment.int("SINCE") ?? 0

    @Flag(help: "Ask for each account's own record, too, one request each: name, followers, place and so on.")
    var details = false

    @Option(help: ArgumentHelp("A file that holds the token, instead of GITHUB_TOKEN.", valueName: "file"))
    var tokenFile: String?

    @OptionGroup var service: ServiceOptions
    @OptionGroup var options: ImportOptions

    func validate() throws {
        _ = (try ServiceOptions.base(baseUrl), Environment.bool("DETAILS"))
        try Environment.check()
        guard since >= 0 else { throw ValidationError("--since: expected 0 or more, found \(since)") }
        if options.isPruning, since > 0 {
            throw ValidationError(
                "--prune goes with a whole import, and --since leaves accounts out: expected one of them")
        }
    }

    func run() throws {
        let token = try ServiceOptions.secret(
            file: tokenFile ?? Environment.string("TOKEN_FILE"), option: "--token-file", variable: "GITHUB_TOKEN")
        let github = try GitHub(
            base: ServiceOptions.base(baseUrl), since: Int64(since),
            details: details || Environment.bool("DETAILS") == true, token: token)
        try service.run(github, kind: "github", defaultName: "github", options)
    }
}

struct ImportStackExchange: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stackexchange", abstract: "Import the users of a Stack Exchange site.",
        discussion: """
            A key comes from STACKEXCHANGE_KEY or a file. Without one, 300 requests a day and 25 pages of 100 users are allowed.
            """)

    @Option(help: "The site, as its API calls it: stackoverflow, superuser, french and so on.")
    var site = Environment.string("SITE") ?? "stackoverflow"

    @Flag(help: "Only the site's moderators.")
    var moderators = false

    @Option(help: ArgumentHelp("The API.", valueName: "url"))
    var baseUrl = Environment.string("BASE_URL") ?? "https://api.stackexchange.com/2.3"

    @Option(help: ArgumentHelp("A file that holds the key, instead of STACKEXCHANGE_KEY.", valueName: "file"))
    var keyFile: String?

    @OptionGroup var service: ServiceOptions
    @OptionGroup var options: ImportOptions

    func validate() throws {
        _ = (try ServiceOptions.base(baseUrl), Environment.bool("MODERATORS"))
        try Environment.check()
        if site.isEmpty { throw ValidationError("--site: expected the name of a site, found none") }
    }

    func run() throws {
        let key = try ServiceOptions.secret(
            file: keyFile ?? Environment.string("KEY_FILE"), option: "--key-file", variable: "STACKEXCHANGE_KEY")
        let isModerators = moderators || Environment.bool("MODERATORS") == true
        let exchange = try StackExchange(
            base: ServiceOptions.base(baseUrl), site: site, moderators: isModerators, key: key)
        let name = site.replacingOccurrences(of: ".", with: "-") + (isModerators ? "-moderators" : "")
        try service.run(exchange, kind: "stackexchange", defaultName: name, options)
    }
}

struct ImportRickAndMorty: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rickandmorty", abstract: "Import the characters of the Rick and Morty API.")

    @Option(help: ArgumentHelp("The API.", valueName: "url"))
    var baseUrl = Environment.string("BASE_URL") ?? "https://rickandmortyapi.com/api"

    @OptionGroup var service: ServiceOptions
    @OptionGroup var options: ImportOptions

    func validate() throws { _ = try ServiceOptions.base(baseUrl) }

    func run() throws {
        let characters = try RickAndMorty(base: ServiceOptions.base(baseUrl))
        try service.run(characters, kind: "rickandmorty", defaultName: "rickandmorty", options)
    }
}
