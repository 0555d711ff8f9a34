import Bytes
import Directories

/// All that goes into making one answer: what it shows, and for whom.
struct RenderTask: Sendable {
    let resource: Resource
    let directories: DirectoryList
    let client: ClientContext
    /// What absolute links begin with; `nil` if the subject has none. Rendering knows no other origin, and the key contains
    /// this one, so that no answer can depend on an origin that its key leaves out.
    let origin: LinkOrigin?

    init(resource: Resource, directories: DirectoryList, client: ClientContext, origin: LinkOrigin) {
        self.resource = resource
        self.directories = directories
        self.client = client
        self.origin = resource.dependsOnOrigin ? origin : nil
    }

    /// Appends the canonical request: the same for all requests that get the same bytes while the generation stands.
    func appendKey(to buffer: ByteBuffer) {
        // No variant is this byte: canonical keys and those of requests as they came do not meet.
        buffer.append(0xFF)
        buffer.append(client.variant)
        switch resource {
        case .users(let page): page.appendKey(to: buffer)
        case .user(let user): user.appendKey(to: buffer)
        case .stackExchange(let request): request.appendKey(to: buffer)
        case .characters(let request): request.appendKey(to: buffer)
        case .embedPage(let embedPage): embedPage.appendKey(to: buffer)
        }
        if let origin {
            // Nothing before it contains a zero byte, so that no login can pass for a login and an origin. An unknown origin
            // is part of the key, too: its answers have relative links, which are wrong for every other request.
            buffer.append(0)
            buffer.append(utf8: origin.text)
        }
    }
}

/// What an answer shows.
enum Resource: Sendable {
    case users(PageRequest)
    case user(UserRequest)
    case stackExchange(StackExchangeRequest)
    case characters(CharacterRequest)
    case embedPage(EmbedPageRequest)

    var directory: Directory {
        switch self {
        case .users(let page): page.directory
        case .user(let user): user.directory
        case .stackExchange(let request): request.directory
        case .characters(let request): request.directory
        case .embedPage(let embedPage): embedPage.directory
        }
    }

    /// Whether making it may take more than the tens of microseconds that an event queue has for it.
    var isSlow: Bool {
        switch self {
        case .users(let page): page.search != nil
        case .user, .embedPage: false
        case .stackExchange(let request): request.search != nil
        case .characters(let request): request.search != nil
        }
    }

    /// Whether it shows what other directories there are.
    var showsDirectories: Bool {
        if case .stackExchange(let request) = self, case .sites = request.method { return true }
        return form == .page
    }

    /// Whether its directory was looked for among all: another import may make the same address that of another one.
    var isLookedFor: Bool {
        if case .characters(let request) = self { request.isLookedFor } else { false }
    }

    var form: ResponseFormat {
        switch self {
        case .users(let page):
            switch page.kind {
            case .page: .page
            case .fragment: .fragment
            case .json: .json
            }
        case .user(let user): user.isJSON ? .json : .page
        case .stackExchange: .stackExchange
        case .characters: .rickAndMorty
        case .embedPage: .page
        }
    }

    /// Whether its bytes depend on the scheme and host of the request: whether it has absolute links. Decided by what it
    /// shows alone, never by the values of a request.
    var dependsOnOrigin: Bool {
        switch self {
        case .users(let page): page.kind == .json || page.embedding?.hasAbsoluteLinks == true
        case .user(let user): user.isJSON
        case .stackExchange, .characters, .embedPage: true
        }
    }

    var embedding: Embedding? {
        switch self {
        case .users(let page): page.embedding
        case .user, .embedPage, .stackExchange, .characters: nil
        }
    }
}
