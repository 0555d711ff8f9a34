import Bytes
import Foundation
import HTTP

/// What GitHub's clients ask for before they begin ("Get rate limit status", docs.github.com/en/rest/rate-limit/rate-limit).
///
/// There are no limits. An Enterprise Server without any says 404, which stops many of its clients; this one says that all
/// requests are left.
struct RateLimit {
    /// More than anybody asks in an hour, and small enough for clients that count in 32 bits.
    static let limit = 1_000_000

    /// When the hour ends that nothing was used in: in seconds since 1970, and always in an hour, as there.
    let reset: Int

    init(now: Date = Date()) { reset = Int(now.timeIntervalSince1970) + 3600 }

    func append(to buffer: ByteBuffer) {
        let rate = #"{"limit":\#(Self.limit),"used":0,"remaining":\#(Self.limit),"reset":\#(reset)}"#
        // `rate` is what `core` was called once.
        buffer.append(utf8: #"{"resources":{"core":\#(rate),"search":\#(rate)},"rate":\#(rate)}"#)
    }

    /// The same in fields, where some clients look after they have asked.
    func append(to fields: inout Fields) {
        fields.append("X-RateLimit-Limit", Self.limit)
        fields.append("X-RateLimit-Remaining", Self.limit)
        fields.append("X-RateLimit-Used", 0)
        fields.append("X-RateLimit-Reset", reset)
        fields.append("X-RateLimit-Resource", "core")
    }
}

extension PageRenderer {
    func rateLimit(_ client: ClientContext) -> Response {
        let rateLimit = RateLimit()
        var response = document(ResponseFormat.json.contentType, as: .json, cacheControl: "no-store", client) {
            rateLimit.append(to: $0)
        }
        response.fields.append("X-Robots-Tag", "noindex")
        rateLimit.append(to: &response.fields)
        return response
    }
}
