import Base

/// The format of a response. Errors have it, too.
enum ResponseFormat {
    case page, fragment, json, text
    /// A vCard. Errors are text.
    case vCard
    /// A file whose resource sets the type and header fields. Errors are text.
    case file
    /// A picture that Rollcall draws. Errors are text.
    case drawing
    /// A stored picture. Errors are text.
    case picture
    /// JSON with the errors of another service.
    case stackExchange, rickAndMorty

    /// Whether scripts of other origins may read the response (`--allow-origin`).
    var isShared: Bool {
        switch self {
        case .fragment, .json, .drawing, .picture, .stackExchange, .rickAndMorty: true
        case .page, .text, .vCard, .file: false
        }
    }

    /// Whether the response is HTML, with texts of the interface. Responses for programs are in English.
    var isHTML: Bool { self == .page || self == .fragment }

    /// The format of errors.
    var ofErrors: ResponseFormat { [.vCard, .file, .drawing, .picture].contains(self) ? .text : self }

    var contentType: StaticString {
        switch self {
        case .page, .fragment: "text/html; charset=utf-8"
        case .json, .stackExchange, .rickAndMorty: "application/json; charset=utf-8"
        case .text, .file: "text/plain; charset=utf-8"
        case .vCard: "text/vcard; charset=utf-8"
        case .drawing: "image/svg+xml; charset=utf-8"
        case .picture: "image/jpeg"
        }
    }
}
