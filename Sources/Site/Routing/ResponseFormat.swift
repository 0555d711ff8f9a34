/// The format of a response. Errors have it, too.
enum ResponseFormat {
    case page, fragment, json, text
    /// JSON with the errors of another service.
    case stackExchange, rickAndMorty

    /// Whether scripts of other origins may read the response (`--allow-origin`).
    var isShared: Bool { self == .fragment || isJSON }

    var isJSON: Bool { self == .json || self == .stackExchange || self == .rickAndMorty }

    var contentType: StaticString {
        switch self {
        case .page, .fragment: "text/html; charset=utf-8"
        case .json, .stackExchange, .rickAndMorty: "application/json; charset=utf-8"
        case .text: "text/plain; charset=utf-8"
        }
    }
}
