import Assets
import Base
import People
import Server

/// A request for the page that shows how to embed a directory in another site.
struct EmbedPageRequest: Sendable {
    let directory: Directory
    let isDefaultDirectory: Bool
    let view: PageRequest.View

    /// The views that the page offers, with their names.
    static let looks: [(view: PageRequest.View, label: MessageKey)] = [
        (.list, .lookList), (.grid, .lookGrid), (.wall, .lookFaces),
    ]
    let language: LanguageChoice?

    init(_ routed: RoutedRequest) throws {
        guard routed.configuration.isEmbeddable else { throw HTTPError.notFound }
        let parameters = try Parameters(routed.query)
        (directory, isDefaultDirectory) = try routed.directories.find(parameters[.directory])
        view = try parameters.choice(.view, of: Self.looks.map(\.view)) ?? .list
        language = LanguageChoice(try parameters.language(), directory, routed.client)
    }

    /// Returns the URL of this directory's page or fragment at `path`, below the base path, embedded as `embedding`, in
    /// the chosen view.
    func url(_ path: StaticString, _ embedding: Embedding? = nil) -> String {
        let buffer = ByteBuffer(capacity: 128)
        append(path, embedding, to: buffer)
        return String(buffer)
    }

    /// The URL of the whole list, below the base path.
    var homeURL: String {
        let buffer = ByteBuffer(capacity: 128)
        Links(base: "", request: PageRequest(of: directory, isDefault: isDefaultDirectory))
            .append(.first, as: .page, to: buffer)
        return String(buffer)
    }

    /// The URL of the wall of faces, below the base path. It has no texts of the interface.
    var wallURL: String {
        let buffer = ByteBuffer(capacity: 128)
        buffer.append("/wall.svg")
        var query = QueryWriter(buffer)
        if !isDefaultDirectory { query.add("directory", directory.slug.text) }
        return String(buffer)
    }

    private func append(_ path: StaticString, _ embedding: Embedding? = nil, to buffer: ByteBuffer) {
        buffer.append(path)
        var query = QueryWriter(buffer)
        if !isDefaultDirectory { query.add("directory", directory.slug.text) }
        if view != .list { query.add("view", view.rawValue) }
        if let embedding { query.add("embed", embedding.rawValue) }
        query.add(language: language?.parameter)
    }
}

extension EmbedPageRequest: Resource {
    var isSlow: Bool { false }
    var showsDirectories: Bool { true }
    var hasAbsoluteLinks: Bool { true }

    func appendURL(to buffer: ByteBuffer) { append("/embed", to: buffer) }
}
