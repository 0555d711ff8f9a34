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
        target = [UInt8](request.target)
        // A path outside the base path has no route.
        format = (route?.format ?? .page).ofErrors
        self.client = client
        origin = LinkOrigin(request, configuration)
        mark = RequestMark(request)
        self.directories = directories
        language =
            format.isHTML
            ? LanguageChoice(
                request.target.queryItem("lang").flatMap(LanguageCode.init(rawValue:)),
                directories.directory(target: request.target), client)
            : nil
        metricIndex = route?.metricIndex ?? RouteTable.noneIndex
    }

    /// For a request that could not be parsed.
    init(_ request: RejectedRequest, _ route: Route?, _ directories: DirectoryList) {
        target = request.target
        format = (route?.format ?? .page).ofErrors
        self.directories = directories
        language = format.isHTML ? LanguageChoice(nil, directories.shown, .unknown) : nil
    }
}

extension DirectoryList {
    /// The directory that a target names, or else the default one, for an error response.
    fileprivate func directory(target: Bytes) -> Directory {
        let slug = target.queryItem("directory")
        return slug.flatMap { slug in all.first { $0.slug.text == slug } } ?? shown
    }
}
