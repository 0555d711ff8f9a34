import Directories
import Foundation
import HTTPClient

/// A web service that people come from: how it is asked, what its answers mean, and where they lead. All of it is decided from
/// values; asking, waiting and saving are ``ServiceSource``'s and ``RateLimitedClient``'s.
public protocol Service: Sendable {
    /// As people call it.
    var name: String { get }
    /// Where it is; nothing outside of its origin is ever asked.
    var base: WebAddress { get }
    /// What is asked first.
    var start: WebAddress { get }
    /// What is asked of whom, in a line: an interrupted import goes on only where this is the same.
    var scope: String { get }
    /// What it will do, in a sentence for the publisher.
    var plan: String { get }
    /// Under what terms its people may be shown, and whom they are owed to.
    var terms: Terms { get }
    /// What lets it in.
    var secret: Secret? { get }
    /// How many people a request brings at most, for what a budget buys.
    var peoplePerRequest: Int { get }
    /// Returns how many people the service gives at most after the page at `address`; `nil` if it sets no such limit.
    func peopleLeft(after address: WebAddress) -> Int?
    /// Before a failed request is tried again for the first time; each further time twice as long.
    var retryPause: Duration { get }

    /// The request for `address`, with whatever lets it in. Made of addresses in the origin of ``base`` alone.
    func request(_ address: WebAddress) throws -> ClientRequest
    /// What to make of an answer.
    func judge(_ answer: ClientAnswer, at address: WebAddress, now: Date) -> ResponseDisposition
    /// Reads a page. Throws an ``UnreadableAnswer`` if it is none.
    func page(_ answer: ClientAnswer, at address: WebAddress, now: Date) throws -> ServicePage
    /// How long the service wants not to be asked after an answer, good or not.
    func hold(_ answer: ClientAnswer, now: Date) -> Backoff?
    /// What an answer, good or not, tells of the budget.
    func budget(_ answer: ClientAnswer) -> Quota?
}

extension Service {
    public func peopleLeft(after address: WebAddress) -> Int? { nil }
}

/// What an answer means for the request.
public enum ResponseDisposition: Equatable, Sendable {
    /// A page to be read.
    case page
    /// The page is what it was (304).
    case unchanged
    /// There is nobody there, which is no error.
    case nothing
    /// It is elsewhere.
    case moved(String)
    /// It may go better in a moment.
    case failed(String)
    /// The service says until when it wants not to be asked.
    case held(Backoff)
    /// It has been asked too often, and does not say for how long.
    case limited(String)
    /// Asking again does not help.
    case refused(String)
}

/// A time before which a service wants not to be asked.
public struct Backoff: Equatable, Sendable {
    public var until: Date
    public var reason: String

    public init(until: Date, reason: String) {
        self.until = until
        self.reason = reason
    }
}

/// How many requests a service still answers.
public struct Quota: Equatable, Sendable {
    public var remaining: Int
    public var limit: Int?
    /// When there are as many again.
    public var reset: Date?

    public init(remaining: Int, limit: Int? = nil, reset: Date? = nil) {
        self.remaining = remaining
        self.limit = limit
        self.reset = reset
    }
}

/// A page of a service: whom it has, and where it leads.
public struct ServicePage {
    /// Its records, as places in the answer's body.
    var records: [Range<Int>] = []
    /// Links to what more there is to know of its people, to be asked before the next page.
    var details: [String] = []
    /// The link to the next page; `nil` at the end.
    var next: String?
    /// How many people the source has, where it says so.
    var total: Int?
}

/// An answer that is not what it should be; another try may bring a better one.
struct UnreadableAnswer: Error, CustomStringConvertible {
    var description: String
}
