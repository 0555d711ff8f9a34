import Foundation
import Base
import Server
import Synchronization

/// Stack Exchange's `/users` and `/users/moderators`: always compressed, with entities in text, and with quota and
/// `backoff` in responses.
public final class StackExchangeWorld: World {
    public struct Rules: Sendable {
        public var quota = 300
        /// Sent with the next successful responses, one after the other; 0 for none.
        public var backoffs: [Int] = []
        /// The only valid key.
        public var key: String?

        public init() {}
    }

    private let users: Int
    private let rules = Mutex(Rules())

    public init(users: Int) { self.users = users }

    public func change(_ body: (inout Rules) -> Void) { rules.withLock { body(&$0) } }

    public func answer(_ asked: StandIn.Asked) -> Canned {
        let isModerators = asked.path == "/2.3/users/moderators"
        guard isModerators || asked.path == "/2.3/users" else {
            return Self.error(404, "no_method", "this method does not exist")
        }
        guard let site = asked["site"], ["stackoverflow", "french"].contains(site) else {
            return Self.error(400, "bad_parameter", "No site found for name `\(asked["site"] ?? "")`")
        }
        guard let page = Int(asked["page"] ?? "1"), let size = Int(asked["pagesize"] ?? "30"), page > 0, size <= 100,
            asked["sort"] == "creation", asked["order"] == "asc"
        else { return Self.error(400, "bad_parameter", "pagesize") }
        let (good, quota, backoff) = rules.withLock { rules -> (String?, Int, Int) in
            rules.quota = max(0, rules.quota - 1)
            return (rules.key, rules.quota, rules.backoffs.isEmpty ? 0 : rules.backoffs.removeFirst())
        }
        if let key = asked["key"], let good, key != good {
            return Self.error(400, "bad_parameter", "`key` doesn't match a known application: \(key)")
        }
        if page > 25, asked["key"] == nil {
            return Self.error(403, "access_denied", "page above 25 requires access token or app key")
        }
        let ids = Array(
            Array(1...max(users, 1)).filter { users > 0 && (!isModerators || $0 % 10 == 0) }.dropFirst(
                (page - 1) * size))
        let items = ids.prefix(size).map(Self.user).joined(separator: ",")
        let pause = backoff > 0 ? ",\"backoff\":\(backoff)" : ""
        return Self.packed(
            200,
            #"{"items":[\#(items)],"has_more":\#(ids.count > size)\#(pause),"quota_max":300,"quota_remaining":\#(quota)}"#
        )
    }

    /// Returns an error like the service's: the status is 400 whatever `number` is.
    public static func error(_ number: Int, _ name: String, _ message: String) -> Canned {
        packed(400, #"{"error_id":\#(number),"error_message":"\#(message)","error_name":"\#(name)"}"#)
    }

    private static func packed(_ status: Int, _ text: String) -> Canned {
        Canned(status, bytes: Gzip.compressed(Array(text.utf8), level: 1)).with("Content-Encoding", "gzip")
            .with("Content-Type", "application/json; charset=utf-8")
    }

    private static func user(_ id: Int) -> String {
        let name = id == 1 ? "V&#228;sterv&#229;la O&#39;Brien" : id == 2 ? "&amp;amp;" : "User \(id)"
        return
            #"{"badge_counts":{"bronze":\#(id),"silver":2,"gold":1},"account_id":\#(id + 1000),"is_employee":false,"reputation":\#(id * 10),"creation_date":\#(1_200_000_000 + id),"user_type":"registered","user_id":\#(id),"website_url":"","location":"Espa&#241;a","link":"https://stackoverflow.com/users/\#(id)/x","display_name":"\#(name)"}"#
    }
}
