import Bytes
import Directories
import HTTP
import JSON

/// A request for the letters of an order by names (`/letters.json`): for each one the number of people and the address
/// of the page that begins with it. It takes the parameters of a page.
struct LettersRequest: Sendable {
    private var list: PageRequest

    init(_ routed: RoutedRequest) throws {
        list = try routed.users(.page)
        let parameters = try Parameters(routed.request.query, scratch: routed.scratch)
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
    var isSlow: Bool { list.isSlow }
    var showsDirectories: Bool { false }
    var hasAbsoluteLinks: Bool { false }

    func appendURL(to buffer: ByteBuffer) {
        buffer.append("/letters.json")
        // All parameters that count, and the order.
        Links(base: "", request: list).appendQuery(namingOrderTo: buffer)
    }

    func render(_ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) throws -> Directory {
        let letters = try renderer.readLetters(list.query, of: directory) ?? []
        let links = Links(base: renderer.configuration.basePath, request: list)
        let body = renderer.body
        body.append("{\"directory\":")
        body.append(jsonString: directory.slug.text)
        body.append(",\"sort\":")
        body.append(jsonString: list.sort.parameter)
        body.append(",\"letters\":[")
        for (number, letter) in letters.enumerated() {
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
        return directory
    }
}
