import Foundation

/// The meaning of a response, successful or not.
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
    /// The page does not exist, or nobody may have it.
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
