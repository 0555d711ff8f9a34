import Base
import People

/// Everything that one rendered response depends on, except the store.
struct RenderTask: Sendable {
    let resource: any Resource
    let route: Route
    let directories: DirectoryList
    let client: ClientContext
    let traits: PageTraits
    /// The origin of absolute links; unknown if the resource has none. Rendering gets no other origin, and the key
    /// contains this one, so no response can depend on an origin that its key leaves out.
    private let origin: LinkOrigin

    init(_ resource: any Resource, _ routed: RoutedRequest) {
        self.resource = resource
        route = routed.route
        directories = routed.directories
        client = routed.client
        origin = resource.hasAbsoluteLinks ? routed.origin : .unknown
        traits = route.crawlers.isNoIndex ? resource.traits.union(.noIndex) : resource.traits
    }

    /// Appends the canonical key: equal for all requests that get the same bytes, as long as the directory does not
    /// change.
    func appendKey(to buffer: ByteBuffer) {
        // No variant is 0xFF, so canonical keys differ from the keys of requests as received.
        buffer.append(0xFF)
        client.appendVariant(to: buffer)
        buffer.append(resource.language?.keyByte ?? 0)
        // The URL may leave the directory out, and another one may become the default.
        buffer.append(decimal: resource.directory.id)
        resource.appendURL(to: buffer)
        // No URL contains a zero byte.
        buffer.append(0)
        buffer.append(utf8: origin.text)
    }

    /// The state of all directories, if the bytes depend on them.
    var choices: UInt64? { resource.state(of: directories) }

    /// The part before paths on this server: after scheme and host, if the resource has absolute links and they are
    /// known, the base path.
    func base(_ configuration: Site.Configuration) -> String { origin.text + configuration.basePath }

    /// The addresses of the people of `directory`, which is the resource's as the store has it now.
    func addresses(in directory: Directory, _ configuration: Site.Configuration) -> PersonAddresses {
        PersonAddresses(
            of: resource.linked.updated(to: directory), home: origin.root(below: configuration.basePath) ?? "",
            base: base(configuration), configuration)
    }
}
