import Base
import Foundation
import HTTPClient
import People
import Publishing

/// The users of a site of the Stack Exchange network, or its moderators, oldest first.
public struct StackExchange: Service {
    public let name = "Stack Exchange"
    public let settings = BuiltInSettings.stackExchange
    public let base: WebAddress
    public let start: WebAddress
    public let secret: Secret?
    public let peoplePerRequest = 100
    public let hasNumberedPages = true
    /// The API asks clients not to repeat a request within a minute ("Throttles", api.stackexchange.com/docs/throttle).
    public let retryPause = Duration.seconds(60)
    private let site: String
    private let isModerators: Bool

    public init(base: WebAddress, site: String, moderators: Bool = false, key: Secret? = nil) throws(RollcallError) {
        self.base = base
        self.site = site
        isModerators = moderators
        secret = key
        // In the default order, by reputation, users move while the pages are read: some would come twice, others
        // never.
        start = try base.below(moderators ? "users/moderators" : "users").appending("site", site)
            .appending("sort", "creation").appending("order", "asc").appending("pagesize", "100").appending("page", "1")
    }

    public var scope: String { "stackexchange \(base) site=\(site) moderators=\(isModerators)" }

    public var purpose: String {
        let who = isModerators ? "the moderators" : "the users"
        let quota =
            secret == nil
            ? "without a key: 300 requests a day and only the first 2,500 users; with a key in STACKEXCHANGE_KEY or --key-file, "
                + "10,000 requests a day and all users"
            : "with a key: 10,000 requests a day"
        return "asking \(base) for \(who) of \(site), 100 at a time, oldest first, \(quota)"
    }

    /// The content is licensed under CC BY-SA, which requires attribution with a link to the source.
    public var terms: Terms {
        Terms(
            licence: "CC BY-SA 4.0", licenceURL: "https://creativecommons.org/licenses/by-sa/4.0/",
            attribution: "\(host) of the Stack Exchange network", attributionURL: "https://\(host)/users")
    }

    /// Most sites are subdomains of the network's host: `french`, `codegolf.meta`. Sites with a domain of their own are
    /// not: `pt.stackoverflow`.
    private var host: String {
        switch site.split(separator: ".").last {
        case "com", "net": site
        case "stackoverflow", "superuser", "serverfault", "askubuntu", "stackapps", "stackexchange": "\(site).com"
        case "mathoverflow": "\(site).net"
        default: "\(site).stackexchange.com"
        }
    }

    /// Adds the key to the URL here only: addresses are logged and saved without it.
    public func request(_ address: WebAddress) throws -> ClientRequest {
        ClientRequest(try secret.map { try address.appending("key", $0.text) } ?? address)
    }

    public func read(_ answer: ClientAnswer, at address: WebAddress, now: Date) -> ServiceAnswer {
        let json = try? JSONObjectView(answer.body)
        return ServiceAnswer(
            disposition: json.flatMap { error($0, answer, at: address, now) }
                ?? judgeByStatus(answer, now: now) { try page(json ?? JSONObjectView(answer.body), at: address) },
            backoff: json.flatMap { backoff($0, now) }, quota: json.flatMap(Self.quota))
    }

    /// Returns what an error means; `nil` if the answer is none.
    private func error(
        _ json: JSONObjectView, _ answer: ClientAnswer, at address: WebAddress, _ now: Date
    ) -> ResponseDisposition? {
        guard let number = json.number("error_id") else { return nil }
        let text = answer.message ?? "no message"
        let told = "\(name) answered \(json.text("error_name") ?? "error \(number)"): \(text)"
        switch number {
        case 502: return .limited(until: Self.seconds(in: text).map { now + $0 }, told)
        case 500, 503: return .failed(told)
        // An import with a key, or of an earlier version, stopped there.
        case 403 where secret == nil && Self.numberedPage(address).map { $0.number > Self.pagesWithoutKey } == true:
            return .gone(told)
        default: return .refused(told)
        }
    }

    private static func quota(_ json: JSONObjectView) -> Quota? {
        json.number("quota_remaining").map { Quota(remaining: $0, limit: json.number("quota_max")) }
    }

    private func page(_ json: JSONObjectView, at address: WebAddress) throws -> ServicePage {
        let hasMore = try required(
            json.flag("has_more"), "expected \"has_more\" to be true or false, found neither")
        var page = ServicePage(records: try json.elements("items"))
        guard hasMore else { return page }
        if peopleLeft(after: address) == 0 {
            page.cutBecause = "without a key, \(name) gives only the first \(Self.pagesWithoutKey) pages of a site"
        } else {
            page.next = try Self.page(after: address)
        }
        return page
    }

    private func backoff(_ json: JSONObjectView, _ now: Date) -> Backoff? {
        // "It refills daily": the response to an early request would say when.
        if json.number("quota_remaining") == 0 {
            let midnight = (now.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400 + 86_400
            return Backoff(until: Date(timeIntervalSince1970: midnight), reason: "\(name)'s daily quota is used up")
        }
        guard let seconds = json.number("backoff"), seconds >= 0 else { return nil }
        // Two seconds more than requested, because clocks and networks are inexact.
        let pause = TimeInterval(min(seconds, ClientAnswer.maxSeconds) + 2)
        return Backoff(until: now + pause, reason: "\(name) asks for a pause")
    }

    /// Returns the link to the page after `address`. Pages are numbered.
    private static func page(after address: WebAddress) throws -> String {
        let (start, number) = try required(
            numberedPage(address), "expected an address that ends with a page's number")
        return "\(start)&page=\(number + 1)"
    }

    private static func numberedPage(_ address: WebAddress) -> (start: String, number: Int)? {
        let parts = address.text.components(separatedBy: "&page=")
        guard parts.count == 2, let number = Int(parts[1]), (1..<Int.max).contains(number) else { return nil }
        return (parts[0], number)
    }

    /// The number of pages without a key: "page above 25 requires access token or app key", the API says.
    private static let pagesWithoutKey = 25

    public func peopleLeft(after address: WebAddress) -> Int? {
        guard secret == nil, let (_, number) = Self.numberedPage(address) else { return nil }
        return max(0, Self.pagesWithoutKey - number) * peoplePerRequest
    }

    /// Returns the seconds in `too many requests from this IP, more requests available in 80365 seconds`.
    private static func seconds(in text: String) -> TimeInterval? {
        let words = text.split(separator: " ")
        guard let unit = words.lastIndex(where: { $0.hasPrefix("second") }), unit > 0 else { return nil }
        return Int(words[unit - 1]).map { TimeInterval(min(max($0, 0), ClientAnswer.maxSeconds)) }
    }
}
