import Foundation

/// What a response says, successful or not.
public struct ServiceAnswer {
    var disposition: ResponseDisposition
    /// The pause that the service asks for before the next request.
    var backoff: Backoff?
    var quota: Quota?
}

/// The consequence of a response for its request.
public enum ResponseDisposition {
    case page(ServicePage)
    /// The response should be a page, and is not; a retry may help.
    case unreadable(String)
    /// The page has not changed (304).
    case unchanged
    /// There is no such page, or nobody may have it.
    case gone(String)
    /// The page has moved to another address.
    case moved(String)
    /// A retry may help.
    case failed(String)
    /// The service asks for a pause until a time, if it says how long.
    case limited(until: Date?, String)
    /// A retry does not help.
    case refused(String)
}

/// A pause that a service asks for.
public struct Backoff: Equatable, Sendable {
    public var until: Date
    public var reason: String
}

/// The number of requests that a service still allows.
public struct Quota: Equatable, Sendable {
    public var remaining: Int
    public var limit: Int?
    /// The time at which the limit is reset.
    public var reset: Date?
}

/// A page of a service: its records and links.
public struct ServicePage {
    /// The ranges of the records in the response's body.
    var records: [Range<Int>] = []
    /// Links to records of single users, to be requested before the next page.
    var details: [String] = []
    /// The link to the next page; `nil` at the end.
    var next: String?
    /// The number of users in the source, if it reports that.
    var total: Int?
    /// Why the service returns no more users although it has some, in a sentence; `nil` if this is not so.
    var cutBecause: String?
}
