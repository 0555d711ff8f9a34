import Foundation

/// The URL of a PostgreSQL database, as libpq reads it: `postgres://user@host1,host2/name?sslmode=verify-full`. It may
/// hold a password, so only the store gets ``text``, and messages show the ``description``.
struct DatabaseURL: CustomStringConvertible, CustomReflectable, Sendable {
    let text: String
    /// The URL without passwords.
    let description: String

    /// Returns `nil` if `text` begins with another scheme, or with none.
    init?(_ text: String) {
        guard let scheme = text.prefixMatch(of: /(?i)postgres(ql)?:\/\//) else { return nil }
        self.text = text
        description = scheme.output.0 + Self.withoutPasswords(text[scheme.range.upperBound...])
    }

    var hasPassword: Bool { description != text }

    var customMirror: Mirror { Mirror(reflecting: description) }

    /// Removes the password of the user and of the parameters. A malformed URL loses more rather than less: libpq ends
    /// the name of the user at the first slash, but a password may have a slash that somebody forgot to escape.
    private static func withoutPasswords(_ text: Substring) -> String {
        var (rest, user) = (text, "")
        if let at = text.lastIndex(of: "@") {
            user = text[..<at].prefix { $0 != ":" } + "@"
            rest = text[text.index(after: at)...]
        }
        guard let mark = rest.firstIndex(of: "?") else { return user + rest }
        let parameters = rest[rest.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let shown = parameters.filter { !isSecret($0) }
        return user + rest[..<mark] + (shown.isEmpty ? "" : "?" + shown.joined(separator: "&"))
    }

    /// Whether a parameter is `password`, or `sslpassword` for the key of a certificate.
    private static func isSecret(_ parameter: Substring) -> Bool {
        let name = parameter.prefix { $0 != "=" }
        return (name.removingPercentEncoding ?? String(name)).lowercased().contains("password")
    }
}
