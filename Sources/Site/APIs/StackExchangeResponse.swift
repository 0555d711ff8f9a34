import Base
import People
import Server

extension StackExchangeRequest {
    func read(_ task: RenderTask, from reader: SiteReader) throws -> Page {
        switch method {
        case .sites: return .empty(directory)
        case .users, .moderators: return try reader.page(query, of: directory)
        case .some(let ids):
            var page = try reader.people(ids, sort: sort, of: directory)
            let all = page.users.rows
            page.users.rows = Array(all.dropFirst(position).prefix(pageSize))
            page.hasNext = position + pageSize < all.count
            page.total = all.count
            return page
        }
    }

    func write(_ page: Page, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) {
        let addresses = task.addresses(in: page.directory, renderer.configuration)
        let json = StackExchangeJSON(request: self, addresses: addresses, body: renderer.body, scratch: renderer.line)
        if case .sites = method { json.append(task.directories) } else { json.append(page) }
    }
}

/// The wrapper that Stack Exchange's API puts around everything (api.stackexchange.com/docs/wrapper).
extension StackExchangeJSON {
    fileprivate func append(_ page: Page) {
        var wrapper = ObjectWriter(body)
        if request.isTotal {
            wrapper.add("total", number: Int64(page.total ?? UserQuery.numberedMatches))
            return wrapper.close()
        }
        var users = page.users
        users.rows = Array(users.rows.prefix(request.pageSize))
        wrapper.start("items")
        body.append(users, of: page.directory) { append($0) }
        close(&wrapper, hasMore: page.hasNext || page.users.rows.count > request.pageSize)
    }

    private func close(_ wrapper: inout ObjectWriter, hasMore: Bool) {
        wrapper.add("has_more", flag: hasMore)
        // Rollcall has no quota, but clients stop when the member says 0.
        wrapper.add("quota_max", number: 10_000)
        wrapper.add("quota_remaining", number: 10_000)
        wrapper.close()
    }

    /// Appends the directories as sites. Some clients look up the name of their site before they request users.
    fileprivate func append(_ directories: DirectoryList) {
        let all = directories.all.dropFirst(request.position)
        var wrapper = ObjectWriter(body)
        wrapper.addObjects("items", of: all.prefix(request.pageSize)) { directory, object in
            object.add("site_type", json: "\"main_site\"")
            object.start("name")
            append(encoding: directory.title)
            object.add("api_site_parameter") { $0.append(utf8: directory.slug.text) }
            object.add("site_url") { buffer in
                buffer.append(utf8: addresses.home)
                buffer.append("/?directory=")
                buffer.append(utf8: directory.slug.text)
            }
        }
        close(&wrapper, hasMore: all.count > request.pageSize)
    }
}

// MARK: - Errors

extension ByteBuffer {
    /// Appends an error as Stack Exchange does (api.stackexchange.com/docs/error-handling).
    func append(stackExchange error: HTTPError) {
        let (number, name): (Int64, StaticString) =
            switch error.status.rawValue {
            case 404: (404, "no_method")
            case 503: (503, "temporarily_unavailable")
            case 500...: (500, "internal_error")
            default: (400, "bad_parameter")
            }
        var object = ObjectWriter(self)
        object.add("error_id", number: number)
        object.add("error_message", string: error == .notFound ? "this method does not exist" : error.message)
        object.add("error_name") { $0.append(name) }
        object.close()
    }
}

extension HTTPError {
    /// The service responds to every wrong request with 400, and names the error in the body. Errors of this server,
    /// and of HTTP itself, keep their status.
    var stackExchangeStatus: Status { status == .notFound ? .badRequest : status }
}
