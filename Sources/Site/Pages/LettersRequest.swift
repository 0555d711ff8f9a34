import Base
import People
import Server

/// A request for the letters of an order by names (`/letters.json`): for each one the number of people and the address
/// of the page that begins with it. It takes the parameters of a page.
struct LettersRequest: ListResource {
    private(set) var list: PageRequest

    init(_ routed: RoutedRequest) throws {
        list = try routed.list(.page).selection
        let parameters = try Parameters(routed.query)
        if parameters.filled(.sort) != nil {
            let key = list.sort.key
            try expect(key.hasLetters, .badRequest("sort: expected name or surname, found “\(key.name)”"))
        } else if !list.sort.key.hasLetters {
            list.sort = Sort(.name, try parameters.choice(.order) ?? .ascending)
        }
    }

    func appendURL(to buffer: ByteBuffer) {
        buffer.append("/letters.json")
        // All parameters that count, and the order.
        Links(base: "", request: list).appendQuery(namingOrderTo: buffer)
    }

    func read(_ task: RenderTask, from reader: SiteReader) throws -> Stored<[LetterCount]> {
        Stored(directory: directory, value: try reader.letters(list.query) ?? [])
    }

    func write(
        _ letters: Stored<[LetterCount]>, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields
    ) {
        let links = Links(base: renderer.configuration.basePath, request: list)
        var object = ObjectWriter(renderer.body)
        object.add("directory", string: directory.slug.text)
        object.add("sort", string: list.sort.parameter)
        object.addObjects("letters", of: letters.value) { letter, object in
            object.add("letter", string: letter.label)
            object.add("count", number: Int64(letter.count))
            object.add("position", number: Int64(letter.position))
            object.add("url") { links.append(.letter(letter.label), as: .page, to: $0) }
        }
        object.close()
    }
}
