import Bytes
import Directories

/// All that goes into making one answer: what it shows, and for whom.
struct Job: Sendable {
    let subject: Subject
    let directories: DirectoryList
    let visitor: Visitor
    /// The host for absolute links, where the answer has them and the publisher named none.
    let authority: String?

    /// Appends the canonical request: the same for all requests that get the same bytes while the generation stands.
    func appendKey(to buffer: ByteBuffer) {
        // No variant is this byte: canonical keys and those of requests as they came do not meet.
        buffer.append(0xFF)
        buffer.append(visitor.variant)
        switch subject {
        case .users(let page): page.appendKey(to: buffer)
        case .user(let user): user.appendKey(to: buffer)
        case .stackExchange(let request): request.appendKey(to: buffer)
        case .characters(let request): request.appendKey(to: buffer)
        case .guide(let guide): guide.appendKey(to: buffer)
        }
        if let authority {
            // Nothing before it holds a zero byte, or one visitor's login could be another's login and host.
            buffer.append(0)
            buffer.append(utf8: authority)
        }
    }
}

/// What an answer shows.
enum Subject: Sendable {
    case users(PageRequest)
    case user(UserRequest)
    case stackExchange(StackExchangeRequest)
    case characters(CharacterRequest)
    case guide(GuideRequest)

    var directory: Directory {
        switch self {
        case .users(let page): page.directory
        case .user(let user): user.directory
        case .stackExchange(let request): request.directory
        case .characters(let request): request.directory
        case .guide(let guide): guide.directory
        }
    }

    /// Whether making it may take more than the tens of microseconds that an event queue has for it.
    var isSlow: Bool {
        switch self {
        case .users(let page): page.search != nil
        case .user, .guide: false
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

    var form: Form {
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
        case .guide: .page
        }
    }

    var hasAbsoluteLinks: Bool {
        if case .guide = self { return true }
        return form.isJSON || embedding?.hasAbsoluteLinks == true
    }

    var embedding: Embedding? {
        switch self {
        case .users(let page): page.embedding
        case .user, .guide, .stackExchange, .characters: nil
        }
    }
}
