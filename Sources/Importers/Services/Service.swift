import Foundation
import HTTPClient
import People
import Publishing

/// A web service with users: how to request pages and how to read the responses. All decisions are functions of values;
/// ``ServiceSource`` and ``RateLimitedClient`` send requests, wait and save.
public protocol Service: Sendable {
    /// The name for messages.
    var name: String { get }
    /// The address of the service. No request leaves its origin.
    var base: WebAddress { get }
    /// The address of the first page.
    var start: WebAddress { get }
    /// The service and the selection of users, in a line. An interrupted import is continued only if this is the same.
    var scope: String { get }
    /// The import in a sentence, for the publisher.
    var purpose: String { get }
    /// The licence of the users and the attribution.
    var terms: Terms { get }
    /// The settings of a new directory with its users.
    var settings: BuiltInSettings { get }
    /// The token or key.
    var secret: Secret? { get }
    /// The maximum number of users per request, to estimate what a budget allows.
    var peoplePerRequest: Int { get }
    /// Returns the maximum number of users that the service returns after the page at `address`; `nil` if it sets no
    /// limit.
    func peopleLeft(after address: WebAddress) -> Int?
    /// Whether pages are numbered. Users who move from one to another meanwhile may then be on neither.
    var hasNumberedPages: Bool { get }
    /// Whether `address` is that of a single user's record, which the import can do without.
    func isRecord(_ address: WebAddress) -> Bool
    /// The pause before the first retry of a failed request; it doubles with each further one.
    var retryPause: Duration { get }

    /// Returns the request for `address`, with the secret. The address is always in the origin of ``base``.
    func request(_ address: WebAddress) throws -> ClientRequest
    /// Reads a response to the request for the page at `address`.
    func read(_ answer: ClientAnswer, at address: WebAddress, now: Date) -> ServiceAnswer
}

extension Service {
    public func peopleLeft(after address: WebAddress) -> Int? { nil }
    public func isRecord(_ address: WebAddress) -> Bool { false }
}

extension Service {
    /// Returns the status of a response, and the message in it.
    func told(_ answer: ClientAnswer) -> String {
        "\(name) answered \(answer.status)" + (answer.message.map { ": \($0)" } ?? "")
    }

    /// Judges a response by its status alone, as for any service (RFC 9110 §15).
    ///
    /// - Parameter page: Reads the page. Throws a `RollcallError` if the body is not one.
    func judgeByStatus(
        _ answer: ClientAnswer, now: Date, _ page: () throws -> ServicePage
    ) -> ResponseDisposition {
        var told: String { self.told(answer) }
        switch answer.status {
        case 200: do { return .page(try page()) } catch { return .unreadable("\(name) answered \(error)") }
        case 304: return .unchanged
        case 301, 302, 303, 307, 308:
            return answer.fields["location"].map { .moved($0) } ?? .failed("\(told), and does not say where to")
        // 422 means parameters that the service no longer understands, 451 a legal demand (RFC 7725 §3).
        case 404, 410, 422, 451: return .gone(told)
        // A limit that is over already is still one.
        case 429: return .limited(until: answer.pauseEnd(now: now), told)
        // A 503 may say how long (RFC 9110 §10.2.3).
        case 500...599: return answer.retryAfter(now: now).map { .limited(until: $0, told) } ?? .failed(told)
        default: return .refused(told)
        }
    }
}

extension ClientAnswer {
    /// The error message in the body, in one short line; `nil` if the body is not JSON.
    var message: String? {
        guard let json = try? JSONObjectView(body) else { return nil }
        let texts = ["message", "error_message", "error"].lazy.compactMap(json.text).map(NormalizedText.cleaned)
        return texts.first { !$0.isEmpty }.map { String($0.prefix(300)) }
    }

    func number(_ field: String) -> Int? { fields[field].flatMap { Int($0) } }
}

/// The reason that an import from a service ended early.
public struct ServiceError: Error, Equatable, CustomStringConvertible {
    public enum Kind: Equatable, Sendable {
        /// The service allows requests again at this time.
        case comeBack(Date)
        /// It could not be reached, or did not work, after all retries.
        case unreachable
        /// A retry does not help until somebody changes something.
        case refused
    }

    public var kind: Kind
    public var reason: String

    public init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    public var description: String {
        guard case .comeBack(let date) = kind else { return reason }
        return "\(reason); come back at \(date.ISO8601Format())"
    }
}
