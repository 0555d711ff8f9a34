import People
import Server
import Template

/// An error that the client gets, in the format of the request.
struct HTTPError: Error, Equatable {
    var status: Status
    /// One sentence: what is wrong, and what is expected.
    var message: String
    /// The seconds after which the client may try again.
    var retryAfter: Int?
    /// The URL that replaces this one, for a redirect.
    var location: String?
    /// The id of an unexpected error, which its log line repeats.
    var id: String?
    /// The person that the address names in vain.
    var person: MissingPerson?
    /// The parameter that is nearly a filter's.
    var misspelled: MisspelledName?
    /// The message for pages in any language, and the values that it inserts; `nil` if it is in English only.
    var key: MessageKey?
    var arguments: [String: String] = [:]

    static func badRequest(_ message: String) -> HTTPError { HTTPError(status: .badRequest, message: message) }

    /// For a changed address of a user. A later change may restore the address.
    static func moved(to location: String) -> HTTPError {
        HTTPError(status: .movedPermanently, message: "Moved Permanently", location: location)
    }

    /// Exactly `Not Found`: GitHub's clients recognize the error by its message.
    static let notFound = HTTPError(status: .notFound, message: "Not Found")
}

/// Throws what is wrong unless `holds`.
func expect(_ holds: Bool, _ wrong: @autoclosure () -> HTTPError) throws(HTTPError) {
    if !holds { throw wrong() }
}

/// Returns the value. If it is missing, throws an error that says what is wrong.
func required<Value>(_ value: Value?, _ wrong: @autoclosure () -> HTTPError) throws(HTTPError) -> Value {
    guard let value else { throw wrong() }
    return value
}

/// The name of a parameter that is nearly a filter's, for the error page.
struct MisspelledName: Equatable {
    let name: String
    /// The name of the filter's parameter.
    let nearest: String
}

/// The person that an address names in vain, for the error page.
struct MissingPerson: Equatable {
    /// The handle in the address.
    let asked: String
    let linked: LinkedDirectory
    /// The person whose name is nearest; `nil` if no name is near.
    var nearest: SimilarPerson?
}

extension MissingPerson {
    /// Looks for the person with the nearest name.
    init(_ asked: String, in linked: LinkedDirectory, from reader: any UserReader) throws {
        self.init(asked: asked, linked: linked)
        let text = String(asked.map { "-_.".contains($0) ? " " : $0 })
        guard text.utf8.count <= Search.maxBytes, let search = Search(text) else { return }
        nearest = try reader.suggestions(for: search, directory: linked.directory.id, limit: 1).first
    }
}
