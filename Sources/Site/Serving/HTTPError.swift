import HTTP

/// An error that the client gets, in the format of the request.
struct HTTPError: Error, Equatable {
    var status: Status
    /// One sentence: what is wrong, and what is expected.
    var message: String
    /// The seconds after which the client may try again.
    var retryAfter: Int?
    /// The id of an unexpected error, which its log line repeats.
    var id: String?

    static func badRequest(_ message: String) -> HTTPError { HTTPError(status: .badRequest, message: message) }

    /// Exactly `Not Found`: GitHub's clients recognize the error by its message.
    static let notFound = HTTPError(status: .notFound, message: "Not Found")
}
