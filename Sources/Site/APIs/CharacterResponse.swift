import Base
import People
import Server

extension CharacterRequest {
    func read(_ task: RenderTask, from reader: SiteReader) throws -> Page {
        switch wanted {
        case .lists: return .empty(directory)
        case .page(let number):
            try expect(search == nil || position(number) < UserQuery.numberedMatches, .emptyPage)
            return try reader.page(query(number), of: directory)
        case .one(let id):
            let page = try reader.people([id], of: directory)
            try expect(!page.users.rows.isEmpty, .noCharacter)
            return page
        case .several(let ids): return try reader.people(ids, of: directory)
        }
    }

    func write(_ page: Page, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) throws {
        let addresses = task.addresses(in: page.directory, renderer.configuration)
        let json = CharacterJSON(request: self, addresses: addresses, body: renderer.body)
        switch wanted {
        case .lists: json.appendLists()
        case .page(let number): try json.append(page, number)
        case .one: page.directory.settings.makeReader().withProfile(of: page.users) { json.append($0) }
        case .several: json.append(page.users)
        }
    }
}

/// A page of characters, or a bare list.
extension CharacterJSON {
    /// The service also has places and episodes; Rollcall has people only.
    fileprivate func appendLists() {
        var object = ObjectWriter(body)
        object.add("characters") { append(addressOfPage: 1, to: $0) }
        object.close()
    }

    fileprivate func append(_ page: Page, _ number: Int) throws {
        let count = page.numberedTotal(of: request.search)
        let pages = (count + CharacterRequest.pageSize - 1) / CharacterRequest.pageSize
        try expect(!page.users.rows.isEmpty && number <= pages, .emptyPage)
        var object = ObjectWriter(body)
        object.addObject("info") { info in
            info.add("count", number: Int64(count))
            info.add("pages", number: Int64(pages))
            info.add("next", if: number < pages) { append(addressOfPage: number + 1, to: $0) }
            info.add("prev", if: number > 1) { append(addressOfPage: number - 1, to: $0) }
        }
        object.start("results")
        append(page.users)
        object.close()
    }

    fileprivate func append(_ users: UserRows) { body.append(users, of: addresses.directory) { append($0) } }
}

// MARK: - Errors

extension ByteBuffer {
    /// Appends an error as the Rick and Morty API does: with a full stop for an unknown path, without one for an empty
    /// page.
    func append(rickAndMorty error: HTTPError) {
        var object = ObjectWriter(self)
        object.add("error", string: error == .notFound ? "There is nothing here." : error.message)
        object.close()
    }
}

extension HTTPError {
    fileprivate static let emptyPage = HTTPError(status: .notFound, message: "There is nothing here")
    fileprivate static let noCharacter = HTTPError(status: .notFound, message: "Character not found")
}
