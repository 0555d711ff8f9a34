import Base
import People
import Server

/// A request for the wall of faces (`/wall.svg`): many people in one image, for a README. It takes the search, the
/// filters and the order of a page.
struct WallRequest: ListResource {
    /// The list whose first people the wall shows.
    private(set) var list: PageRequest
    private let showsBots: Bool
    private let columns: Int
    /// The most people that are shown.
    private let max: Int
    /// The side of a face in CSS px.
    private let size: Int

    /// The parameters that pages do not have.
    private static let ownNames: Set<Parameter> = [.columns, .max, .size, .bots]
    /// All parameters but the filters of a directory.
    static let names = PageRequest.namesOfSelection.union(ownNames)

    init(_ routed: RoutedRequest) throws {
        // Other sites show nothing of a private site.
        try expect(routed.configuration.isEmbeddable, .notFound)
        try self.init(try routed.list(.page), routed.query)
    }

    /// - Parameter query: the parameters that `list` was read from.
    init(_ list: PageRequest, _ query: QueryItems) throws {
        self.list = list.selection
        self.list.language = nil
        let numbers = try Parameters(query, Self.ownNames)
        showsBots = try numbers.isOne(.bots)
        columns = try numbers.number(.columns, in: 1...100) ?? 12
        max = try numbers.number(.max, in: 1...500) ?? 100
        size = try numbers.number(.size, in: 24...128) ?? 64
    }

    /// It reads up to 500 pictures.
    var isSlow: Bool { true }

    func appendURL(to buffer: ByteBuffer) {
        buffer.append("/wall.svg")
        var query = Links(base: "", request: list).appendQuery(namingOrderTo: buffer)
        query.add("columns", columns)
        query.add("max", max)
        query.add("size", size)
        if showsBots { query.add("bots", 1) }
    }

    func read(_ task: RenderTask, from reader: SiteReader) throws -> Stored<WallDrawing> { try read(from: reader) }

    /// Reads the people, and the pictures that fit into the document.
    func read(from reader: SiteReader) throws -> Stored<WallDrawing> {
        let people = try WallPeople(of: list, max: max, showsBots: showsBots, from: reader)
        let directory = people.directory
        let links = PictureLinks(directory, reader.site.configuration, base: "")
        var pictures: [PictureKey: WallDrawing.Picture] = [:]
        var keys: [PictureKey] = []
        directory.settings.makeReader().forEachProfile(of: people.users) { _, person in
            if case .stored(let key) = links.picture(of: person) { keys.append(key) }
        }
        var bytes = 0
        try reader.reading(reader.counters.pictureReads) { store in
            // After the first picture that does not fit, all people have initials.
            for key in keys where bytes <= WallDrawing.maxBytes && pictures[key] == nil {
                for pictureSize in size > PictureSize.small.pixels ? [PictureSize.medium, .small] : [.small] {
                    guard let picture = try store.picture(key, pictureSize, of: [directory.id]),
                        picture.count <= WallDrawing.maxPictureBytes
                    else { continue }
                    pictures[key] = (picture, pictureSize.mediaType)
                    bytes += picture.count
                    break
                }
            }
        }
        let drawing = WallDrawing(people: people, links: links, pictures: pictures, columns: columns, size: size)
        return Stored(directory: directory, value: drawing)
    }

    func write(
        _ wall: Stored<WallDrawing>, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields
    ) {
        wall.value.append(to: renderer.body, scratch: renderer.line)
        // An image that is opened by itself is a document. Its pictures are in it.
        fields.append("Content-Security-Policy", "default-src 'none'; img-src data:; sandbox")
        // Pages that isolate themselves from other origins may show it, too (COEP).
        fields.append("Cross-Origin-Resource-Policy", "cross-origin")
    }
}
