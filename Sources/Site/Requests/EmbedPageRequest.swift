import Base
import People
import Template

/// A request for the page that shows how to embed a directory in another site.
struct EmbedPageRequest: Resource {
    let linked: LinkedDirectory
    let view: PageRequest.View
    /// The colours of the page that shows the list. A frame is transparent only if it has the same colour scheme.
    let theme: PageRequest.Theme

    /// The views that the page offers, with their names.
    static let looks: [(view: PageRequest.View, label: MessageKey)] = [
        (.list, .lookList), (.grid, .lookGrid), (.wall, .lookFaces),
    ]

    /// The colours that the page asks for, the usual ones first, with their names.
    static let themes: [(theme: PageRequest.Theme, label: MessageKey)] = [
        (.light, .themeLight), (.dark, .themeDark), (.auto, .embedAsSystem),
    ]
    let language: LanguageChoice?

    init(_ routed: RoutedRequest) throws {
        try expect(routed.configuration.isEmbeddable, .notFound)
        let parameters = try Parameters(routed.query)
        linked = try routed.directories.find(parameters[.directory])
        view = try parameters.choice(.view, of: Self.looks.map(\.view)) ?? .list
        theme = try parameters.choice(.theme) ?? .light
        language = LanguageChoice(try parameters.choice(.lang), linked.directory, routed.client)
    }

    /// Returns the URL of this directory's page or fragment at `path`, below the base path, embedded as `embedding`, in
    /// the chosen view.
    func url(_ path: StaticString, _ embedding: Embedding? = nil) -> String {
        String(writing: { append(path, embedding, to: $0) })
    }

    /// The fragment that the page shows, as all ways without the element give it.
    var example: PageRequest {
        var request = PageRequest(of: linked, language)
        request.kind = .fragment
        request.embedding = .html
        request.view = view
        request.perPage = view == .wall ? 12 : 3
        return request
    }

    /// Returns the URL of this directory at `path`, below the base path, in no view and no language.
    func plainURL(_ path: StaticString) -> String { String(writing: { $0.append(path, of: linked) }) }

    @discardableResult private func append(
        _ path: StaticString, _ embedding: Embedding? = nil, to buffer: ByteBuffer
    ) -> QueryWriter {
        var query = buffer.append(path, of: linked)
        if view != .list { query.add("view", view.rawValue) }
        query.add("embed", ifAny: embedding?.rawValue)
        // A frame always says its colours.
        if embedding?.isFrame == true { query.add("theme", theme.rawValue) }
        query.add(language: language?.parameter)
        return query
    }

    func state(of directories: DirectoryList) -> UInt64? { directories.choices }
    var hasAbsoluteLinks: Bool { true }

    var traits: PageTraits { .frames }

    func appendURL(to buffer: ByteBuffer) {
        var query = append("/embed", to: buffer)
        query.add("theme", theme.rawValue)
    }

    func read(_ task: RenderTask, from reader: SiteReader) throws -> Page {
        try reader.page(example.query, of: directory)
    }
}
