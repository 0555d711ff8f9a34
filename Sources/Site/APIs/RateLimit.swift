import Base
import Foundation
import Server

extension RoutedRequest {
    /// The rate limits, which GitHub's clients request first ("Get rate limit status",
    /// docs.github.com/en/rest/rate-limit/rate-limit), in the body and as header fields, which some clients read.
    ///
    /// Rollcall has no limits. GitHub Enterprise Server without limits responds with 404, which stops many clients.
    /// This server reports that all requests are left.
    func rateLimit() -> Reply {
        // More than any client sends in an hour, and small enough for clients that count in 32 bits.
        let limit = 1_000_000
        // The end of the current hour-long window: always an hour from now, as at GitHub.
        let reset = Int(Date().timeIntervalSince1970) + 3600
        let rate = #"{"limit":\#(limit),"used":0,"remaining":\#(limit),"reset":\#(reset)}"#
        var response = renderer.document(route.format.contentType, route, client) { body in
            // `rate` is the former name of `core`.
            body.append(utf8: #"{"resources":{"core":\#(rate),"search":\#(rate)},"rate":\#(rate)}"#)
        }
        response.fields.append("X-RateLimit-Limit", limit)
        response.fields.append("X-RateLimit-Remaining", limit)
        response.fields.append("X-RateLimit-Used", 0)
        response.fields.append("X-RateLimit-Reset", reset)
        response.fields.append("X-RateLimit-Resource", "core")
        return .now(response)
    }
}
