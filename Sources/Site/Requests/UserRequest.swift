import Bytes
import Directories
import HTTP

/// A request for one user.
struct UserRequest: Sendable {
    enum Who: Sendable {
        /// The user with this login. If several have it, the one with this id: see ``PersonPage/namesakes``.
        case login(String, id: Int64?)
        case id(Int64)
    }

    let who: Who
    let directory: Directory
    let isDefaultDirectory: Bool
    let isJSON: Bool

    /// The login in the URL, if there is one.
    var login: String? { if case .login(let login, _) = who { login } else { nil } }

    /// The id in the URL, if there is one.
    var id: Int64? {
        switch who {
        case .login(_, let id): id
        case .id(let id): id
        }
    }

    private enum Name: String, CaseIterable { case directory, id }

    /// Throws an ``HTTPError`` that names the wrong parameter. The query may add an `id` to a login.
    init(
        _ who: Who, query: UnsafeRawBufferPointer?, directories: DirectoryList, scratch: ByteBuffer, isJSON: Bool
    ) throws {
        let values = try NamedValues<Name>(query, scratch: scratch)
        (directory, isDefaultDirectory) = try directories.find(values[.directory])
        guard directory.id != DirectoryList.none.id else { throw HTTPError.notFound }
        switch who {
        case .login(let login, nil):
            self.who = .login(login, id: try values.number(.id, in: 1...Int64.max).map(Int64.init))
        case .login, .id: self.who = who
        }
        self.isJSON = isJSON
    }
}

extension UserRequest {
    /// `/users/LOGIN`
    init(page routed: RoutedRequest) throws {
        try self.init(.login(try routed.wildcardText(), id: nil), routed, isJSON: false)
    }

    /// `/api/v3/users/LOGIN`
    init(json routed: RoutedRequest) throws {
        try self.init(.login(try routed.wildcardText(), id: nil), routed, isJSON: true)
    }

    /// `/api/v3/user/ID`
    init(id routed: RoutedRequest) throws {
        guard let id = Int64(digits: try routed.wildcardText()) else { throw HTTPError.notFound }
        try self.init(.id(id), routed, isJSON: true)
    }

    private init(_ who: Who, _ routed: RoutedRequest, isJSON: Bool) throws {
        try self.init(
            who, query: routed.request.query, directories: routed.directories, scratch: routed.scratch, isJSON: isJSON)
    }
}

extension UserRequest: Resource {
    var isSlow: Bool { false }
    var showsDirectories: Bool { !isJSON }
    var hasAbsoluteLinks: Bool { isJSON }

    func appendURL(to buffer: ByteBuffer) {
        switch who {
        case .login(let login, _):
            buffer.append(isJSON ? "/api/v3/users/" : "/users/")
            buffer.append(percentEncoding: login)
        case .id(let id):
            buffer.append("/api/v3/user/")
            buffer.append(decimal: id)
        }
        var query = QueryWriter(buffer)
        if !isDefaultDirectory { query.add("directory", directory.slug.text) }
        if case .login(_, let id?) = who { query.add("id") { $0.append(decimal: id) } }
    }
}
