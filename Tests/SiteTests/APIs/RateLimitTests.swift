import Foundation
import Server
import Testing

@testable import Site

@Suite("GitHub rate limit")
struct RateLimitTests {
    @Test func allRequestsAreLeft() throws {
        let before = Int(Date().timeIntervalSince1970)
        let response = try SiteClient([.make(1)]).get("/api/v3/rate_limit")
        #expect(response.status == .ok && response.fields["Cache-Control"] == "no-store")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(response.text.utf8)) as? [String: [String: Any]])
        let core = try #require(object["resources"]?["core"] as? [String: Int])
        #expect(core["remaining"] == core["limit"] && core["used"] == 0)
        #expect(try #require(core["reset"]) > before)
        #expect(object["resources"]?["search"] as? [String: Int] == core && object["rate"] as? [String: Int] == core)
        for (field, key) in ["Limit": "limit", "Remaining": "remaining", "Used": "used", "Reset": "reset"] {
            #expect(response.fields["X-RateLimit-\(field)"].flatMap { Int($0) } == core[key])
        }
    }

    @Test func otherOriginsMayReadIt() throws {
        let response = try SiteClient().get("/api/v3/rate_limit", "Accept-Encoding: gzip, identity;q=0")
        #expect(response.fields["Content-Encoding"] == "gzip" && response.fields["Vary"] == "Accept-Encoding")
        #expect(response.fields["Access-Control-Allow-Origin"] == "*")
    }
}
