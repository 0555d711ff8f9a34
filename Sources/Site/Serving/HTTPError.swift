import HTTP

/// An error that the client gets, in the format of the request.
struct HTTPError: Error, Equatable {
    var status: Status
    /// One sentence: what is wrong, and what is expected.
    var message: String
    /// The seconds after which the client may try again.
    var retryAfter: Int?
    /// The URL that has taken the place of this one, for a redirection.
    var location: String?
    /// The id of an unexpected error, which its log line repeats.
    var id: String?

    static func badRequest(_ message: String) -> HTTPError { HTTPError(status: .badRequest, message: message) }

    /// For the address of a user that has changed: a later change may give it back.
    static func moved(to location: String) -> HTTPError {
        HTTPError(status: .movedPermanently, message: "Moved Permanently", location: location)
    }

    /// Exactly `Not Found`: GitHub's clients recognize the error by its message.
    static let notFound = HTTPError(status: .notFound, message: "Not Found")
}
