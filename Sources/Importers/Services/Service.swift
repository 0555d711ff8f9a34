import Foundation
import HTTPClient
import People

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
    var plan: String { get }
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
    /// The pause before the first retry of a failed request; it doubles with each further one.
    var retryPause: Duration { get }

    /// Returns the request for `address`, with the secret. The address is always in the origin of ``base``.
    func request(_ address: WebAddress) throws -> ClientRequest
    /// Judges a response.
    func judge(_ answer: ClientAnswer, at address: WebAddress, now: Date) -> ResponseDisposition
    /// Reads a page. Throws an ``UnreadableResponse`` if the body is not one.
    func page(_ answer: ClientAnswer, at address: WebAddress, now: Date) throws -> ServicePage
    /// Returns the pause that the service asks for in a response, successful or not.
    func backoff(_ answer: ClientAnswer, now: Date) -> Backoff?
    /// Returns the remaining requests that a response, successful or not, reports.
    func quota(_ answer: ClientAnswer) -> Quota?
}

extension Service {
    public func peopleLeft(after address: WebAddress) -> Int? { nil }
}
