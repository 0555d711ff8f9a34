import Base
import People
import Server

/// Everything that an error response depends on, copied from the request.
struct ErrorContext: Sendable {
    let target: [UInt8]
    let format: ResponseFormat
    let directories: DirectoryList
    private(set) var client = ClientContext.unknown
    /// The language of a page or fragment.
    let language: LanguageChoice?
    private(set) var origin = LinkOrigin.unknown
    private(set) var mark = RequestMark.none
    /// See ``Route/metricIndex``.
    private(set) var metricIndex = RouteTable.noneIndex

    init(
        _ request: Request, _ route: Route?, _ client: ClientContext, _ directories: DirectoryList,
        _ configuration: Site.Configuration
    ) {
        let parameter = request.target.queryItem("lang").flatMap(LanguageCode.init(rawValue:))
        let directory = directories.directory(target: request.target)
        self.init([UInt8](request.target), route, directories, LanguageChoice(parameter, directory, client))
        self.client = client
        origin = LinkOrigin(request, configuration)
        mark = RequestMark(request)
        metricIndex = route?.metricIndex ?? RouteTable.noneIndex
    }

    /// For a request that could not be parsed.
    init(_ request: RejectedRequest, _ route: Route?, _ directories: DirectoryList) {
        self.init(request.target, route, directories, LanguageChoice(nil, directories.shown, .unknown))
    }

    private init(_ target: [UInt8], _ route: Route?, _ directories: DirectoryList, _ language: LanguageChoice) {
        self.target = target
        // A path outside the base path has no route.
        format = (route?.format ?? .page).ofErrors
        self.directories = directories
        self.language = format.isHTML ? language : nil
    }
}

extension DirectoryList {
    /// The directory that a target names, or else the default one, for an error response.
    fileprivate func directory(target: Bytes) -> Directory {
        let slug = target.queryItem("directory")
        return slug.flatMap { slug in all.first { $0.slug.text == slug } } ?? shown
    }
}
