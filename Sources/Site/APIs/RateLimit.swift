import Base
import Foundation
import Server

/// The rate limits, which GitHub's clients request first ("Get rate limit status",
/// docs.github.com/en/rest/rate-limit/rate-limit).
///
/// Rollcall has no limits. GitHub Enterprise Server without limits responds with 404, which stops many clients. This
/// server reports that all requests are left.
struct RateLimit {
    /// More than any client sends in an hour, and small enough for clients that count in 32 bits.
    static let limit = 1_000_000

    /// The end of the current hour-long window, in seconds since 1970: always an hour from now, as at GitHub.
    let reset: Int

    init(now: Date = Date()) { reset = Int(now.timeIntervalSince1970) + 3600 }

    func append(to buffer: ByteBuffer) {
        let rate = #"{"limit":\#(Self.limit),"used":0,"remaining":\#(Self.limit),"reset":\#(reset)}"#
        // `rate` is the former name of `core`.
        buffer.append(utf8: #"{"resources":{"core":\#(rate),"search":\#(rate)},"rate":\#(rate)}"#)
    }

    /// Appends the same as header fields, which some clients read.
    func append(to fields: inout Fields) {
        fields.append("X-RateLimit-Limit", Self.limit)
        fields.append("X-RateLimit-Remaining", Self.limit)
        fields.append("X-RateLimit-Used", 0)
        fields.append("X-RateLimit-Reset", reset)
        fields.append("X-RateLimit-Resource", "core")
    }
}

extension RoutedRequest {
    func rateLimit() -> Reply {
        let rateLimit = RateLimit()
        var response = renderer.document(route.format.contentType, route, client) { rateLimit.append(to: $0) }
        rateLimit.append(to: &response.fields)
        return .now(response)
    }
}
