import Base
import People
import Server

extension CharacterRequest {
    func read(_ task: RenderTask, from reader: SiteReader) throws -> Page {
        switch wanted {
        case .lists: return .empty(directory)
        case .page(let number, _):
            if search != nil, position(number) >= UserQuery.numberedMatches { throw HTTPError.emptyPage }
            return try reader.page(query(number), of: directory)
        case .one(let id):
            let page = try reader.people([id], of: directory)
            guard !page.users.rows.isEmpty else { throw HTTPError.noCharacter }
            return page
        case .several(let ids): return try reader.people(ids, of: directory)
        }
    }

    func write(_ page: Page, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) throws {
        let addresses = PersonAddresses(
            of: linked, home: task.homeURL(renderer.configuration), renderer.configuration)
        let response = CharacterResponse(
            json: CharacterJSON(request: self, addresses: addresses), body: renderer.body)
        switch wanted {
        case .lists: response.writeLists()
        case .page(let number, let hasSlash): try response.write(page, number, hasSlash: hasSlash)
        case .one:
            directory.settings.makeReader().withProfile(of: page.users) { response.json.append($0, to: renderer.body) }
        case .several: response.write(page.users)
        }
    }
}

/// Writes characters as the Rick and Morty API does: a page of them, or a bare list.
private struct CharacterResponse {
    let json: CharacterJSON
    let body: ByteBuffer

    /// The service also has places and episodes; Rollcall has people only.
    func writeLists() {
        var object = ObjectWriter(body)
        object.add("characters") { json.append(addressOfPage: 1, hasSlash: false, to: $0) }
        object.close()
    }

    func write(_ page: Page, _ number: Int, hasSlash: Bool) throws {
        let total = page.total ?? UserQuery.numberedMatches
        let count = json.request.search == nil ? total : min(total, UserQuery.numberedMatches)
        let pages = count / CharacterRequest.pageSize + (count % CharacterRequest.pageSize == 0 ? 0 : 1)
        guard !page.users.rows.isEmpty, number <= pages else { throw HTTPError.emptyPage }
        var object = ObjectWriter(body)
        object.start("info")
        var info = ObjectWriter(body)
        info.add("count", number: Int64(count))
        info.add("pages", number: Int64(pages))
        info.add("next", if: number < pages) { json.append(addressOfPage: number + 1, hasSlash: hasSlash, to: $0) }
        info.add("prev", if: number > 1) { json.append(addressOfPage: number - 1, hasSlash: hasSlash, to: $0) }
        info.close()
        object.start("results")
        write(page.users)
        object.close()
    }

    func write(_ users: UserRows) {
        body.append(users, of: json.addresses.directory) { json.append($0, to: body) }
    }
}

// MARK: - Errors

extension ByteBuffer {
    /// Appends an error as the Rick and Morty API does: with a full stop for an unknown path, without one for an empty
    /// page.
    func append(rickAndMorty error: HTTPError) {
        append("{\"error\":")
        append(jsonString: error == .notFound ? "There is nothing here." : error.message)
        append("}")
    }
}

extension HTTPError {
    fileprivate static let emptyPage = HTTPError(status: .notFound, message: "There is nothing here")
    fileprivate static let noCharacter = HTTPError(status: .notFound, message: "Character not found")
}
