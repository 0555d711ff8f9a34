import HTTP

/// An error that the visitor is told about, in the form of what was asked for.
struct HTTPError: Error, Equatable {
    var status: Status
    /// One sentence: what was wrong and what is expected.
    var message: String
    /// How long to wait before trying again, in seconds.
    var retryAfter: Int?
    /// What the log line of an unexpected error repeats.
    var id: String?

    static func badRequest(_ message: String) -> HTTPError { HTTPError(status: .badRequest, message: message) }

    /// `Not Found`, to the letter: GitHub's clients know the error by its message.
    static let notFound = HTTPError(status: .notFound, message: "Not Found")
}
