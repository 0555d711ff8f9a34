import Foundation
import Base
import Server
import Synchronization

/// GitHub's `GET /users` and `GET /users/{login}`, modelled on recordings of the real service.
public final class GitHubWorld: World {
    public struct Rules: Sendable {
        /// The number of requests until the rate limit is used up.
        public var remaining = 5000
        /// The seconds from now until the rate limit resets.
        public var resetsIn = 3600
        /// The only valid token; `nil` accepts any.
        public var token: String?
        /// The origin of next links; `nil` for the requested one.
        public var linkBase: String?

        public init() {}
    }

    private let accounts: Int
    private let rules: Mutex<Rules>
    private let record: @Sendable (Int64) -> String

    /// Creates accounts with sparse ids. `record` returns the JSON of one account.
    public init(
        accounts: Int, rules: Rules = Rules(), record: @escaping @Sendable (Int64) -> String = GitHubWorld.account
    ) {
        self.accounts = accounts
        self.rules = Mutex(rules)
        self.record = record
    }

    public func change(_ body: (inout Rules) -> Void) { rules.withLock { body(&$0) } }

    public func answer(_ asked: StandIn.Asked) -> Canned {
        guard asked.userAgent?.isEmpty == false else {
            return Canned(
                403, "Request forbidden by administrative rules. Please make sure your request has a User-Agent header")
        }
        guard asked.version == "2022-11-28" else { return Canned(400, #"{"message":"Unknown version"}"#) }
        if let token = rules.withLock({ $0.token }), asked.authorization != "Bearer \(token)" {
            return Canned(401, #"{"message":"Bad credentials","status":"401"}"#)
        }
        if asked.path == "/users" { return answerList(asked) }
        let login = asked.path.hasPrefix("/users/") ? asked.path.dropFirst(7).removingPercentEncoding ?? "" : ""
        guard let id = login.split(separator: "-").dropFirst().first.flatMap({ Int64($0.prefix { $0.isNumber }) }),
            Self.login(id) == login, first(after: id - 1) < accounts, Self.id(first(after: id - 1)) == id
        else {
            return Canned(
                404, #"{"message":"Not Found","documentation_url":"https://docs.github.com/rest","status":"404"}"#)
        }
        let details = #","name":"Person \#(id)","followers":\#(id * 2),"bio":null}"#
        return limited(asked, String(record(id).dropLast()) + details, next: nil)
    }

    private func answerList(_ asked: StandIn.Asked) -> Canned {
        guard let since = Int64(asked["since"] ?? "0"), let size = Int(asked["per_page"] ?? "30"), size <= 100 else {
            return Canned(422, #"{"message":"Validation Failed","errors":[]}"#)
        }
        let start = first(after: since)
        let page = (start..<min(start + size, accounts)).map(Self.id)
        let next = start + size < accounts ? page.last : nil
        return limited(asked, "[" + page.map(record).joined(separator: ",") + "]", next: next.map { ($0, size) })
    }

    /// Returns `body` if the rate limit allows it. A request with the current validator costs nothing.
    private func limited(_ asked: StandIn.Asked, _ body: String, next: (since: Int64, size: Int)?) -> Canned {
        let tag =
            "W/\"\(body.utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 })\""
        let isSame = asked.validator == tag
        let left = rules.withLock { rules -> (isSpent: Bool, remaining: Int, resetsIn: Int, base: String?) in
            let isSpent = rules.remaining <= 0 && !isSame
            if !isSame { rules.remaining = max(0, rules.remaining - 1) }
            return (isSpent, rules.remaining, rules.resetsIn, rules.linkBase)
        }
        var canned = Canned(
            200, bytes: asked.acceptsGzip ? Gzip.compressed(Array(body.utf8), level: 1) : Array(body.utf8))
        if asked.acceptsGzip { canned = canned.with("Content-Encoding", "gzip") }
        if isSame { canned = Canned(304) }
        if left.isSpent {
            canned = Canned(
                403,
                #"{"message":"API rate limit exceeded for 203.0.113.7.","documentation_url":"https://docs.github.com"}"#
            )
        }
        let reset = Int(Date().timeIntervalSince1970) + left.resetsIn
        canned = canned.with("ETag", tag).with("X-RateLimit-Limit", "5000")
            .with("X-RateLimit-Remaining", "\(left.remaining)").with("X-RateLimit-Reset", "\(reset)")
        guard let next, !left.isSpent else { return canned }
        let base = left.base ?? "http://\(asked.authority)"
        return canned.with(
            "Link",
            "<\(base)/users?since=\(next.since)&per_page=\(next.size)>; rel=\"next\", <\(base)/users{?since}>; rel=\"first\""
        )
    }

    /// Returns the id of the account at `index`.
    public static func id(_ index: Int) -> Int64 { Int64(1 + index * 3 + index % 2) }

    /// Returns the index of the first account with a greater id.
    private func first(after id: Int64) -> Int {
        var index = max(0, Int(id) / 3 - 1)
        while index < accounts, Self.id(index) <= id { index += 1 }
        return min(index, accounts)
    }

    private static func login(_ id: Int64) -> String { id % 7 == 0 ? "bot-\(id)[bot]" : "user-\(id)" }

    public static func account(_ id: Int64) -> String {
        let login = login(id)
        return
            #"{"login":"\#(login)","id":\#(id),"node_id":"MDQ6VXNlcjE=","avatar_url":"https://avatars.githubusercontent.com/u/\#(id)?v=4","gravatar_id":"","url":"https://api.github.com/users/\#(login)","html_url":"https://github.com/\#(login)","followers_url":"https://api.github.com/users/\#(login)/followers","gists_url":"https://api.github.com/users/\#(login)/gists{/gist_id}","type":"\#(id % 5 == 0 ? "Organization" : "User")","site_admin":false}"#
    }
}
