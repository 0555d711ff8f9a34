/// The account that a no-reply address names. The address is the committer's own claim; nothing proves that the account
/// is theirs.
struct GitAccount: Equatable {
    /// The name at the service.
    var login: String
    /// The number of the account there, if the address has one.
    var number: String?
    /// The address of the service, such as `github.com`.
    var host: String

    /// The page of the account.
    var url: String { "https://\(host)/\(login)" }
    /// The picture of the account, if its address is known: only GitHub's depends on the number alone.
    var picture: String? {
        host == "github.com" ? number.map { "https://avatars.githubusercontent.com/u/\($0)" } : nil
    }

    /// The domains of GitHub's and GitLab's no-reply addresses.
    static let domains = ["users.noreply.github.com", "users.noreply.gitlab.com"]

    /// Reads a no-reply address, in any case. Returns `nil` for any other address.
    ///
    /// GitHub's are `ID+LOGIN@users.noreply.github.com` and, before 2017, `LOGIN@users.noreply.github.com`
    /// (docs.github.com, "Setting your commit email address"); GitLab's are `ID-LOGIN@users.noreply.gitlab.com`
    /// (docs.gitlab.com, "Use an automatically generated private commit email"). Self-hosted installations prefix their
    /// host with `users.noreply.`.
    ///
    /// - Parameter domains: the domains whose addresses name accounts, in lower case.
    init?(_ address: String, in domains: [String]) {
        guard let at = address.lastIndex(of: "@"), case let domain = address[address.index(after: at)...].lowercased(),
            domains.contains(domain),
            // A bot's login ends with `[bot]`, and its page is another one.
            let parts = address[..<at].wholeMatch(of: /(?:([0-9]{1,20})[+-])?([A-Za-z0-9._-]{1,100})/),
            ![".", ".."].contains(parts.2)
        else { return nil }
        host = domain.hasPrefix("users.noreply.") ? String(domain.dropFirst("users.noreply.".count)) : domain
        (number, login) = (parts.1.map(String.init), String(parts.2))
    }
}
