import Foundation

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
