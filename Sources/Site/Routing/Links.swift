import Bytes
import Directories
import HTTP

/// Writes the URLs that pages link to: paths below the base path, made canonical.
struct Links {
    /// What stands before every path: the site's base path, or with it the origin where links must be absolute.
    let base: String
    let request: PageRequest

    /// Where a link leads to: the whole page, the fragment, or the JSON.
    func append(_ start: UserQuery.Start, as kind: PageRequest.Kind, to buffer: ByteBuffer) {
        append(kind, to: buffer) { query in
            switch start {
            case .first, .at: break  // Links carry cursors, never positions.
            case .last: query.add("before", "")
            case .after(let cursor): query.add("since") { $0.append(cursor, in: request.sort.key) }
            case .before(let cursor): query.add("before") { $0.append(cursor, in: request.sort.key) }
            }
        }
    }

    /// The page of kind `kind` after (or before) row `index` of `users`, without making a cursor of it first.
    func append(
        _ parameter: StaticString, _ index: Int, of users: UserRows, as kind: PageRequest.Kind, to buffer: ByteBuffer
    ) {
        append(kind, to: buffer) { query in
            query.add(parameter) { users.append(cursorOf: index, in: request.sort.key, to: $0) }
        }
    }

    private func append(_ kind: PageRequest.Kind, to buffer: ByteBuffer, _ place: (inout QueryWriter) -> Void) {
        buffer.append(utf8: base)
        switch kind {
        case .page: buffer.append("/")
        case .fragment: buffer.append("/fragment")
        case .json: buffer.append("/api/v3/users")
        }
        var query = QueryWriter(buffer)
        place(&query)
        appendPerPage(kind, &query)
        if let searchText = request.searchText { query.add("q", searchText) }
        for choice in request.facets { query.add(choice) }
        if request.sort.key != .id { query.add("sort", request.sort.key.rawValue) }
        if request.sort.direction != .ascending { query.add("order", request.sort.direction.rawValue) }
        if !request.isDefaultDirectory { query.add("directory", request.directory.slug.text) }
        if request.view != .list, kind != .json { query.add("view", request.view.rawValue) }
        if let embedding = request.embedding, embedding.isCarried(to: kind) { query.add("embed", embedding.rawValue) }
    }

    /// Fragments always say how many users they want; pages and JSON only where the reader chose a number.
    private func appendPerPage(_ kind: PageRequest.Kind, _ query: inout QueryWriter) {
        if kind == .fragment {
            query.add("per_page") { $0.append(decimal: request.perPage ?? PageRequest.fragmentLimit) }
        } else if let perPage = request.perPage, request.kind != .fragment || perPage != PageRequest.fragmentLimit {
            query.add("per_page") { $0.append(decimal: perPage) }
        }
    }
}

/// Appends `?name=value&name=value`.
struct QueryWriter {
    private let buffer: ByteBuffer
    private var separator: UInt8 = UInt8(ascii: "?")

    init(_ buffer: ByteBuffer) { self.buffer = buffer }

    mutating func add(_ name: StaticString, _ writeValue: (ByteBuffer) -> Void) {
        buffer.append(separator)
        separator = UInt8(ascii: "&")
        buffer.append(name)
        buffer.append("=")
        writeValue(buffer)
    }

    mutating func add(_ choice: FacetChoice) {
        buffer.append(separator)
        separator = UInt8(ascii: "&")
        buffer.append(utf8: choice.facet.name)
        buffer.append("=")
        buffer.append(percentEncoding: choice.value)
    }

    mutating func add(_ name: StaticString, _ value: String) {
        add(name) { $0.append(percentEncoding: value) }
    }
}

extension ByteBuffer {
    /// Appends `text` with all but the unreserved characters (RFC 3986 §2.3) percent-encoded: safe in paths and queries.
    func append(percentEncoding text: some StringProtocol) {
        var text = String(text)
        text.withUTF8 { append(percentEncoding: UnsafeRawBufferPointer($0)) }
    }

    func append(percentEncoding bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            switch byte {
            case 65...90, 97...122, 48...57, 45, 46, 95, 126: append(byte)
            default:
                append(UInt8(ascii: "%"))
                append(Self.hexDigits[Int(byte >> 4)])
                append(Self.hexDigits[Int(byte & 15)])
            }
        }
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    /// Appends the path of a user's page.
    func append(userPathOf login: UnsafeRawBufferPointer, below basePath: String, directory: Directory, isDefault: Bool)
    {
        append(utf8: basePath)
        append("/users/")
        append(percentEncoding: login)
        if !isDefault {
            append("?directory=")
            append(utf8: directory.slug.text)
        }
    }
}
