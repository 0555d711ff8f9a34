import Bytes
import Directories

/// One user that someone asks for.
struct UserRequest: Sendable {
    enum Who: Sendable {
        /// Of several who have the login the one of this id, where one is named: see ``PersonPage/namesakes``.
        case login(String, id: Int64?)
        case id(Int64)
    }

    let who: Who
    let directory: Directory
    let isDefaultDirectory: Bool
    let isJSON: Bool

    /// The login that was asked for, if one was.
    var login: String? { if case .login(let login, _) = who { login } else { nil } }

    /// The id that was asked for, if one was.
    var id: Int64? {
        switch who {
        case .login(_, let id): id
        case .id(let id): id
        }
    }

    private enum Name: String, CaseIterable { case directory, id }

    /// Throws a ``HTTPError`` that names what is wrong with the query, in which a login's `id` may be.
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

    func appendKey(to buffer: ByteBuffer) {
        buffer.append(isJSON ? "j" : "u")
        buffer.append(decimal: directory.id)
        buffer.append(isDefaultDirectory ? "d" : " ")
        switch who {
        case .login(let login, let id):
            // Ids are positive.
            buffer.append(decimal: id ?? 0)
            buffer.append(" ")
            buffer.append(utf8: login)
        case .id(let id): buffer.append(decimal: id)
        }
    }
}
