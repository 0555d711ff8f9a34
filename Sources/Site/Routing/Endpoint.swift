/// What kinds of requests there are, for statistics: a bounded set of names, however many addresses are asked for.
enum Endpoint: UInt8, CaseIterable {
    /// What was refused before anybody looked where it leads to, and what leads nowhere.
    case none
    case page, fragment, user, embed
    case apiUsers, apiUser, apiRateLimit
    case directories
    case stackExchange, characters
    case export
    case file, robots, sitemap, openSearch, healthz, readyz, metrics

    var name: String {
        switch self {
        case .apiUsers: "api_users"
        case .apiUser: "api_user"
        case .apiRateLimit: "api_rate_limit"
        case .stackExchange: "stack_exchange"
        case .openSearch: "opensearch"
        default: "\(self)"
        }
    }

    init(_ route: Route?) {
        switch route {
        case .page, .bareBase: self = .page
        case .fragment: self = .fragment
        case .user: self = .user
        case .embedPage: self = .embed
        case .apiUsers: self = .apiUsers
        case .apiUser, .apiUserOfID: self = .apiUser
        case .apiRateLimit: self = .apiRateLimit
        case .directories: self = .directories
        case .export: self = .export
        case .twin(.stackExchange): self = .stackExchange
        case .twin(.characters): self = .characters
        case .robots: self = .robots
        case .sitemap: self = .sitemap
        case .openSearch: self = .openSearch
        case .liveness: self = .healthz
        case .readiness: self = .readyz
        case .metrics: self = .metrics
        // Whether there is such a file shows when it is looked for.
        case .file, nil: self = .none
        }
    }
}

extension Resource {
    var endpoint: Endpoint {
        switch self {
        case .users(let page):
            switch page.kind {
            case .page: .page
            case .fragment: .fragment
            case .json: .apiUsers
            }
        case .user(let user): user.isJSON ? .apiUser : .user
        case .stackExchange: .stackExchange
        case .characters: .characters
        case .embedPage: .embed
        }
    }
}
