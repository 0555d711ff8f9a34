import Bytes
import Directories
import HTTP
import JSON

/// Users in the shapes of other services.
extension PageRenderer {
    /// Writes the wrapper that Stack Exchange's API puts around everything (api.stackexchange.com/docs/wrapper).
    func write(_ request: StackExchangeRequest, _ task: RenderTask) throws -> Directory {
        if case .sites = request.method {
            writeSites(request, task)
            return request.directory
        }
        let page = try read(request)
        if request.isTotal {
            body.append("{\"total\":")
            body.append(decimal: page.total ?? UserQuery.numberedMatches)
            body.append("}")
            return page.directory
        }
        let json = StackExchangeJSON(
            origin: baseURL(task), directory: page.directory, isDefaultDirectory: request.isDefaultDirectory,
            scratch: line)
        body.append("{\"items\":[")
        for index in page.users.rows.indices.prefix(request.pageSize) {
            if index > 0 { body.append(",") }
            json.append(page.users, row: index, to: body)
        }
        closeItems(hasMore: page.hasNext || page.users.rows.count > request.pageSize)
        return page.directory
    }

    private func closeItems(hasMore: Bool) {
        body.append(hasMore ? "],\"has_more\":true" : "],\"has_more\":false")
        // There is no quota here; clients stop when what remains is nothing.
        body.append(",\"quota_max\":10000,\"quota_remaining\":10000}")
    }

    /// The directories as sites: some clients look their site's name up before they ask for anybody.
    private func writeSites(_ request: StackExchangeRequest, _ task: RenderTask) {
        let all = task.directories.all.dropFirst(request.position)
        body.append("{\"items\":[")
        for (index, directory) in all.prefix(request.pageSize).enumerated() {
            if index > 0 { body.append(",") }
            var object = ObjectWriter(body)
            object.add("site_type", json: "\"main_site\"")
            object.start("name")
            line.removeAll()
            line.append(encodingEntities: directory.title)
            body.append(jsonString: line.bytes)
            object.add("api_site_parameter") { $0.append(utf8: directory.slug.text) }
            object.add("site_url") { buffer in
                buffer.append(utf8: baseURL(task))
                buffer.append("/?directory=")
                buffer.append(utf8: directory.slug.text)
            }
            object.close()
        }
        closeItems(hasMore: all.count > request.pageSize)
    }

    private func read(_ request: StackExchangeRequest) throws -> Page {
        guard case .some(let ids) = request.method else { return try read(request.query, of: request.directory) }
        var page = try read(ids: ids, sort: request.sort, of: request.directory)
        let all = page.users.rows
        page.users.rows = Array(all.dropFirst(request.position).prefix(request.pageSize))
        page.hasNext = request.position + request.pageSize < all.count
        page.total = all.count
        return page
    }

    private func read(ids: [Int64], sort: Sort = Sort(), of directory: Directory) throws -> Page {
        if directory.id == DirectoryList.none.id { return try read(UserQuery(directory: 0, limit: 1), of: directory) }
        let page = try reading(counters.userReads) { try $0.users(ids: ids, sort: sort, directory: directory.id) }
        guard let page else { throw HTTPError.notFound }
        return page
    }

    /// Writes a page of characters, one, or several, as the Rick and Morty API does.
    func write(_ request: CharacterRequest, _ task: RenderTask) throws -> Directory {
        let json = CharacterJSON(origin: baseURL(task), request: request)
        switch request.wanted {
        case .page(let number, let hasSlash):
            let isFar = request.search != nil && request.position(number) >= UserQuery.numberedMatches
            if isFar { throw HTTPError.nobodyHere }
            let page = try read(request.query(number), of: request.directory)
            try write(page, number, hasSlash: hasSlash, json)
            return page.directory
        case .one(let id):
            let page = try read(ids: [id], of: request.directory)
            guard !page.users.rows.isEmpty else { throw HTTPError.noCharacter }
            json.append(page.users, row: 0, to: body)
            return page.directory
        case .several(let ids):
            let page = try read(ids: ids, of: request.directory)
            append(page.users, json)
            return page.directory
        }
    }

    private func write(_ page: Page, _ number: Int, hasSlash: Bool, _ json: CharacterJSON) throws {
        let total = page.total ?? UserQuery.numberedMatches
        let count = json.request.search == nil ? total : min(total, UserQuery.numberedMatches)
        let pages = count / CharacterRequest.pageSize + (count % CharacterRequest.pageSize == 0 ? 0 : 1)
        guard !page.users.rows.isEmpty, number <= pages else { throw HTTPError.nobodyHere }
        func appendAddress(of other: Int) {
            if (1...pages).contains(other) {
                json.append(addressOfPage: other, hasSlash: hasSlash, to: body)
            } else {
                body.append("null")
            }
        }
        body.append("{\"info\":{\"count\":")
        body.append(decimal: count)
        body.append(",\"pages\":")
        body.append(decimal: pages)
        body.append(",\"next\":")
        appendAddress(of: number + 1)
        body.append(",\"prev\":")
        appendAddress(of: number - 1)
        body.append("},\"results\":")
        append(page.users, json)
        body.append("}")
    }

    private func append(_ users: UserRows, _ json: CharacterJSON) {
        body.append("[")
        for index in users.rows.indices {
            if index > 0 { body.append(",") }
            json.append(users, row: index, to: body)
        }
        body.append("]")
    }
}

// MARK: - Errors

extension PageRenderer {
    /// Stack Exchange's errors (api.stackexchange.com/docs/error-handling).
    func writeStackExchange(_ failure: HTTPError) {
        let (number, name): (Int, StaticString) =
            switch failure.status.rawValue {
            case 404: (404, "no_method")
            case 503: (503, "temporarily_unavailable")
            case 500...: (500, "internal_error")
            default: (400, "bad_parameter")
            }
        body.append("{\"error_id\":")
        body.append(decimal: number)
        body.append(",\"error_message\":")
        body.append(jsonString: failure == .notFound ? "this method does not exist" : failure.message)
        body.append(",\"error_name\":\"")
        body.append(name)
        body.append("\"}")
    }

    /// The Rick and Morty API's. What is no path there is told with a full stop, and nobody on a page without one.
    func writeRickAndMorty(_ failure: HTTPError) {
        body.append("{\"error\":")
        body.append(jsonString: failure == .notFound ? "There is nothing here." : failure.message)
        body.append("}")
    }
}

extension HTTPError {
    fileprivate static let nobodyHere = HTTPError(status: .notFound, message: "There is nothing here")
    fileprivate static let noCharacter = HTTPError(status: .notFound, message: "Character not found")

    /// The service says what is wrong in the body, and 400 whatever that is. What is ours to mend, and what is wrong with
    /// the request as HTTP, keeps its own status.
    var stackExchangeStatus: Status { status == .notFound ? .badRequest : status }
}
