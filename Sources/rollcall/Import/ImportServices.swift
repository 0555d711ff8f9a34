import ArgumentParser
import Foundation
import Importers

struct ImportGitHub: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "github", abstract: "Import the accounts of GitHub, or of an Enterprise Server.",
        discussion: """
            Asks for every account, in the order in which they signed up. The token comes from GITHUB_TOKEN or a file \
            and needs no scopes. An import that was interrupted or ended by a limit continues where it stopped.
            """)

    @OptionGroup(title: "GitHub") var accounts: AccountOptions
    @OptionGroup var options: ImportOptions
    @OptionGroup(title: "Requests") var service: ServiceOptions

    struct AccountOptions: ParsableArguments {
        @Option(value: "file", help: "A file with the token, instead of GITHUB_TOKEN.")
        var tokenFile: String?

        @Flag(
            help: "Also ask for each account's own record, with one request each: name, followers, location and so on.")
        var details = false
    }

    func run() throws {
        let token = try ServiceOptions.secret(
            file: accounts.tokenFile, option: "--token-file", variable: "GITHUB_TOKEN")
        let github = try GitHub(
            base: service.base(or: "https://api.github.com"), details: accounts.details, token: token)
        try service.run(github, kind: "github", defaultName: "github", options)
    }
}

struct ImportStackExchange: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stackexchange", abstract: "Import the users of a Stack Exchange site.",
        discussion: """
            The key comes from STACKEXCHANGE_KEY or a file. Without a key, Stack Exchange allows 300 requests a day \
            and only the first 2,500 users of a site.
            """)

    @OptionGroup(title: "Stack Exchange") var users: UserOptions
    @OptionGroup var options: ImportOptions
    @OptionGroup(title: "Requests") var service: ServiceOptions

    struct UserOptions: ParsableArguments {
        @Option(help: "The site, as the API names it: stackoverflow, superuser, french and so on.")
        var site = "stackoverflow"

        @Flag(help: "Only the moderators of the site.")
        var moderators = false

        @Option(value: "file", help: "A file with the key, instead of STACKEXCHANGE_KEY.")
        var keyFile: String?

        func validate() throws {
            try expect(!site.isEmpty, "--site: expected the name of a site, found none")
        }
    }

    func run() throws {
        let key = try ServiceOptions.secret(
            file: users.keyFile, option: "--key-file", variable: "STACKEXCHANGE_KEY")
        let exchange = try StackExchange(
            base: service.base(or: "https://api.stackexchange.com/2.3"), site: users.site, moderators: users.moderators,
            key: key)
        let name = users.site.replacingOccurrences(of: ".", with: "-") + (users.moderators ? "-moderators" : "")
        try service.run(exchange, kind: "stackexchange", defaultName: name, options)
    }
}

struct ImportRickAndMorty: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rickandmorty", abstract: "Import the characters of the Rick and Morty API.")

    @OptionGroup var options: ImportOptions
    @OptionGroup(title: "Requests") var service: ServiceOptions

    func run() throws {
        let characters = try RickAndMorty(base: service.base(or: "https://rickandmortyapi.com/api"))
        try service.run(characters, kind: "rickandmorty", defaultName: "rickandmorty", options)
    }
}
