import Base
import Foundation

/// The address of a repository that is not a folder: an https, http, ssh, git or file URL, or `git@host:path`.
public struct GitAddress: Equatable, Sendable {
    /// The address for git and for messages. It holds no password: those of ssh have none to hold, and those of https
    /// are in ``credentials``.
    public let url: String
    /// The part of an https URL before the `@`: a name and a password, or a token. For git's environment alone.
    let credentials: String?

    /// The name of the repository: `x` for `https://host/group/x.git`.
    public let name: String

    /// How addresses may begin. `ext::` is a command to run.
    private static let beginnings = ["https://", "http://", "ssh://", "git://", "file://"]

    /// Returns `nil` for the path of a folder. Throws for what git would read as an option or as a command to run.
    public init?(_ text: String) throws(RollcallError) {
        try expect(!text.hasPrefix("-"), "expected a repository, found an option of git: \(text)")
        if let beginning = text.prefixMatch(of: /[A-Za-z0-9+.-]+::|[A-Za-z][A-Za-z0-9+.-]*:\/\//)?.output {
            try expect(
                Self.beginnings.contains(beginning.lowercased()),
                "expected a URL of https, ssh or file, found one that begins \(beginning)")
            (url, credentials) = Self.parts(of: text, scheme: String(beginning))
        } else if text.wholeMatch(of: /[A-Za-z0-9._][A-Za-z0-9._-]*@[A-Za-z0-9.\[][^\/:@]*:[^:].*/) != nil,
            !FileManager.default.fileExists(atPath: text)
        {
            (url, credentials) = (text, nil)
        } else {
            return nil
        }
        let last = url.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? ""
        name = last.hasSuffix(".git") ? String(last.dropLast(4)) : last
    }

    /// Takes the name and the password out of a URL. ssh needs the name, and takes no password.
    private static func parts(of text: String, scheme: String) -> (url: String, credentials: String?) {
        let rest = text.dropFirst(scheme.count)
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = host.lastIndex(of: "@") else { return (text, nil) }
        let user = rest[..<at]
        let address = rest[rest.index(after: at)...]
        if scheme.lowercased().hasPrefix("http") {
            return (scheme + address, String(user).removingPercentEncoding ?? String(user))
        }
        let name = user.prefix { $0 != ":" }
        return (scheme + (name.isEmpty ? "" : "\(name)@") + address, nil)
    }

    /// The variables that make git send the credentials to this host and to no other. Other users of the machine can
    /// read arguments, but not the environment.
    func environment(beside existing: [String: String]) -> [String: String] {
        guard var credentials, let slashes = url.firstRange(of: "//") else { return [:] }
        if !credentials.contains(":") { credentials += ":" }
        let host = url[..<slashes.upperBound] + url[slashes.upperBound...].prefix { $0 != "/" }
        let count = existing["GIT_CONFIG_COUNT"].flatMap { Int($0) } ?? 0
        return [
            "GIT_CONFIG_COUNT": "\(count + 1)", "GIT_CONFIG_KEY_\(count)": "http.\(host)/.extraHeader",
            "GIT_CONFIG_VALUE_\(count)": "Authorization: Basic \(Data(credentials.utf8).base64EncodedString())",
        ]
    }
}
