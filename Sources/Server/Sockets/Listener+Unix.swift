import Base
import Glibc

/// Listening on a socket in the file system.
extension Listener {
    /// The longest path. A longer one leaves no room for the temporary name that the socket has before it is renamed.
    private static let maxPathBytes = 98

    init(path: String, isShared: Bool) throws {
        if let obstacle = Self.obstacle(at: path, isShared: isShared) {
            throw ServerError("cannot listen on \(path): \(obstacle)")
        }
        // The socket has a temporary name until it listens. So no client finds it closed, and a server that already
        // listens at the path loses no connection.
        let draft = "\(path).\(getpid())"
        _ = unlink(draft)
        let socket = Socket(family: AF_UNIX)
        guard let socket, Self.call(bind, socket, draft) == 0, listen(socket.descriptor, Self.backlog) == 0,
            rename(draft, path) == 0
        else {
            let message = SystemFile.reason
            socket?.close()
            _ = unlink(draft)
            throw ServerError("cannot listen on \(path): \(message)")
        }
        self.init(socket, at: .unix(path: path), file: SocketFile(path: path))
    }

    /// Why nobody can listen at the path. A socket without a listener is left over from a killed process and may be
    /// replaced.
    private static func obstacle(at path: String, isShared: Bool) -> String? {
        guard (1...maxPathBytes).contains(path.utf8.count) else {
            return "the path of a unix socket must have 1 to \(maxPathBytes) bytes"
        }
        guard let file = SocketFile(path: path) else { return nil }
        guard file.isSocket else { return "the file there is not a socket" }
        guard !isShared, let probe = Socket(family: AF_UNIX) else { return nil }
        defer { probe.close() }
        return call(connect, probe, path) == 0 || errno == EAGAIN ? "another server listens there" : nil
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ socket: Socket, _ path: String
    ) -> Int32 {
        SystemValues.withAddress(ofSocket: Array(path.utf8)) { function(socket.descriptor, $0, $1) }
    }
}

/// The file of a unix socket. Its device and inode distinguish it from another file that took over its path.
struct SocketFile: Equatable, Sendable {
    let path: String
    let isSocket: Bool
    private let device: UInt64
    private let inode: UInt64

    /// Describes the file at `path`. Returns `nil` if nothing is there.
    init?(path: String) {
        guard let status = SystemFile.status(ofLink: path) else { return nil }
        self.path = path
        isSocket = status.st_mode & S_IFMT == S_IFSOCK
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// Removes the file, unless another one has replaced it.
    func remove() {
        if SocketFile(path: path) == self { _ = unlink(path) }
    }
}
