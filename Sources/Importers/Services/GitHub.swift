import Base
import Foundation
import HTTPClient
import People
import Publishing

/// GitHub's accounts in the order of registration, on github.com or an Enterprise Server.
public struct GitHub: Service {
    public let name = "GitHub"
    public let settings = BuiltInSettings.gitHub
    public let base: WebAddress
    public let start: WebAddress
    public let secret: Secret?
    public let retryPause = Duration.seconds(1)
    public let hasNumberedPages = false
    public var peoplePerRequest: Int { asksForDetails ? 1 : Self.pageSize }
    private let asksForDetails: Bool

    /// The maximum of the API.
    private static let pageSize = 100

    /// Creates a source of all accounts. With `details`, it also requests each account's own record.
    public init(base: WebAddress, details: Bool = false, token: Secret? = nil) throws(RollcallError) {
        self.base = base
        asksForDetails = details
        secret = token
        start = try base.below("users").appending("since", "0").appending("per_page", "\(Self.pageSize)")
    }

    public var scope: String { "github \(base) details=\(asksForDetails)" }

    public var purpose: String {
        let how = asksForDetails ? "\(Self.pageSize) at a time and then one by one" : "\(Self.pageSize) at a time"
        let quota =
            secret == nil
            ? "without a token: github.com allows 60 requests an hour; with a token in GITHUB_TOKEN or --token-file, 5,000"
            : "with a token: github.com allows 5,000 requests an hour"
        return "asking \(base) for all accounts, \(how), \(quota)"
    }

    public var terms: Terms {
        Terms(
            attribution: name, attributionURL: base.host == "api.github.com" ? "https://github.com" : base.site)
    }

    public func request(_ address: WebAddress) -> ClientRequest {
        var fields = [("Accept", "application/vnd.github+json"), ("X-GitHub-Api-Version", "2022-11-28")]
        if let secret { fields.append(("Authorization", "Bearer \(secret.text)")) }
        return ClientRequest(address, fields: fields)
    }

    public func read(_ answer: ClientAnswer, at address: WebAddress, now: Date) -> ServiceAnswer {
        let quota = self.quota(answer)
        let backoff = quota.flatMap { self.backoff($0, answer, now) }
        return ServiceAnswer(
            disposition: judge(answer, backoff, at: address, now), backoff: backoff, quota: quota)
    }

    private func judge(
        _ answer: ClientAnswer, _ backoff: Backoff?, at address: WebAddress, _ now: Date
    ) -> ResponseDisposition {
        switch answer.status {
        // A retry could lock the account for a while.
        case 401: return .refused("GitHub does not accept the token: \(answer.message ?? "401")")
        case 403, 429:
            // In the order of "Rate limits for the REST API".
            let pauseEnd = answer.pauseEnd(now: now)
            if pauseEnd == nil, let backoff { return .limited(until: backoff.until, backoff.reason) }
            return answer.status == 403 && !Self.speaksOfLimit(answer)
                ? .refused(told(answer)) : .limited(until: pauseEnd, told(answer))
        default: return judgeByStatus(answer, now: now) { try page(answer, at: address) }
        }
    }

    /// Whether a 403 reports a limit: "API rate limit exceeded", "You have exceeded a secondary rate limit", and on
    /// older Enterprise Servers "You have triggered an abuse detection mechanism".
    private static func speaksOfLimit(_ answer: ClientAnswer) -> Bool {
        let message = answer.message?.lowercased() ?? ""
        return answer.fields["retry-after"] != nil || message.contains("limit") || message.contains("abuse")
    }

    /// Returns a pause until the limit is reset, if it is used up.
    private func backoff(_ quota: Quota, _ answer: ClientAnswer, _ now: Date) -> Backoff? {
        guard quota.remaining <= 0, let reset = quota.reset else { return nil }
        return Backoff(until: answer.here(reset, now: now), reason: "\(name)'s limit is used up")
    }

    private func quota(_ answer: ClientAnswer) -> Quota? {
        guard let remaining = answer.number("x-ratelimit-remaining") else { return nil }
        // A time outside of this range is invalid, and would not fit a date.
        let reset = answer.number("x-ratelimit-reset").flatMap { (0...253_402_300_799).contains($0) ? $0 : nil }
            .map { Date(timeIntervalSince1970: TimeInterval($0)) }
        return Quota(remaining: remaining, limit: answer.number("x-ratelimit-limit"), reset: reset)
    }

    private func page(_ answer: ClientAnswer, at address: WebAddress) throws -> ServicePage {
        let body = answer.body
        if isRecord(address) {
            _ = try JSONObjectView(body)
            return ServicePage(records: [0..<body.count])
        }
        var page = ServicePage(records: try JSONObjectView.elements(of: body))
        page.next = answer.nextLink
        return asksForDetails ? try detailed(page, body) : page
    }
}

// MARK: - Details

extension GitHub {
    /// Replaces records of the list by links to the accounts' own records, unless the login is missing or cannot be a
    /// path segment (RFC 3986 §5.2.4).
    private func detailed(_ page: ServicePage, _ body: [UInt8]) throws -> ServicePage {
        var detailed = page
        detailed.records = []
        for record in page.records {
            let login = (try? JSONObjectView(Array(body[record])))?.text("login") ?? ""
            if !["", ".", ".."].contains(login), login.utf8.count <= Self.longestLogin {
                detailed.details.append(try base.below("users/\(WebAddress.encoded(login))").text)
            } else {
                detailed.records.append(record)
            }
        }
        return detailed
    }

    /// Four times the length of any account's login.
    private static let longestLogin = 255

    public func isRecord(_ address: WebAddress) -> Bool {
        (try? base.below("users/")).map { address.text.hasPrefix($0.text) } ?? false
    }
}
