import Base
import JSON
import People
import Server

/// A request for the letters of an order by names (`/letters.json`): for each one the number of people and the address
/// of the page that begins with it. It takes the parameters of a page.
struct LettersRequest: Sendable {
    private var list: PageRequest

    init(_ routed: RoutedRequest) throws {
        list = try routed.list(.page)
        let parameters = try Parameters(routed.query)
        if parameters.hasSort {
            guard list.sort.key.hasLetters else {
                throw HTTPError.badRequest("sort: expected name or surname, found “\(list.sort.key.name)”")
            }
        } else if !list.sort.key.hasLetters {
            list.sort = Sort(.name, try parameters.choice(.order) ?? .ascending)
        }
        list.start = .first
        list.perPage = nil
        list.view = .list
        list.embedding = nil
    }
}

extension LettersRequest: Resource {
    var directory: Directory { list.directory }
    var isSlow: Bool { list.search != nil }
    var showsDirectories: Bool { false }
    var hasAbsoluteLinks: Bool { false }

    func appendURL(to buffer: ByteBuffer) {
        buffer.append("/letters.json")
        // All parameters that count, and the order.
        Links(base: "", request: list).appendQuery(namingOrderTo: buffer)
    }

    struct Letters: StoredContent {
        let directory: Directory
        let all: [LetterCount]
    }

    func read(_ task: RenderTask, from reader: SiteReader) throws -> Letters {
        Letters(directory: directory, all: try reader.letters(list.query, of: directory) ?? [])
    }

    func write(_ letters: Letters, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) {
        let links = Links(base: renderer.configuration.basePath, request: list)
        let body = renderer.body
        body.append("{\"directory\":")
        body.append(jsonString: directory.slug.text)
        body.append(",\"sort\":")
        body.append(jsonString: list.sort.parameter)
        body.append(",\"letters\":[")
        for (number, letter) in letters.all.enumerated() {
            body.append(number > 0 ? ",{\"letter\":" : "{\"letter\":")
            body.append(jsonString: letter.label)
            body.append(",\"count\":")
            body.append(decimal: letter.count)
            body.append(",\"position\":")
            body.append(decimal: letter.position)
            body.append(",\"url\":")
            renderer.line.removeAll()
            links.append(.letter(letter.label), as: .page, to: renderer.line)
            body.append(jsonString: String(renderer.line))
            body.append("}")
        }
        body.append("]}")
    }
}
