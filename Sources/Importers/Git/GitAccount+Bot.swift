// Authors that are programs are recognized by their accounts and addresses. A name alone says nothing: Claude Monet is
// a person.

extension GitAccount {
    /// Whether an account is a program's: `renovate[bot]`, `k8s-bot`.
    static func isBot(_ login: String) -> Bool {
        let login = login.lowercased()
        return login == "bot" || login.hasSuffix("[bot]") || login.hasSuffix("-bot")
    }

    /// Whether an address is a program's: that of such an account, with its number or not, or one that a vendor's
    /// program is known to use.
    static func isBot(address: String) -> Bool {
        let address = address.lowercased()
        let plain = String(address.prefix { $0 != "@" }.replacing(/^[0-9]*\+/, with: ""))
        let host = address.drop { $0 != "@" }
        return isBot(plain) || bots.contains(plain + host)
            // GitLab's tokens of projects and groups: `project_42_bot_1f2e@noreply.gitlab.com`.
            || host.hasPrefix("@noreply.") && plain.wholeMatch(of: /(project|group)_[0-9]+_bot(_[0-9a-z]+)?/) != nil
    }

    private static let bots: Set<String> = [
        // Assistants that write code.
        "noreply@anthropic.com", "copilot@users.noreply.github.com", "copilot@github.com", "cursoragent@cursor.com",
        "noreply@openai.com", "codex@openai.com", "noreply@aider.chat", "aider@aider.chat", "amp@ampcode.com",
        "noreply@opencode.ai", "openhands@all-hands.dev", "gemini-code-assist@google.com", "noreply@sweep.dev",
        // Updates, translations and releases.
        "support@dependabot.com", "action@github.com", "actions@github.com", "github-actions@github.com",
        "support@greenkeeper.io", "imgbothelp@gmail.com", "noreply@weblate.org", "hosted@weblate.org",
        "support+bot@crowdin.com", "support@crowdin.com", "noreply@github.com",
        // Builds.
        "travis@travis-ci.org", "deploy@travis-ci.org", "builds@travis-ci.org", "builds@travis-ci.com",
        "builds@circleci.com",
    ]
}
